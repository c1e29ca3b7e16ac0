"""Learning Gensou no Utage: a network whose tokens are cards, and the bots it is measured against.

Tokens are the cards in hand and on the table, those that may be chosen, the characters, and what is known of the top of the decks. Decks,
lists and discard piles are sums over their cards. A card is its row of `card_features()` and a vector of its own, which begins at zero.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from danmaku_env.estimates import Estimate
from danmaku_env.sister.bots import Bot
from danmaku_env.sister.duels import estimate_of
from danmaku_env.sister.learning.nets import NeuralBot, TokenNet
from danmaku_env.sister.learning.nets import neural_bot as any_neural_bot
from danmaku_env.sister.learning.selfplay import Learnable
from danmaku_env.sister.utage import bots, tournament
from danmaku_env.sister.utage.cards import words as w
from danmaku_env.sister.utage.cards.features import card_features
from danmaku_env.sister.utage.config import RANDOM, STANDARD, Deck, UtageConfig
from danmaku_env.sister.utage.engine import actions
from danmaku_env.sister.utage.engine import state as st
from danmaku_env.sister.utage.engine.observation import KNOWN_TOP, OBSERVATION_FIELDS, OFFSETS, ZERO
from danmaku_env.sister.utage.spec import UTAGE_SPEC

_PLACES = st.SEATS * w.PLACES
_GROUPS = {"own list": w.SLOTS, "other list": w.SLOTS, "own places": w.PLACES, "other places": w.PLACES,
           "own team": w.TEAM, "other team": w.TEAM, "tops": st.SEATS * KNOWN_TOP, "cause": 1}  # fmt: skip
"""Tokens of each kind, in this order."""
_VERBS = {
    "own list": (actions.PLAY_BASE, actions.OWN_CARD_BASE), "other list": (actions.OTHER_CARD_BASE,),
    "own places": (actions.ACTIVATE_BASE, actions.USE_BASE, actions.OWN_PLACE_BASE), "other places": (actions.OTHER_PLACE_BASE,),
    "own team": (actions.CHARACTER_BASE,),
}  # fmt: skip
"""What can be done with a token of a kind: the action of the first."""
_OTHERS = [actions.PASS, actions.YES, actions.LEADER_BASE, actions.LEADER_BASE + 1, actions.USE_LEADER]
"""Actions that name no card."""
_MOST_VERBS = max(map(len, _VERBS.values()))
_WHOLE = ("question", "phase", "attacker", "turn_number", "battles", "half", "events_banned", "hp", "sp", "ev", "bv", "leader_used",
          "hand_size", "deck_size")  # fmt: skip
"""Fields that say something of the table as a whole."""
_BAGS = (("my_cards", "hand"), ("my_cards", "deck"), ("their_cards", "their_list"), ("their_cards", "known_hand"))
"""Cards by slot, and how many of each there are; both discard piles come after them."""
_FIELDS = {field.name: field for field in OBSERVATION_FIELDS}


def _bytes(name: str) -> slice:
    return slice(OFFSETS[name], OFFSETS[name] + _FIELDS[name].size)


def _legal(masks: Tensor, base: int) -> Tensor:
    """[B, 40] which slots an action is legal with."""
    return masks[:, base : base + w.SLOTS]


class CardNet(TokenNet):
    """The tokens are summed up by kind; what an action is worth is read off its token, told of the whole table."""

    spec, kind = UTAGE_SPEC, "utage-tokens-1"
    cards: Tensor
    whole: Tensor
    group: Tensor
    first: Tensor

    def __init__(self, width: int = 64, wide: int = 256) -> None:
        """`width` numbers of each token, `wide` of the summary."""
        super().__init__(width, wide)
        features = torch.from_numpy(np.vstack([np.zeros((1, card_features().shape[1]), np.float32), card_features()]))
        self.register_buffer("cards", features / features.abs().max(0).values.clamp(min=1), persistent=False)
        whole = [byte for name in _WHOLE for byte in range(_bytes(name).start, _bytes(name).stop)]
        self.register_buffer("whole", torch.tensor(whole), persistent=False)
        group = torch.from_numpy(np.repeat(np.arange(len(_GROUPS)), list(_GROUPS.values())))
        self.register_buffer("group", group, persistent=False)
        first = torch.full((len(group), _MOST_VERBS), actions.NUM_ACTIONS)
        start = 0
        for name, size in _GROUPS.items():
            for verb, action in enumerate(_VERBS.get(name, ())):
                first[start : start + size, verb] = action + torch.arange(size)
            start += size
        self.register_buffer("first", first, persistent=False)
        self.card = nn.Linear(self.cards.shape[1], width, bias=False)
        self.named = nn.Embedding(len(self.cards), width)
        self.state = nn.Linear(self._states(torch.zeros((1, UTAGE_SPEC.row_size), dtype=torch.uint8)).shape[2] + len(_GROUPS), width)
        self.token = nn.Linear(width, width)
        sums = (2 * len(_GROUPS) + len(_BAGS) + st.SEATS) * width
        self.summary = nn.Sequential(nn.Linear(sums + len(whole), wide), nn.ReLU(), nn.Linear(wide, wide), nn.ReLU())
        self.told = nn.Linear(wide, width)
        self.again = nn.Linear(width, width)
        self.verbs = nn.Linear(width, len(_GROUPS) * _MOST_VERBS)
        self.others = nn.Linear(wide, len(_OTHERS))
        self.value = nn.Linear(wide, 1)
        nn.init.zeros_(self.named.weight)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """As TokenNet says."""
        games, groups = len(observations), len(_GROUPS)
        cards = self.card(self.cards) + self.named.weight
        ids = self._ids(observations, masks)
        game, token = ids.nonzero(as_tuple=True)
        group = self.group[token]
        states = torch.cat([self._states(observations)[game, token], nn.functional.one_hot(group, groups).float()], 1)
        tokens = torch.relu(cards[ids[game, token]] + self.state(states))
        tokens = torch.relu(self.token(tokens)) + tokens
        pile = game * groups + group
        sums = tokens.new_zeros((games * groups, self.width)).index_add(0, pile, tokens)
        tops = tokens.new_zeros((games * groups, self.width))
        tops = tops.scatter_reduce(0, pile[:, None].expand(-1, self.width), tokens, "amax")
        bags = (self._counts(observations) @ cards).view(games, -1)
        whole = torch.log1p(observations[:, self.whole].float())
        summary = self.summary(torch.cat([0.2 * sums.view(games, -1), tops.view(games, -1), 0.2 * bags, whole], 1))
        told = torch.relu(tokens + self.told(summary)[game])
        told = torch.relu(self.again(told)) + told
        said = self.verbs(told).view(-1, groups, _MOST_VERBS)[torch.arange(len(group), device=game.device), group]
        logits = said.new_zeros((games, actions.NUM_ACTIONS + 1))
        logits = logits.index_put((game[:, None].expand(-1, _MOST_VERBS), self.first[token]), said)
        logits = logits.index_copy(1, torch.tensor(_OTHERS, device=game.device), self.others(summary))[:, :-1]
        logprobs = torch.log_softmax(logits.masked_fill(masks == 0, -1e9), 1)
        return logprobs, torch.tanh(self.value(summary).squeeze(1))

    def _counts(self, rows: Tensor) -> Tensor:
        """[B, 6, 145] how many there are of each card in hand, deck, the other's list and known hand, and both discard piles."""
        counts = rows.new_zeros((len(rows), len(_BAGS) + st.SEATS, len(self.cards)), dtype=torch.float32)
        discard = rows[:, _bytes("discard")].view(-1, st.SEATS, w.SLOTS)
        bags = [(cards, rows[:, _bytes(number)]) for cards, number in _BAGS]
        bags += [(cards, discard[:, seat]) for seat, cards in enumerate(("my_cards", "their_cards"))]
        for bag, (cards, number) in enumerate(bags):
            counts[:, bag].scatter_add_(1, rows[:, _bytes(cards)].long(), number.float())
        return counts

    @staticmethod
    def _ids(rows: Tensor, masks: Tensor) -> Tensor:
        """[B, tokens] the card of each token, 0 for none."""
        mine = rows[:, _bytes("hand")] | _legal(masks, actions.PLAY_BASE) | _legal(masks, actions.OWN_CARD_BASE)
        theirs = rows[:, _bytes("known_hand")] | _legal(masks, actions.OTHER_CARD_BASE)
        listed = [rows[:, _bytes("my_cards")] * (mine > 0), rows[:, _bytes("their_cards")] * (theirs > 0)]
        return torch.cat([*listed, *(rows[:, _bytes(name)] for name in ("card", "team", "known_top", "cause"))], 1).long()

    @staticmethod
    def _states(rows: Tensor) -> Tensor:
        """[B, tokens, F] what is said of each token besides the card; a column for each field, whatever the kind."""
        numbers = {name: rows[:, _bytes(name)].float() for name in _FIELDS}
        games = len(rows)
        listed = torch.stack([
            torch.cat([numbers[mine], numbers[theirs]], 1)
            for mine, theirs in (("hand", "known_hand"), ("deck", "their_list"))
        ] + [numbers["discard"]], 2)  # fmt: skip
        where = rows[:, _bytes("where")].long()
        is_spell = ((where == st.IS_ACTIVE) | (where == st.IN_RESERVE)).float()[:, :, None]
        marks = rows[:, _bytes("marks")].long()[:, :, None] >> torch.arange(8, device=rows.device) & 1
        sides = torch.arange(w.PLACES, device=rows.device).repeat(st.SEATS) + 1
        battling = numbers["battling"].repeat_interleave(w.PLACES, 1) == sides
        hosts = numbers["host"] + w.PLACES * torch.arange(st.SEATS, device=rows.device).repeat_interleave(w.PLACES) - 1
        on_battling = torch.gather(battling, 1, hosts.long().clamp(0, _PLACES - 1)) & (numbers["host"] > 0)
        places = torch.cat([
            nn.functional.one_hot(where, len(st.WHERE_WORDS)).float(), is_spell * (numbers["value"].view(games, _PLACES, 3) - ZERO) / 4,
            is_spell * nn.functional.one_hot(rows[:, _bytes("type")].long(), len(w.TYPE_WORDS)).float(),
            is_spell * numbers["protection"].clamp(max=20)[:, :, None] / 4, numbers["evasion"].clamp(max=20).view(games, _PLACES, 2) / 4,
            marks.float(), battling.float()[:, :, None], (numbers["host"] > 0).float()[:, :, None], on_battling.float()[:, :, None],
        ], 2)  # fmt: skip
        leads = (rows[:, _bytes("team")].view(games, st.SEATS, w.TEAM) == rows[:, _bytes("leader")][:, :, None]).float()
        leads = torch.stack([leads, leads * (1 - numbers["leader_used"])[:, :, None]], 3).view(games, -1, 2)
        parts = [listed, places, leads]
        width = sum(part.shape[2] for part in parts)
        states = rows.new_zeros((games, sum(_GROUPS.values()), width), dtype=torch.float32)
        token = column = 0
        for part in parts:
            states[:, token : token + part.shape[1], column : column + part.shape[2]] = part
            token, column = token + part.shape[1], column + part.shape[2]
        return states


def measured(config: UtageConfig, bot: Bot, opponent: str, deals: int) -> Estimate:
    """What the bot is paid against another, over every pair of decks from both sides, on deals that no game of training has."""
    decks = [Deck.of(name) for name in STANDARD] if config.decks == RANDOM else list(config.decks)
    each = max(2, deals // len(decks) ** 2)
    return estimate_of(tournament.by_decks(decks, bot, bots.make(opponent), each, 1 << 40).mean((0, 1)))


def neural_bot(place: str, seed: int = 0) -> NeuralBot:
    """The bot of a run's folder or a file, with `,greedy` its likeliest answers. Raises BotError or CheckpointError."""
    return any_neural_bot(CardNet, place, seed)


LEARNABLE = Learnable(CardNet, ("greedy", "random"), measured)
"""What `sister.learning.selfplay.train` needs to know of this game."""
