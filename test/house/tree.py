"""The files of the project, as the rules see them."""

import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

CPP_SUFFIXES = (".hpp", ".cpp")
TEXT_SUFFIXES = CPP_SUFFIXES + (
    ".cmake", ".json", ".md", ".py", ".mjs", ".sh", ".supp", ".txt", ".yaml", ".yml",
)
TEXT_NAMES = ("Dockerfile", "run", "test", "check", "format", "fuzz", "setup", "test-clients", ".clang-tidy")
# Folders of what is made, where git cannot tell.
MADE = {".git", ".venv", "__pycache__", "build", "node_modules"}


@dataclass(frozen=True)
class Fault:
    """One broken rule and where."""

    path: str
    line: int
    message: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.message}"


class Tree:
    """Paths relative to `root`, with forward slashes, and their texts. What `git` tracks or would track."""

    def __init__(self, root):
        self.root = Path(root)

    @cached_property
    def paths(self):
        listed = subprocess.run(
            ["git", "-C", str(self.root), "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
            capture_output=True, check=False,
        )
        if listed.returncode == 0 and listed.stdout:
            names = listed.stdout.decode().split("\0")
        else:
            names = [path.relative_to(self.root).as_posix() for path in self.root.rglob("*")]
            names = [name for name in names if not MADE.intersection(name.split("/"))]
        return sorted({name for name in names if name and (self.root / name).is_file()})

    def cpp(self):
        return [path for path in self.paths if path.endswith(CPP_SUFFIXES)]

    def texts(self):
        """Text that people write. Test data is bytes, whatever it looks like."""
        for path in self.paths:
            name = path.rsplit("/", 1)[-1]
            if (path.endswith(TEXT_SUFFIXES) or name in TEXT_NAMES) and not path.startswith("test/data/"):
                yield path

    def read(self, path):
        return (self.root / path).read_text(encoding="utf-8")

    def exists(self, path):
        return (self.root / path).exists()
