"""Builds the package: where a C compiler is there, rules and house bots are compiled, else they run as they are."""

import sys

from setuptools import setup
from setuptools.command.build_ext import build_ext

COMPILED = [f"games/rules/{name}.py" for name in ("round", "scoring", "match", "view", "playout")]


class OptionalBuild(build_ext):
    """Without a working compiler the plain files are used: slower, the same rules."""

    def run(self) -> None:
        try:
            super().run()
        except Exception as error:
            print(f"The rules were not compiled and run as plain Python: {error}", file=sys.stderr)


def extensions() -> list[object]:
    try:
        from Cython.Build import cythonize
    except ImportError:
        return []
    directives = {"language_level": 3, "annotation_typing": False, "boundscheck": False, "wraparound": False, "cdivision": True}
    return list(cythonize(COMPILED, compiler_directives=directives, build_dir="build/cython", quiet=True))


setup(ext_modules=extensions(), cmdclass={"build_ext": OptionalBuild})
