"""What the face raises, and nothing else: every refusal is one of these, with a sentence for people.

Wrong configurations raise `ConfigError` (config.py), invalid seeds ValueError (seeds.py).
"""

from __future__ import annotations

from typing import Any

from danmaku_env.console.errors import Notice


class IllegalAction(ValueError):  # noqa: N818 - the design's public name
    """An answer that is not legal now; the message names the seat, the question and the legal answers."""


class ScenarioError(ValueError):
    """A position that cannot be; the message says why."""


class ReplayError(ValueError):
    """A file or byte string that is not a replay or saved game of this version; the message says what is wrong."""


class OtherRules(ReplayError):  # noqa: N818 - it reads as what it is
    """A file of other rules; the message names both fingerprints and says what can be done."""

    def __init__(self, what: str, made: str, here: str, difference: str = "", wish: str = "other_rules=True") -> None:
        """`made` under which rules, and those of `here`; `wish` is how one asks for the attempt."""
        between = f" ({difference})" if difference else ""
        attempt = f"play it with the danmaku-env that made it, or try it under these rules with {wish}"
        super().__init__(f"{what} was made under the rules {made}, and these are the rules {here}{between}: {attempt}")
        self.what, self.made, self.here, self.difference = what, made, here, difference

    def of(self, what: str) -> OtherRules:
        """This error, of something that has a name."""
        return OtherRules(what, self.made, self.here, self.difference)

    def for_a_command(self) -> OtherRules:
        """This error, with the option of commands as the way to ask for the attempt."""
        return OtherRules(self.what, self.made, self.here, self.difference, "--other-rules")

    def __reduce__(self) -> tuple[Any, ...]:
        return OtherRules, (self.what, self.made, self.here, self.difference)


class RulesWarning(Notice):
    """A file that does not say which rules made it, or a net that was trained under others."""


def status_error(s: Any) -> RuntimeError:
    """What to raise when the machine stopped: never expected."""
    return RuntimeError(
        f"the machine stopped with status {int(s['status'])} in the game of seed {int(s['seed'])}, decision {s['decisions']}"
    )
