"""Nothing of one match reaches the next, nor the seat beside: bits left in the times of files are not there to read."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bots.runners.budget import Limits
from bots.runners.launchers import ForkServer, Launcher
from bots.runners.process import BotProcess

WriteBot = Callable[[str], Path]

BITS = 16
SECRET = 0b1011_0010_1110_0101
# Accessed before it was changed: the next access is noted on any disk that notes accesses at all.
LONG_AGO = (1, 1_000_000_000)

# It reads a file for every bit that is set, by Python's own functions and past them; then it looks at their times.
SPY = """
    import ctypes, json, os, sys

    libc = ctypes.CDLL(None, use_errno=True)

    def read(name, path):
        for found in (name, path):
            try:
                with open(found, "rb") as file:
                    file.read()
            except OSError:
                pass
            fd = libc.open(found.encode(), os.O_RDONLY)
            if fd >= 0:
                os.read(fd, 100)
                os.close(fd)

    def is_read(name, path):
        for found in (name, path):
            status = (ctypes.c_long * 32)()
            if libc.stat(found.encode(), status) == 0 and status[9] > 1:
                return True
            try:
                if os.stat(found).st_atime > 1:
                    return True
            except OSError:
                pass
        return False

    for line in sys.stdin:
        question = json.loads(line)
        files = [(f"bit{n}", f"{question['folder']}/bit{n}") for n in range(question["bits"])]
        for n, file in enumerate(files):
            if question["secret"] >> n & 1:
                read(*file)
        known = sum(is_read(*file) << n for n, file in enumerate(files))
        print(json.dumps({"known": known}))
"""


@pytest.fixture
def spy(write_bot: WriteBot) -> Path:
    folder = write_bot(SPY)
    for number in range(BITS):
        path = folder / f"bit{number}"
        path.write_text("0")
        os.utime(path, LONG_AGO)
    return folder


def tell(bot: BotProcess, folder: Path, secret: int) -> dict[str, object]:
    answer = bot.ask({"folder": str(folder), "bits": BITS, "secret": secret})
    assert answer.payload is not None, (answer, bot.close())
    return answer.payload


def forget_accesses(folder: Path) -> None:
    """Taking a bot's files to its process is the platform's own access."""
    for path in folder.glob("bit*"):
        os.utime(path, LONG_AGO)


def test_the_disk_would_remember(spy: Path) -> None:
    """Else this file could not fail."""
    (spy / "bit3").read_text()
    if os.stat(spy / "bit3").st_atime <= 1:
        pytest.skip("this disk notes no access")


def test_the_next_match_knows_nothing(launcher: Launcher, spy: Path) -> None:
    with BotProcess.start(spy, Limits(), launcher) as writer:
        forget_accesses(spy)
        tell(writer, spy, SECRET)
        kept = {path.name: os.stat(path).st_atime for path in spy.glob("bit*")}
    with BotProcess.start(spy, Limits(), launcher) as reader:
        for name, accessed in kept.items():
            os.utime(spy / name, (accessed, LONG_AGO[1]))
        assert tell(reader, spy, 0) == {"known": 0}
    assert set(kept.values()) == {1}


def test_the_seat_beside_knows_nothing(launcher: Launcher, spy: Path) -> None:
    with (
        BotProcess.start(spy, Limits(), launcher) as writer,
        BotProcess.start(spy, Limits(), launcher) as reader,
    ):
        forget_accesses(spy)
        tell(writer, spy, SECRET)
        assert tell(reader, spy, 0) == {"known": 0}


# It reads all of its own memory, freed or not: the invalid order has the kernel look at the address alone.
SCAVENGER = """
    import ctypes, gc, json, sys

    libc = ctypes.CDLL(None, use_errno=True)
    libc.sbrk.restype = ctypes.c_void_p
    libc.sbrk.argtypes = (ctypes.c_long,)
    SIGPROCMASK = {"x86_64": 14, "aarch64": 135}

    def is_readable(number, page):
        libc.syscall(ctypes.c_long(number), ctypes.c_long(99), ctypes.c_void_p(page), None, ctypes.c_long(8))
        return ctypes.get_errno() == 22

    def find_pages(number):
        end = libc.sbrk(0) & ~4095
        arenas = {id(thing) >> 20 << 20 for thing in [*gc.get_objects(), *sys.modules]}
        spans = [range(end - (64 << 20), end, 4096), *(range(start, start + (1 << 20), 4096) for start in arenas)]
        return (page for span in spans for page in span if is_readable(number, page))

    for line in sys.stdin:
        question = json.loads(line)
        pages = find_pages(SIGPROCMASK[question["machine"]])
        backwards = b"".join(ctypes.string_at(page, 4096) for page in pages)[::-1]
        print(json.dumps({"found": backwards.count(question["backwards"].encode()), "size": len(backwards)}))
"""


def test_a_bot_s_memory_holds_nothing_of_those_before_it(
    fork_server: ForkServer, write_bot: WriteBot, tmp_path: Path
) -> None:
    """Each begins with a copy of the fork server's memory, whatever was freed there included."""
    scavenger = write_bot(SCAVENGER)
    for number in range(4):
        other = tmp_path / f"unheard-of-{'x' * 7 * number}" / "main.py"
        other.parent.mkdir()
        other.write_text("print(input())")
        with BotProcess.start(other.parent, Limits(), fork_server) as bot:
            assert bot.ask({}).payload == {}
    with BotProcess.start(scavenger, Limits(), fork_server) as bot:
        answer = bot.ask({"machine": os.uname().machine, "backwards": "unheard-of-"[::-1]})
    assert answer.payload is not None, (answer, bot.close())
    # A megabyte at least, or nothing was read at all.
    assert answer.payload["size"] > 1 << 20
    assert answer.payload["found"] == 0


def test_a_bot_reads_its_own_files_as_ever(launcher: Launcher, write_bot: WriteBot) -> None:
    folder = write_bot("""
        import json, os, sys
        from importlib import util
        from pathlib import Path
        input()
        here = Path(__file__).parent
        spec = util.spec_from_file_location("deep", here / "cards" / "deep.py")
        deep = util.module_from_spec(spec)
        spec.loader.exec_module(deep)
        with open("weights.bin", "rb") as file:
            file.seek(2)
            weights = list(file.read(2))
        refused = {}
        for name, mode in (("weights.bin", "r+b"), ("new", "w"), ("missing", "r"), ("cards", "r")):
            try:
                open(name, mode)
            except OSError as error:
                refused[name] = type(error).__name__
        print(json.dumps({
            "deep": deep.name,
            "weights": weights,
            "text": (here / "notes.txt").read_text().splitlines(),
            "names": sorted(os.listdir(".")),
            "found": sorted(path.as_posix() for path in Path(".").rglob("*.py")),
            "walked": [[root, folders, sorted(files)] for root, folders, files in os.walk(".")][0],
            "size": os.path.getsize("weights.bin"),
            "is": [os.path.isfile("cards"), os.path.isdir("cards"), os.path.exists("missing")],
            "real": os.path.realpath("cards/../notes.txt"),
            "refused": refused,
        }))
    """)
    (folder / "cards").mkdir()
    (folder / "cards" / "deep.py").write_text("name = 'deep'")
    (folder / "weights.bin").write_bytes(bytes(range(5)))
    (folder / "notes.txt").write_text("one\ntwo\n")
    with BotProcess.start(folder, Limits(), launcher) as bot:
        answer = bot.ask({})
        assert answer.payload is not None, (answer, bot.close())
    files = ["main.py", "notes.txt", "weights.bin"]
    assert json.loads(json.dumps(answer.payload)) == {
        "deep": "deep",
        "weights": [2, 3],
        "text": ["one", "two"],
        "names": ["cards", *files],
        "found": ["cards/deep.py", "main.py"],
        "walked": [".", ["cards"], files],
        "size": 5,
        "is": [False, True, False],
        "real": "/bot/notes.txt",
        "refused": {
            "weights.bin": "PermissionError",
            "new": "PermissionError",
            "missing": "FileNotFoundError",
            "cards": "IsADirectoryError",
        },
    }


MODULES = """
    array asyncio bisect bz2 cmath collections concurrent.futures contextlib copy csv ctypes dataclasses datetime
    decimal difflib enum fractions functools graphlib hashlib heapq html itertools json logging lzma math operator
    pathlib pickle pprint queue random re sched secrets select socket statistics string struct subprocess textwrap
    threading time timeit tomllib traceback types typing unicodedata unittest urllib.parse weakref
    xml.etree.ElementTree zipfile zoneinfo zlib encodings.gb18030 encodings.cp437
"""


def test_what_comes_with_python_can_be_imported(launcher: Launcher, write_bot: WriteBot) -> None:
    source = f"""
        import importlib
        input()
        for name in {MODULES.split()}:
            importlib.import_module(name)
        print("{{}}")
    """
    with BotProcess.start(write_bot(source), Limits(), launcher) as bot:
        answer = bot.ask({})
        assert answer.payload == {}, bot.close()
