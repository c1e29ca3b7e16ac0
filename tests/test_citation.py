"""CITATION.cff, the BibTeX entry of the README and the package's metadata name the same thing."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def citation():
    """The fields of CITATION.cff that stand on a line, and its authors; the file is plain enough to be read without a YAML library."""
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    fields = dict(re.findall(r'^([\w-]+): "?(.*?)"?$', text, re.MULTILINE))
    return fields | {"authors": re.findall(r"^  - name: (.*)$", text, re.MULTILINE)}


def test_the_bibtex_entry_says_what_the_citation_file_says():
    cited = citation()
    entry = re.search(r"^```bibtex\n(.*?)^```$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    fields = dict(re.findall(r"^\s*(\w+) = \{+(.*?)\}+,?$", entry[1], re.MULTILINE))
    assert fields["title"] == cited["title"]
    assert fields["version"] == cited["version"]
    assert fields["author"].split(" and ") == cited["authors"]


def test_the_package_says_what_the_citation_file_says():
    cited = citation()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == cited["version"]
    assert project["license"] == cited["license"]
    assert [author["name"] for author in project["authors"]] == cited["authors"]
