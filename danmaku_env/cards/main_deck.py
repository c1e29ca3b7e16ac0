"""The 80 cards of the base Main deck, in box order."""

from danmaku_env.cards.vocabulary import *

ONE_UP = Card(
    id="one_up", name="1UP", points=2, seasons="winter autumn",
    modes=(
        action(
            [choose_player(HURT)], [gain_life(CHOSEN)], types=HEALING,
            text="A player of your choice regains 1 life."),
        reaction(
            ANY_WINDOW, SOMEONE_AT_ZERO, [choose_player(AT_ZERO)], [revive(CHOSEN)], types=HEALING,
            text="A player at 0 life who is not yet defeated is back at 1 life."),
    ),
)  # fmt: skip

BOMB = Card(
    id="bomb", name="Bomb", points=4, seasons="summer autumn winter spring",
    modes=(
        invocation([], [activate()], text="Activate your Spell Card."),
        reaction(
            (CANCEL,), OTHERS_CARD, [], [cancel_it()], tags=DANMAKU | SPELL,
            text="Cancel a danmaku card or Spell Card somebody else has just announced."),
    ),
)  # fmt: skip

BORROW = Card(
    id="borrow", name='"Borrow"', points=2, seasons="summer spring",
    modes=(
        action(
            [choose_player(WITH_ITEMS), choose_item(CHOSEN)], [take_control()],
            text="Take control of an item somebody has in play."),
    ),
)  # fmt: skip

CAPTURE_SPELL_CARD = Card(
    id="capture_spell_card", name="Capture Spell Card", points=4, seasons="winter",
    modes=(
        invocation(
            [choose_player(SPELL_OWNERS)], [activate(CHOSEN)],
            text="Activate the Spell Card of another player, defeated or not, as your own."),
    ),
)  # fmt: skip

FOCUS = Card(
    id="focus", name="Focus", points=3, seasons="autumn summer",
    modes=(item(DEFENSE, text="Others need 2 more range to reach you."),),
    in_play={DISTANCE: 2},
)  # fmt: skip

GRAZE = Card(
    id="graze", name="Graze", points=1,
    seasons="summer autumn winter spring summer autumn winter spring summer autumn winter winter spring spring",
    modes=(
        reaction(
            (ATTACKED,), PROTECTABLE, dodge_cost(), [avoid_it()], types=DODGE,
            text="Avoid an attack on you; for an attack on somebody else, discard a danmaku card too."),
    ),
)  # fmt: skip

GRIMOIRE = Card(
    id="grimoire", name="Grimoire", points=3, seasons="summer autumn",
    modes=(action([], [draw(2)], text="Draw 2 cards."),),
)  # fmt: skip

KOURINDOU = Card(
    id="kourindou", name="Kourindou", points=3, seasons="winter",
    modes=(
        action(
            [pay_any()], [draw(AMOUNT + 1)],
            text="Discard as many hand cards as you like while playing this, then draw one more than that."),
    ),
)  # fmt: skip

LASER_SHOT = Card(
    id="laser_shot", name="Laser Shot", points=4, seasons="summer",
    modes=(
        danmaku(
            [choose_player(OTHERS)], [attack(any_range=True, unavoidable=True)],
            text="Attack anybody at any range; the attack cannot be avoided."),
    ),
)  # fmt: skip

LAST_WORD = Card(
    id="last_word", name="Last Word", points=3, seasons="summer",
    modes=(danmaku([], [attack_each(OTHERS, any_range=True)], targets_all=True, text="Attack everybody else, whatever the range."),),
)  # fmt: skip

MASTER_PLAN = Card(
    id="master_plan", name="Master Plan", points=3, seasons="autumn",
    modes=(
        action(
            [choose_deck()], [resolve_incident(), look(3, chosen_deck=True), arrange()],
            text="The incident in play is resolved; then look at 3 cards of a deck and put each on its top or bottom."),
    ),
)  # fmt: skip

MELEE = Card(
    id="melee", name="Melee", points=2, seasons="winter",
    modes=(
        danmaku(
            [choose_player(OTHERS)],
            [attack(any_range=True),
             forever([
                 discard_or(CHOSEN, DANMAKU, [stop()]),
                 hand_on_attack(),
                 attack(any_range=True, by_second=True)])],
            counts=False,
            text="Attack anybody, not counted as danmaku; who is attacked may discard a danmaku card to hand the attack on, and so on."),
    ),
)  # fmt: skip

MINI_HAKKERO = Card(
    id="mini_hakkero", name="Mini-Hakkero", points=5, seasons="summer",
    modes=(item(ARTIFACT, text="+3 range; you may discard 2 cards to activate your Spell Card."),),
    in_play={RANGE: 3},
    use=spell_source(pay(cards=2), text="Discard 2 cards to activate your Spell Card."),
)  # fmt: skip

PARTY = Card(
    id="party", name="Party", points=3, seasons="spring",
    modes=(
        action(
            [],
            [if_(WITH_EXPANSION, [look(ACTIVE_PLAYERS)], [draw_aside(ACTIVE_PLAYERS)]),  # S-6
             Each(EVERYONE, [choose_aside(), give_aside(EACH)]),
             draw(1)],
            text="Draw a card for each active player and deal those out, one to everybody, as you choose; then draw 1."),
    ),
)  # fmt: skip

POWER = Card(
    id="power", name="Power", points=2, seasons="spring summer winter winter autumn spring",
    modes=(item(POWERUP, text="+1 range and one danmaku card more per round."),),
    in_play={RANGE: 1, DANMAKU_LIMIT: 1},
)  # fmt: skip

SEAL_AWAY = Card(
    id="seal_away", name="Seal Away", points=2, seasons="autumn winter spring summer",
    modes=(
        danmaku(
            [choose_player(OTHERS), choose_item(CHOSEN, optional=True)], [discard_item(CHOSEN), attack()],
            text="You may make a player discard an item of your choice; then attack that player if in range."),
    ),
)  # fmt: skip

SHOOT = Card(
    id="shoot", name="Shoot", points=1,
    seasons="autumn winter autumn summer autumn winter spring summer autumn winter spring summer "
            "autumn winter spring summer autumn winter spring spring spring winter summer summer",
    modes=(
        danmaku(
            [choose_player(REACHABLE), boost()], [attack(boosted=True)],
            text="Attack a player in range; each danmaku card thrown in gives +1 range for this attack."),
    ),
)  # fmt: skip

SORCERERS_SUTRA_SCROLL = Card(
    id="sorcerers_sutra_scroll", name="Sorcerer's Sutra Scroll", points=5, seasons="autumn",
    modes=(item(ARTIFACT, [draw(1)], text="Draw 1 when played. One card more in your draw step; your base max hand size is 7."),),
    in_play={DRAWS: 1, HAND_BASE: 7},
)  # fmt: skip

SPIRITUAL_ATTACK = Card(
    id="spiritual_attack", name="Spiritual Attack", points=3, seasons="summer spring winter autumn autumn spring",
    modes=(invocation([], [activate()], text="Activate your Spell Card."),),
)  # fmt: skip

STOPWATCH = Card(
    id="stopwatch", name="Stopwatch", points=5, seasons="winter",
    modes=(item(ARTIFACT, text="+1 distance and two danmaku cards more per round."),),
    in_play={DISTANCE: 1, DANMAKU_LIMIT: 2},
)  # fmt: skip

SUPERNATURAL_BORDER = Card(
    id="supernatural_border", name="Supernatural Border", points=3, seasons="spring spring",
    modes=(item(DEFENSE | POWERUP, text="When you are attacked, flip: on spring or summer you avoid the attack."),),
    triggers=(trigger(ATTACK_DECLARED, MINE, [flip(), if_flipped([SPRING, SUMMER], [avoid_it()])]),),
)  # fmt: skip

TEMPEST = Card(
    id="tempest", name="Tempest", points=3, seasons="summer",
    modes=(
        action(
            [], [Each(EVERYONE, [discard_hand(EACH)]), Each(EVERYONE, [draw(3, EACH)])],
            text="Everybody discards the whole hand, then everybody draws 3."),
    ),
)  # fmt: skip

VOILE = Card(
    id="voile", name="Voile", points=5, seasons="autumn",
    modes=(
        action(
            [], [draw(3), choose_card(to_deck=True), hand_to_deck()],
            text="Draw 3 cards, then put a card of your hand on top of the Main deck."),
    ),
)  # fmt: skip

MAIN_CARDS = (
    ONE_UP, BOMB, BORROW, CAPTURE_SPELL_CARD, FOCUS, GRAZE, GRIMOIRE, KOURINDOU, LASER_SHOT, LAST_WORD, MASTER_PLAN, MELEE,
    MINI_HAKKERO, PARTY, POWER, SEAL_AWAY, SHOOT, SORCERERS_SUTRA_SCROLL, SPIRITUAL_ATTACK, STOPWATCH, SUPERNATURAL_BORDER,
    TEMPEST, VOILE,
)  # fmt: skip
