"""Every word a card may use, from one place: `from danmaku_env.cards.vocabulary import *`.

Card files have all words; mypy finds one that does not exist.

A card is a list of *texts*; a text says when it may happen and carries two short programs: `announce` (choices and costs, made before
anybody can cancel) and `resolve` (what then happens). Programs are rows of `Op(code, a, b, c)`; the few flow words nest and are
flattened by `compile.py`. Words are plain integers, because compiled kernels read them as constants.

The words themselves stand in the modules of this package, each along what it is about:
"""

from danmaku_env.cards.vocabulary.choices import *  # the words that ask
from danmaku_env.cards.vocabulary.kinds import *  # seasons, card types, decks
from danmaku_env.cards.vocabulary.modifiers import *  # what stays in force
from danmaku_env.cards.vocabulary.operands import *  # seats, groups, numbers, conditions
from danmaku_env.cards.vocabulary.operations import *  # what a row of a program does
from danmaku_env.cards.vocabulary.registers import *  # what a text remembers
from danmaku_env.cards.vocabulary.steps import *  # rows and blocks of a program
from danmaku_env.cards.vocabulary.texts import *  # texts, cards, characters, incidents, roles
from danmaku_env.cards.vocabulary.timing import *  # when a text may happen
from danmaku_env.cards.vocabulary.words import *  # the words programs are written in
