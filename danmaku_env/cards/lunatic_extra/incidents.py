"""The 4 incidents of Lunatic Extra, in box order."""

from danmaku_env.cards.vocabulary import Incident

LUNATIC_EXTRA_INCIDENTS: tuple[Incident, ...] = ()
