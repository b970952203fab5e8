"""The rules as plain Python beside the compiled ones, in one process, so that both can be compared and measured."""

import sys
from importlib import import_module
from importlib.machinery import FileFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType

_RULES = Path(__file__).parent / "rules"


def is_compiled() -> bool:
    """Whether the rules in use are the compiled ones."""
    return not str(load_module("round").__file__).endswith(".py")


def load_module(name: str) -> ModuleType:
    """The module `games.rules.<name>` that is in use."""
    return import_module(f"games.rules.{name}")


def load_plain(name: str) -> ModuleType:
    """The module `games.rules.<name>` from its source, whether or not a compiled one is in use."""
    return _plain_modules()[f"games.rules.{name}"] if is_compiled() else load_module(name)


def _plain_modules() -> dict[str, ModuleType]:
    if not _loaded:
        import_module("games.rules.round")
        in_use = {name: module for name, module in sys.modules.items() if name.split(".")[:2] == ["games", "rules"]}
        for name in in_use:
            del sys.modules[name]
        sys.path_hooks.insert(0, source_only)
        sys.path_importer_cache.pop(str(_RULES), None)
        try:
            for path in sorted(_RULES.glob("[a-z]*.py")):
                import_module(f"games.rules.{path.stem}")
            _loaded.update({name: module for name, module in sys.modules.items() if name.startswith("games.rules")})
        finally:
            sys.path_hooks.remove(source_only)
            sys.path_importer_cache.pop(str(_RULES), None)
            for name in _loaded:
                del sys.modules[name]
            sys.modules.update(in_use)
            # Importing also hangs the package on its parent, where `import games.rules.x as x` would find it.
            sys.modules["games"].rules = in_use["games.rules"]  # type: ignore[attr-defined]
    return _loaded


_loaded: dict[str, ModuleType] = {}


def source_only(path: str) -> FileFinder:
    """A path hook for `sys.path_hooks` under which the rules are found as plain Python alone."""
    if Path(path) != _RULES:
        raise ImportError(path)
    return FileFinder(path, (SourceFileLoader, [".py"]))
