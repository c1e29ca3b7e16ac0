import pytest

from danmaku_env.nets.network import one_torch_thread


@pytest.fixture(autouse=True, scope="session")
def _one_torch_thread():
    with one_torch_thread():
        yield
