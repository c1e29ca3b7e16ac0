"""The 24 characters of Lunatic Extra, in box order: an ability and a Spell Card each."""

from danmaku_env.cards.vocabulary import Character

LUNATIC_EXTRA_CHARACTERS: tuple[Character, ...] = ()
