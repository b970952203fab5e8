"""Starters: a small bot in Python, and one that beats `greedy`, the same in every language that becomes WebAssembly."""

from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True)
class LanguageStarter:
    """`build` names the source FILE and the module NAME.wasm; `needs` says where its tools come from."""

    language: str
    title: str
    ending: str
    build: str
    needs: str

    def read_source(self, name: str, file: str) -> str:
        """The starter's source, with the bot's name and its file's in it."""
        source = (files(__package__) / self.language / f"bot.{self.ending}").read_text(encoding="utf-8")
        return source.replace("FILE", file).replace("NAME", name)

    def tell_build(self, name: str, file: str) -> str:
        return self.build.replace("FILE", file).replace("NAME", name)


PYTHON = LanguageStarter("python", "Python", "py", "", "")
_ZIG = "pip install ziglang"
STARTERS = {
    starter.language: starter
    for starter in (
        LanguageStarter(
            "c",
            "C",
            "c",
            "python -m ziglang cc -target wasm32-freestanding -O2 -nostdlib -Wl,--no-entry -o NAME.wasm FILE",
            _ZIG,
        ),
        LanguageStarter(
            "cpp",
            "C++",
            "cpp",
            "python -m ziglang c++ -target wasm32-freestanding -std=c++20 -O2 -nostdlib -fno-exceptions -fno-rtti "
            "-Wl,--no-entry -o NAME.wasm FILE",
            _ZIG,
        ),
        LanguageStarter(
            "zig",
            "Zig",
            "zig",
            "python -m ziglang build-exe FILE -target wasm32-freestanding -O ReleaseSmall -fno-entry -rdynamic "
            "-femit-bin=NAME.wasm",
            _ZIG,
        ),
        LanguageStarter(
            "rust",
            "Rust",
            "rs",
            "rustc --edition 2021 --target wasm32-unknown-unknown --crate-type cdylib -O -C strip=symbols "
            "-o NAME.wasm FILE",
            "rustup target add wasm32-unknown-unknown, or Debian's libstd-rust-dev-wasm32",
        ),
        LanguageStarter(
            "assemblyscript",
            "AssemblyScript",
            "ts",
            "npx --yes --package assemblyscript asc FILE --outFile NAME.wasm --runtime stub --use abort= -O3",
            "Node.js; npx fetches the compiler",
        ),
        LanguageStarter(
            "go", "Go", "go", "tinygo build -target wasm-unknown -o NAME.wasm FILE", "TinyGo from tinygo.org"
        ),
    )
}
