"""What authors are told is what holds: limits, codes, verdicts, names of the interface, and the starters' languages."""

import re
from pathlib import Path

from bots.runners.verdict import Verdict
from bots.runners.wasm import WasmLimits, compiler, interface
from bots.runners.wasm.hosts import VERDICTS
from bots.starters import STARTERS

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "WASM.md").read_text(encoding="utf-8")


def test_every_code_of_a_refusal_is_documented() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "bots/runners/wasm").rglob("*.py"))
    codes = set(re.findall(r"\"(wasm_[a-z_]+)\"|(wasm_malformed)", sources))
    named = {code for pair in codes for code in pair if code and not code.startswith("wasm_config")}
    listed = set(re.findall(r"^\| `(wasm_\w+)` \|", DOCUMENT, re.MULTILINE))
    features = {"wasm_threads", "wasm_relaxed_simd", "wasm_memory64", "wasm_multi_memory", "wasm_exceptions", "wasm_gc"}
    features |= {"wasm_function_references", "wasm_component_model", "wasm_wide_arithmetic", "wasm_custom_page_sizes"}
    assert named - features - {"wasm_stack_switching"} == listed


def test_every_verdict_of_a_module_is_documented() -> None:
    section = DOCUMENT.split("## Verdicts")[1].split("## ")[0]
    for verdict in {*VERDICTS.values(), Verdict.TIMEOUT_CPU, Verdict.ILLEGAL} - {Verdict.OK, Verdict.PLATFORM}:
        assert f"| `{verdict}` |" in section


def test_limits_are_as_documented() -> None:
    limits = WasmLimits()
    assert f"| {limits.start // 10**6} million, with the start function" in DOCUMENT
    assert f"| fuel, an answer | {limits.decision // 10**6} million |" in DOCUMENT
    assert f"| fuel, a match | {limits.bank // 10**9} billion |" in DOCUMENT
    assert f"| memory | {interface.LARGEST_MEMORY >> 20} MB;" in DOCUMENT
    assert f"| stack | {interface.LARGEST_STACK >> 10} KB |" in DOCUMENT
    assert f"| {interface.CALL_FUEL:,} fuel, and {interface.BYTE_FUEL} for each byte |" in DOCUMENT
    assert f"{compiler.COMPILE_CPU:.0f} s of CPU time and {compiler.COMPILE_MEMORY >> 20} MB to compile" in DOCUMENT
    assert f"{limits.cpu_a_fuel * 1e9:.0f} s for a billion" in DOCUMENT


def test_names_and_languages_are_documented() -> None:
    for name in (interface.BUFFER, interface.DECIDE, interface.MESSAGE, interface.INITIALIZE, interface.MEMORY):
        assert f"| `{name}` |" in DOCUMENT
    for name in (interface.LOG, interface.CHANCE):
        assert f"| `{interface.NAMESPACE}.{name}` |" in DOCUMENT
    for starter in STARTERS.values():
        assert starter.title in DOCUMENT and starter.language in DOCUMENT
