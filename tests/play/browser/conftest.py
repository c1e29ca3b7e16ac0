"""A server, and somebody alone with agents at one of its tables."""

import pytest

from tests.play.browser.served import FOUR, Person, Server


@pytest.fixture(scope="module")
def there(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("games"))
    yield server
    server.stop()


@pytest.fixture
def person(there):
    """Somebody alone with agents, who has been asked."""
    _, secrets = there.lay(**FOUR)
    me = Person(there, secrets["0"]).until(lambda me: me.question is not None)
    yield me
    me.close()
