"""The image and the composition, as far as they can be checked without a container engine.

docker_test.py BINARY
"""

import re
import socket
import subprocess
import sys
import threading
import unittest
from fnmatch import fnmatch
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
BINARY = sys.argv.pop() if len(sys.argv) > 1 else None


def instructions(text):
    """(instruction, arguments) of a Dockerfile; continued lines joined."""
    text = re.sub(r"^\s*#.*\n", "", text, flags=re.M)
    for line in re.sub(r"\\\n\s*", " ", text).splitlines():
        if line.strip():
            name, _, rest = line.strip().partition(" ")
            yield name, rest


def stages(text):
    found = []
    for name, rest in instructions(text):
        if name == "FROM":
            found.append([])
        found[-1].append((name, rest))
    return found


DOCKERFILE = (ROOT / "docker/Dockerfile").read_text()
BUILD, FINAL = stages(DOCKERFILE)


def values(stage, name):
    return [rest for instruction, rest in stage if instruction == name]


def owner(library):
    """Debian package that a shared library belongs to."""
    for path in (library, str(Path(library).resolve())):
        for candidate in (path, re.sub("^/lib/", "/usr/lib/", path), re.sub("^/usr/lib/", "/lib/", path)):
            found = subprocess.run(["dpkg-query", "-S", candidate], capture_output=True, text=True, check=False)
            if found.returncode == 0:
                return found.stdout.split(":")[0]
    raise AssertionError(f"no package has {library}")


class Image(unittest.TestCase):
    def test_both_stages_stand_on_the_same_system(self):
        self.assertEqual(values(BUILD, "FROM"), ["debian:12-slim AS build"])
        self.assertEqual(values(FINAL, "FROM"), ["debian:12-slim"])

    def test_sources_exist_and_are_sent_to_the_engine(self):
        sent = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
        copies = [rest.split()[:-1] for stage in (BUILD, FINAL) for rest in values(stage, "COPY") if "--from" not in rest]
        for source in (source for copy in copies for source in copy):
            self.assertTrue((ROOT / source).exists(), source)
            self.assertTrue(any(fnmatch(source, pattern) for pattern in sent), f"{source} is ignored")

    def test_it_runs_the_binary_as_nobody_special(self):
        self.assertEqual(values(FINAL, "ENTRYPOINT"), ['["/usr/local/bin/warmlane"]'])
        self.assertEqual(values(FINAL, "USER"), ["warmlane"])
        names = [name for name, _ in FINAL]
        self.assertGreater(names.index("USER"), names.index("RUN"))
        self.assertEqual(len(values(FINAL, "HEALTHCHECK")), 1)

    def test_every_library_is_installed(self):
        listed = subprocess.run(["ldd", BINARY], capture_output=True, text=True, check=True).stdout
        libraries = re.findall(r"=> (/\S+)", listed)
        needed = {owner(library) for library in libraries} - {"libc6", "libgcc-s1", "libstdc++6"}
        self.assertGreater(len(needed), 3, listed)
        installed = set(values(FINAL, "RUN")[0].split())
        self.assertEqual(needed - installed, set())

    def test_the_health_check_tells_ready_from_not(self):
        check = re.search(r'CMD \["bash", "-c",\s*"(.*)"\]$', values(FINAL, "HEALTHCHECK")[0]).group(1)
        check = check.replace('\\"', '"').replace("\\\\", "\\")
        for status, expected in ((200, 0), (503, 1)):
            with self.subTest(status=status):
                self.assertEqual(self.verdict(check, status), expected)

    def verdict(self, check, status):
        """Exit code of the health check against a server that answers one request with `status`."""
        with socket.create_server(("127.0.0.1", 0)) as server:
            def serve():
                connection, _ = server.accept()
                with connection:
                    head = b""
                    while b"\r\n\r\n" not in head:
                        head += connection.recv(4096)
                    connection.sendall(b"HTTP/1.1 %d X\r\nContent-Length: 0\r\n\r\n" % status)

            thread = threading.Thread(target=serve, daemon=True)
            thread.start()
            port = str(server.getsockname()[1])
            run = subprocess.run(["bash", "-c", check], env={"WARMLANE_PORT": port}, timeout=10, check=False)
            thread.join(5)
            return run.returncode


class Composition(unittest.TestCase):
    def setUp(self):
        self.services = yaml.safe_load((ROOT / "docker/compose.yaml").read_text())["services"]

    def test_the_gateway_knows_every_simulated_server(self):
        known = re.findall(r"http://([\w-]+):8000", " ".join(self.services["gateway"]["command"]))
        simulated = [name for name, service in self.services.items() if service["command"][0] == "sim"]
        self.assertEqual(sorted(known), sorted(simulated))
        self.assertEqual(sorted(self.services["gateway"]["depends_on"]), sorted(simulated))

    def test_the_block_for_real_servers_parses(self):
        text = (ROOT / "docker/compose.yaml").read_text()
        commented = "\n".join(line.replace("  # ", "", 1) for line in text.splitlines() if line.startswith("  # "))
        self.assertEqual(sorted(yaml.safe_load(commented)), ["model-1", "model-2", "model-3"])

    def test_the_build_names_the_image_file(self):
        build = self.services["gateway"]["build"]
        self.assertTrue((ROOT / "docker" / build["context"] / build["dockerfile"]).exists())


if __name__ == "__main__":
    unittest.main()
