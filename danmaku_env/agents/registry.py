"""Agents by name: what a person writes on the command line becomes an agent.

    random                          an agent of this project
    search:simulations=200          with options, separated by commas
    neural:runs/ppo                 with a file or folder
    population:3                    a net of the population (population/README.md)
    policy:runs/sb3                 what a trainer of another library has learned (nets/layered_policy.py)
    exec:node my_bot.js             a command that answers one JSON line with another (docs/exec.md)
    my_bots.careful:CarefulAgent    a class of your own, found from the working directory; options may follow another colon

A class of your own follows the protocol of `danmaku_env.agents.base.Agent`. Its options are the parameters of its constructor; a parameter
called `seed` is left to `make`, which also calls `reset(seed)`. Naming a class runs the code of its module, so name only what you
trust.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.util
import inspect
import os
import re
import shlex
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, cast, get_type_hints

from danmaku_env.agents import population
from danmaku_env.agents.base import Agent
from danmaku_env.agents.user_code import UserCode, words_of
from danmaku_env.arguments import printable
from danmaku_env.console.errors import UserError
from danmaku_env.seeds import whole_seed

BUILT_IN: Mapping[str, str] = {
    "random": "danmaku_env.agents.random:RandomAgent",
    "neural": "danmaku_env.agents.neural:NeuralAgent",
    "heuristic": "danmaku_env.agents.heuristic:HeuristicAgent",
    "deducer": "danmaku_env.agents.deducer:DeducerAgent",
    "search": "danmaku_env.agents.search:SearchAgent",
    "exec": "danmaku_env.agents.external:ExternalAgent",
}
"""Short names of the agents of this project, the weakest first as far as known."""
_PLACES = {**BUILT_IN, "population": BUILT_IN["neural"], "policy": "danmaku_env.agents.policy:PolicyAgent"}
"""The same with those named by a number or by a file: `population` alone, or `policy`, is not an agent."""
_WITH_A_COMMAND = ("exec",)
"""Of those, the ones whose name goes on with a command and not with options between commas."""
_OWN = re.compile(r"(?P<module>[A-Za-z_]\w*(\.[A-Za-z_]\w*)*):(?P<name>[A-Za-z_]\w*)(:(?P<rest>.*))?")
_HERE, _PLAY_BY = Path(__file__).resolve().parent, ("agents", "beliefs", "heuristics", "nets")
"""The folder of the project's own agents, and the rooms that these play by."""
_PIECE = 1 << 20
"""Bytes of a file that are read at once."""
_TRUTH = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


class AgentError(UserError):
    """A name that makes no agent; the message says what is wrong and what there is."""


class _Call(NamedTuple):
    """A spec taken apart."""

    spec: str
    module: str
    name: str
    words: list[str]
    """What stands after the name, between commas."""


def names() -> list[str]:
    """The short names of the agents that are installed."""
    return [name for name, place in BUILT_IN.items() if _exists(place.partition(":")[0])]


def make(spec: str, seed: int) -> Agent:
    """The agent of a spec, seeded. Raises AgentError, and ValueError for an invalid seed."""
    call, seed = _read(spec), whole_seed(seed)
    with _theirs(spec, "made"):
        kind = _find(call)
        given = _arguments(call, kind)
        if "seed" in _parameters(kind):
            given["seed"] = seed
        agent = kind(**given)
        name = getattr(agent, "name", None)
        called = printable(name) if isinstance(name, str) else call.name  # one that does not say is called as its class
        if type(name) is not str or name != called:
            agent.name = called
        agent.reset(seed)
    return cast(Agent, agent)


def is_own(spec: str) -> bool:
    """Whether the agent of a spec is a command or a class of somebody's own: to make it runs code that is not this project's."""
    head = spec.partition(":")[0]
    return head in _WITH_A_COMMAND or (head not in _PLACES and _OWN.fullmatch(spec) is not None)


def fingerprint(spec: str) -> str:
    """Twelve hexadecimal digits that change with the source of the agent's package and with the files named in the spec.

    Of the project's own agents what they play by counts too: heuristics, beliefs and networks. What else an agent imports from elsewhere
    is not looked at. Raises AgentError.
    """
    call = _read(spec)
    with _theirs(spec, "looked at"):
        files = _sources(_find(call), call)
    is_command = call.spec.partition(":")[0] in _WITH_A_COMMAND
    for path in _named_files(call):
        with contextlib.suppress(OSError):  # a name that is too long cannot be a file
            files += [path] if path.is_file() else sorted(path.rglob("*.safetensors")) if path.is_dir() and not is_command else []
    digest = hashlib.sha256(spec.encode())
    for file in files:
        try:
            for piece in _pieces(file):
                digest.update(piece)
        except OSError as error:
            raise AgentError(f"the agent {spec!r} cannot be looked at: {file} cannot be read: {error.strerror}") from None
    return digest.hexdigest()[:12]


def _pieces(file: Path) -> Iterator[bytes]:
    """The name of a file and what it holds. Raises OSError; a device without an end is not a file and yields nothing."""
    if not file.is_file():
        return
    yield os.fsencode(file.name)
    with file.open("rb") as source:
        while piece := source.read(_PIECE):
            yield piece


def _named_files(call: _Call) -> list[Path]:
    """What in a spec may be a file or a folder: the values of options, the words of a command."""
    values = [word.partition("=")[2] or word for word in call.words]
    if call.spec.partition(":")[0] in _WITH_A_COMMAND:
        try:
            values = [word for value in values for word in shlex.split(value)]
        except ValueError as error:
            raise AgentError(f"the command of {call.spec!r} cannot be split into words: {error}") from None
    return [Path(value) for value in values]


def _sources(kind: type[Any], call: _Call) -> list[Path]:
    """The file of a class; within a package also what lies beside and below it, as agents share parts and keep numbers in files."""
    found = inspect.getsourcefile(kind)
    if found is None:
        return []
    if "." not in call.module:
        return [Path(found)]
    folder = Path(found).resolve().parent
    folders = [folder.parent / room for room in _PLAY_BY] if folder == _HERE else [folder]
    return sorted(file for one in folders for ending in ("py", "json", "safetensors") for file in one.rglob(f"*.{ending}"))


# ---------------------------------------------------------------- reading a spec


def _exists(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _read(spec: str) -> _Call:
    """The parts of a spec. Raises AgentError for an unknown name, and for anything but text."""
    try:
        spec.encode()
    except (UnicodeEncodeError, AttributeError):
        raise AgentError(f"an agent is named by text, not by {spec!a}") from None
    head, _, rest = spec.partition(":")
    if head in _PLACES:
        if spec == f"{head}:" and head in BUILT_IN and head not in _WITH_A_COMMAND:
            raise AgentError(f"{spec!r} says nothing after the colon: leave it out for {head} as it is")
        module, _, name = _PLACES[head].partition(":")
        if _exists(module):
            return _Call(spec, module, name, _words(spec, head, rest))
    elif own := _OWN.fullmatch(spec):
        return _Call(spec, own["module"], own["name"], _split(own["rest"] or ""))
    there = ", ".join([*names(), "population:NUMBER", "policy:FILE"])
    raise AgentError(f"there is no agent {head!r}; there are {there}, or your own as package.module:ClassName")


def _words(spec: str, head: str, rest: str) -> list[str]:
    """What stands after the name of an agent of this project, as options. Raises AgentError."""
    if head in _WITH_A_COMMAND:
        return [f"command={rest}"]
    if head != "population":
        return _split(rest)
    number, _, options = rest.partition(",")
    try:
        return [f"path={population.member(number.strip())}", *_split(options)]
    except LookupError as error:
        raise AgentError(f"{spec!r}: {error.args[0]}") from None


def _split(words: str) -> list[str]:
    return [word.strip() for word in words.split(",") if word.strip()]


def _find(call: _Call) -> type[Any]:
    """The class. Raises AgentError when it is not there or cannot be an agent."""
    module = _import(call)
    kind = getattr(module, call.name, None)
    if not isinstance(kind, type):
        there = [name for name, value in vars(module).items() if isinstance(value, type) and value.__module__ == module.__name__]
        raise AgentError(f"{call.module} has no class {call.name!r}; it has {', '.join(there) or 'no classes'}")
    for needed in ("act", "reset"):
        if not callable(getattr(kind, needed, None)):
            raise AgentError(f"{call.module}:{call.name} is no agent: it has no method {needed!r} (see agents/base.py)")
    return kind


def _import(call: _Call) -> ModuleType:
    here = _here()
    if here not in sys.path:  # an installed command does not look into the working directory by itself
        sys.path.append(here)
    with _theirs(call.spec, "imported"):
        return importlib.import_module(call.module)


def _here() -> str:
    """The working directory, which may be gone."""
    try:
        return os.getcwd()
    except OSError:
        return os.curdir


def _theirs(spec: str, doing: str) -> UserCode:
    """Whatever a person's own module or class does when it should be imported or made is an AgentError."""

    def refusal(error: BaseException) -> AgentError:
        if isinstance(error, ModuleNotFoundError):
            return AgentError(_missing(spec, error))
        return AgentError(f"the agent {spec!r} cannot be {doing}: {words_of(error)}")

    return UserCode(refusal, passing=(AgentError,))


_OF_NETS = ("torch", "safetensors")
"""Packages that nets need."""


def _missing(spec: str, error: ModuleNotFoundError) -> str:
    module = spec.partition(":")[0]
    if error.name and f"{module}.".startswith(f"{error.name}."):
        return f"the agent {spec!r} cannot be found: there is no module {error.name!r} in {_here()} or among the installed ones"
    how = ": pip install 'danmaku-env[neural]'" if error.name in _OF_NETS else ""
    return f"the agent {spec!r} needs the package {error.name!r}, which is not installed{how}"


# ---------------------------------------------------------------- options


def _parameters(kind: type[Any]) -> dict[str, inspect.Parameter]:
    parameters = inspect.signature(kind).parameters
    return {
        name: parameter for name, parameter in parameters.items() if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    }


def _arguments(call: _Call, kind: type[Any]) -> dict[str, Any]:
    """The constructor's arguments from the words of a spec: `name=value`, and one plain word for the first that need not be named."""
    parameters = _parameters(kind)
    options = {name: parameter for name, parameter in parameters.items() if name != "seed"}
    needed = [name for name, parameter in options.items() if parameter.default is parameter.empty]
    plain = [*needed, *(name for name, parameter in options.items() if parameter.kind is not parameter.KEYWORD_ONLY)]
    given: dict[str, Any] = {}
    for word in call.words:
        name, sign, text = word.partition("=")
        if not sign:
            name, text = plain[0] if plain else "", word
        if name not in options or name in given:
            reason = "given twice" if name in given else "not an option"
            what = ", ".join(options) if options else "none"
            raise AgentError(f"{call.spec!r}: {name or word!r} is {reason}; the options are: {what}")
        if not text and call.module.startswith(f"{__package__}.") and call.spec.partition(":")[0] not in _WITH_A_COMMAND:
            raise AgentError(f"{call.spec!r}: {name} is empty: leave it out, or say what it is")
        given[name] = _value(call, name, text, _hint(kind, options[name]))
    if missing := [name for name in needed if name not in given]:
        called = ":".join(call.spec.split(":")[: 2 if is_own(call.spec) else 1])
        raise AgentError(f"{call.spec!r} needs its {missing[0]}, as in '{called}:{missing[0]}=...'")
    return given


def _hint(kind: type[Any], parameter: inspect.Parameter) -> str:
    """The type of a parameter in words; unions count as what stands first."""
    hint = None
    with contextlib.suppress(Exception):  # a hint may be any expression, of names that are nowhere
        hint = get_type_hints(kind.__init__).get(parameter.name)
    if hint is None and parameter.default is not parameter.empty and parameter.default is not None:
        hint = type(parameter.default)
    return getattr(hint, "__name__", str(hint)).partition(" |")[0]


def _value(call: _Call, name: str, text: str, hint: str) -> Any:
    """The text of an option as what the constructor expects. Raises AgentError."""
    wanted = {"int": "a whole number", "float": "a number", "bool": "yes or no"}.get(hint)
    try:
        if hint == "bool":
            return _TRUTH[text.lower()]
        return int(text) if hint == "int" else float(text) if hint == "float" else text
    except (ValueError, KeyError):
        raise AgentError(f"{call.spec!r}: {name} must be {wanted}, not {text!r}") from None
