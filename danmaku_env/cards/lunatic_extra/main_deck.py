"""The 20 cards that Lunatic Extra adds to the Main deck, in box order."""

from danmaku_env.cards.vocabulary import (
    Card,
)

MORE_MAIN_CARDS: tuple[Card, ...] = ()
