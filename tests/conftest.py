"""A Ray for the tests that need one; and the order of the files: those that take long come first, so that none is left for the end."""

import pytest

from tests.on_ray import MISSING


@pytest.fixture(scope="module")
def ray(request):
    """A Ray of this machine alone; of one core, unless the file says CORES."""
    pytest.importorskip("ray", reason=MISSING)
    from danmaku_env.console.on_ray import cluster

    with cluster(cores=getattr(request.module, "CORES", 1)) as connected:
        yield connected


def pytest_collection_modifyitems(items):
    long = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in long)
