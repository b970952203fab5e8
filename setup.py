"""Builds the package: where a C compiler is there, rules and house bots are compiled, else they run as they are."""

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_ext import build_ext

FOLDERS = ("games/rules", "games/learn", "bots/brains")
DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
}


class OptionalBuild(build_ext):
    """Without a working compiler the plain files are used: slower, the same rules."""

    def run(self) -> None:
        try:
            super().run()
        except Exception as error:
            print(f"The rules were not compiled and run as plain Python: {error}", file=sys.stderr)


def compiled_sources() -> list[str]:
    """Every module that has its C types beside it."""
    typed = (path.with_suffix(".py") for folder in FOLDERS for path in sorted(Path(folder).glob("*.pxd")))
    return [path.as_posix() for path in typed if path.exists()]


def extensions() -> list[object]:
    try:
        from Cython.Build import cythonize
    except ImportError:
        return []
    built = list(cythonize(compiled_sources(), compiler_directives=DIRECTIVES, build_dir="build/cython", quiet=True))
    for extension in built:
        # Python's own flags ask for what debuggers want, which is three quarters of a module.
        extension.extra_compile_args += ["-g0"]
    return built


setup(ext_modules=extensions(), cmdclass={"build_ext": OptionalBuild})
