"""Mutants: other code for a function, made by mutmut, or another statement of SQL, of which mutmut knows nothing."""

import hashlib
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Protocol

from mutmut.mutation.file_mutation import mutate_file_contents

ROOT = Path(__file__).parents[2]
DECORATORS = re.compile(r"^ *@(cache|lru_cache\(.*\)|transaction\.atomic|property|cached_property)\n", re.MULTILINE)
"""mutmut leaves decorated functions alone, so it does not see these; a mutant is put below the decorator."""

SQL_CHANGES = (
    (r"\s+AND [^\n]+?(?= AND | THEN | RETURNING |\n|$)", ""),
    (r"(?<=WHERE ).+? AND ", ""),
    (r"ELSE 'ready'", "ELSE 'quarantined'"),
    (r">=", ">"),
    (r" < ", " <= "),
    (r"\+ 1\b", "+ 2"),
    (r"\bTRUE\b", "FALSE"),
    (r" DESC\b", ""),
    (r" SKIP LOCKED", ""),
    (r" MATERIALIZED", ""),
    (r"COALESCE\(\w+, now\(\)\)", "now()"),
    (r"now\(\) \+", "now() -"),
    (r"\w+ = (NULL|''|'\{\}'),", ""),
    (r",\s+\w+ = [^,\s]+(?=\n)", ""),
)


class Mutant(Protocol):
    """`source` tells whether a verdict is still about the same."""

    @property
    def name(self) -> str: ...

    @property
    def source(self) -> str: ...

    @property
    def codes(self) -> frozenset[CodeType]:
        """The code of the functions whose tests must notice it."""

    def come_true(self) -> None:
        """In this process, for good."""


@dataclass(frozen=True, slots=True)
class FunctionMutant:
    name: str
    source: str
    function: FunctionType
    mutated: FunctionType

    @property
    def codes(self) -> frozenset[CodeType]:
        return frozenset({self.function.__code__})

    def come_true(self) -> None:
        self.function.__code__ = self.mutated.__code__
        self.function.__defaults__ = self.mutated.__defaults__
        self.function.__kwdefaults__ = self.mutated.__kwdefaults__


@dataclass(frozen=True, slots=True)
class StatementMutant:
    name: str
    source: str
    module: ModuleType
    constant: str
    statement: str

    @property
    def codes(self) -> frozenset[CodeType]:
        functions = (value for value in vars(self.module).values() if isinstance(value, FunctionType))
        codes = (plain_function(function).__code__ for function in functions)
        return frozenset(code for code in codes if self.constant in code.co_names)

    def come_true(self) -> None:
        setattr(self.module, self.constant, self.statement)


def find_mutants(patterns: Iterable[str]) -> Iterator[Mutant]:
    """Every mutant of the files that these patterns name."""
    for path in (path for pattern in patterns for path in sorted(ROOT.glob(pattern))):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        module = import_module(name)
        yield from _find_function_mutants(path, module)
        yield from _find_statement_mutants(module)


def _find_function_mutants(path: Path, module: ModuleType) -> Iterator[FunctionMutant]:
    made = mutate_file_contents(str(path.relative_to(ROOT)), DECORATORS.sub("", path.read_text()))
    lines = made.code.splitlines()
    namespace = _execute(made.code, module)
    for name in made.mutant_names:
        span = made.line_span_by_function_name[name]
        source = _digest("\n".join(lines[span.start - 1 : span.end]))
        yield FunctionMutant(f"{module.__name__}.{name}", source, *_find_functions(name, module, namespace))


def _find_statement_mutants(module: ModuleType) -> Iterator[StatementMutant]:
    """One change of one place in each of the module's constants that is a statement."""
    for constant, text in list(vars(module).items()):
        if isinstance(text, str) and re.match(r"\s+(WITH|SELECT|UPDATE|INSERT|DELETE)\b", text):
            for number, changed in enumerate(_change_statement(text), 1):
                yield StatementMutant(
                    f"{module.__name__}.{constant}__sql_{number}", _digest(changed), module, constant, changed
                )


def _change_statement(text: str) -> Iterator[str]:
    for pattern, replacement in SQL_CHANGES:
        for found in re.finditer(pattern, text):
            yield text[: found.start()] + found.expand(replacement) + text[found.end() :]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _execute(code: str, module: ModuleType) -> dict[str, Any]:
    """Run a mutated module beside the true one, for its functions only."""
    beside = ModuleType(f"{module.__name__}_mutated")
    sys.modules[beside.__name__] = beside
    exec(compile(code, str(module.__file__), "exec"), beside.__dict__)
    return beside.__dict__


def _find_functions(name: str, module: ModuleType, namespace: dict[str, Any]) -> tuple[FunctionType, FunctionType]:
    """The true function and its mutant; mutmut names it x_function__mutmut_1 or xǁClassǁmethod__mutmut_1."""
    original = name.rpartition("__mutmut_")[0]
    if "ǁ" not in original:
        return plain_function(getattr(module, original.removeprefix("x_"))), namespace[name]
    _, owner, method = original.split("ǁ")
    return plain_function(vars(getattr(module, owner))[method]), plain_function(vars(namespace[owner])[name])


def plain_function(found: Any) -> Any:
    """A function without its decorator."""
    if isinstance(found, property):
        return found.fget
    if isinstance(found, cached_property):
        return found.func
    return getattr(found, "__wrapped__", found)
