"""What `python -m tests.bounds` reads; the environments themselves take minutes and are made by hand."""

import re

import pytest

from tests.bounds import lowest, requirements


@pytest.mark.parametrize("requirement", requirements())
def test_the_oldest_release_of_every_requirement_is_known(requirement):
    assert re.fullmatch(r"[\w.-]+==\d[\w.]*", lowest(requirement))
