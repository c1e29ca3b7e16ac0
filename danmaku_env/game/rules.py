"""Files of other rules: how they are refused, or warned of, wherever a game goes on from a file.

A file names the rules that made it by their fingerprint (`GameSpec.rules`). One of other rules is refused, unless whoever asks for it says
`other_rules=True`; one that names none is read with a warning. Earlier rules count as those of today for games in which nothing has changed
since (`GameSpec.earlier_rules`). Answers that belong to other rules break off somewhere, or become another game without breaking off.
"""

from __future__ import annotations

import warnings
from typing import Any

from danmaku_env.arguments import shown, truth
from danmaku_env.game.errors import OtherRules, RulesWarning
from danmaku_env.spec import GameSpec, default_spec, spec_of

_LONGEST = 64
"""Letters of a fingerprint: those of today have fewer."""


def _here(spec: GameSpec | None) -> str:
    """The rules of today; of Danmaku!! where no other game is meant."""
    return (spec or default_spec()).rules()


def check_rules(made: str | None, what: str, *, other_rules: bool = False, spec: GameSpec | None = None) -> None:
    """Raise OtherRules where `what` ("the replay") was made under other rules than these, unless that is wished.

    Raises ValueError for a wish that is neither True nor False.
    """
    wished = truth(other_rules)
    if wished is None:
        raise ValueError(f"other_rules must be True or False, not {shown(other_rules)}")
    here = _here(spec)
    if made is not None and made != here and not wished:
        raise OtherRules(what, made, here, _difference(made, here))


def as_today(made: str | None, config: Any) -> str | None:
    """What made a game of this configuration: the rules of today too where those before made the same of it."""
    spec = spec_of(config)
    return spec.rules() if made in spec.earlier_rules(config) else made


def warn_of_unknown_rules(what: str, spec: GameSpec | None = None, *, stacklevel: int = 3) -> None:
    """Warn that `what` does not say which rules made it."""
    words = f"{what} does not say which rules made it: if they were not {_here(spec)}, it may break off or become another game"
    warnings.warn(words, RulesWarning, stacklevel=stacklevel)


def whose_rules(made: str | None, spec: GameSpec | None = None) -> str:
    """What is added to a sentence on a game that diverged: nothing where it was made under the rules of today."""
    here = _here(spec)
    if made == here:
        return ""
    if made is None:
        return f" (nothing says which rules made it; these are {here})"
    return f" (it was made under the rules {made}, and these are {here})"


def rules_named(rules: object) -> str | None:
    """The fingerprint that a file names, None where it names none. Raises ValueError on anything that cannot be one."""
    if rules is None:
        return None
    if not isinstance(rules, str) or not rules.isascii() or not rules.isprintable() or not 1 <= len(rules) <= _LONGEST:
        raise ValueError(f'"rules" must be the fingerprint of rules, not {shown(rules)}')
    return rules


def _difference(made: str, here: str) -> str:
    """What differs, where both fingerprints tell: cards, the engine, or both."""
    engines, cards = zip(made.partition("-")[::2], here.partition("-")[::2], strict=True)
    if not made.partition("-")[2]:
        return ""
    if engines[0] == engines[1]:
        return "other cards"
    return "another engine" if cards[0] == cards[1] else "another engine and other cards"
