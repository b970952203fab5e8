"""One pool of hosts for the whole session, with a folder of compiled modules of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bots.runners.wasm import ArtifactCache, HostPool


@pytest.fixture(scope="session")
def artifacts(tmp_path_factory: pytest.TempPathFactory) -> ArtifactCache:
    return ArtifactCache(Path(tmp_path_factory.mktemp("wasm")) / "compiled")


@pytest.fixture(scope="session")
def pool(artifacts: ArtifactCache) -> Iterator[HostPool]:
    pool = HostPool(artifacts)
    yield pool
    pool.close()
