"""Which room may include which."""

import re

from tree import Fault

LEVELS = {
    "core": 0,
    "observability": 1, "openai": 1, "prefix": 1, "routing": 1,
    "http": 2, "plugins": 2,
    "datalayer": 3,
    "admin": 4, "proxy": 4, "sim": 4,
    "config": 5,
    "replay": 6,
    "app": 7,
}
_INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
_ONLY_HTTP = ("boost/beast", "openssl/")


def room_of(path):
    """(`include`, `src` or `test`, room) of a file; the room is None when it is in none."""
    parts = path.split("/")
    if parts[:2] == ["include", "warmlane"] and len(parts) > 3:
        return "include", parts[2]
    if parts[0] in ("src", "test") and len(parts) > 2:
        return parts[0], parts[1]
    return parts[0], None


def _public(path, side, room, included):
    if side == "test" or path == "src/main.cpp":
        return None
    if included not in LEVELS:
        return f"'{included}' is no room"
    if room not in LEVELS:
        return f"'{room}' is no room"
    if included != room and LEVELS[included] >= LEVELS[room]:
        return f"{room} (level {LEVELS[room]}) includes {included} (level {LEVELS[included]}): includes go down"
    return None


def _private(side, room, name):
    owner = name.split("/")[0]
    if side == "include":
        return f'a public header includes the private "{name}"'
    if owner in LEVELS and owner != room and (side, room) != ("test", "fuzz"):
        return f'"{name}" is private to {owner}'
    return None


def _third_party(room, name):
    if name.startswith(_ONLY_HTTP) and room != "http":
        return f"<{name}> belongs to http alone"
    return None


def check_includes(tree):
    for path in tree.cpp():
        side, room = room_of(path)
        for number, line in enumerate(tree.read(path).splitlines(), 1):
            found = _INCLUDE.match(line)
            if not found:
                continue
            bracket, name = found.groups()
            if bracket == "<":
                message = _third_party(room, name)
            elif name.startswith("warmlane/"):
                message = _public(path, side, room, name.split("/")[1])
            else:
                message = _private(side, room, name)
            if message:
                yield Fault(path, number, message)


def check_rooms_exist(tree):
    for path in tree.cpp():
        side, room = room_of(path)
        if side in ("include", "src") and room not in LEVELS and path != "src/main.cpp":
            yield Fault(path, 1, "stands in no room")
