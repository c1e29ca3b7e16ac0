"""The 24 characters of Lunatic Extra, in box order: an ability and a Spell Card each."""

from collections.abc import Callable

from danmaku_env.cards.vocabulary import *

OPTIONAL_TARGET = choose_player(IN_RANGE, optional=True)
_FOR_A_CARD: Program = [discard_or(ME, ANY_TYPE, [decline()])]


def _possess(choose: Callable[..., Op], **options: bool) -> Program:
    """Whom a flipped card is for: in range for an attack, with items to lose, or anybody."""
    return [
        if_flipped([SPRING, AUTUMN], [choose(EVERYONE, optional=True, **options)]),
        if_flipped([SUMMER], [choose(IN_RANGE, optional=True, **options)]),
        if_flipped([WINTER], [choose(ITEM_OWNERS, optional=True, **options)]),
    ]


def _humor(place: int, who: SeatOperand) -> Program:
    """What a flipped card does to its target, by its season."""
    return [
        if_flipped([SPRING], [draw(1, who)], place=place),
        if_flipped([SUMMER], [attack(who)], place=place),
        if_flipped([AUTUMN], [discard_one(who)], place=place),
        if_flipped([WINTER], [choose_item(who), discard_item(who)], place=place),
    ]


LUNATIC_EXTRA_CHARACTERS: tuple[Character, ...] = (
    Character(
        id="flandre_scarlet", name="Flandre Scarlet", called="Flandre", season=SUMMER,
        text="Who loses life to your attack keeps the powerups, but you may make that player discard an item of your choice.",
        modifiers={SPARES_POWERUPS: 1},
        triggers=(
            trigger(
                DAMAGED, BY_MY_ATTACK, [discard_item(ATTACKED_ONE)],
                announce=[choose_item(ATTACKED_ONE, optional=True), only_if(HAS_PICK)]),),
        spell_name="Laevateinn",
        spell=spell_action(
            [choose_player(OTHERS)], [attack_each(CHOSEN_AND_NEXT, any_range=True)], cancelable=False,
            text="Attack a player at any range and both who sit next to that player; this cannot be cancelled.")),
    Character(
        id="fujiwara_no_mokou", name="Fujiwara no Mokou", season=SUMMER,
        text="When an attack hits you, you may flip: spring or summer, and it costs you no life.",
        triggers=(trigger(HIT, MINE, [may([flip(), if_flipped([SPRING, SUMMER], [prevent_it()])])]),),
        spell_name="Fire Bird -Soaring Phoenix Wings-",
        spell=spell_action(
            [choose_player(IN_RANGE)],
            [if_(AT_MAX_LIFE, [attack()], [if_(ABOVE_ONE_LIFE, [repeat(2, [attack()])], [repeat(3, [attack()])])])],
            text="Attack a player in range: once at max life, twice above 1 life, else three times.")),
    Character(
        id="futatsuiwa_mamizou", name="Futatsuiwa Mamizou", called="Mamizou", season=AUTUMN,
        text="At the start of the game and of your turns, without such a companion: may discard a card to recruit one, with ability and "
             "Spell Card. You may dismiss it to avoid an attack on you.",
        triggers=(
            trigger(GAME_START, MINE, [recruit(ITS_ALL)], announce=_FOR_A_CARD),
            trigger(TURN_START, MINE, [recruit(ITS_ALL)], announce=[only_if(EXTRA_MISSING), *_FOR_A_CARD])),
        abilities=(ability((ATTACKED,), MINE_AVOIDABLE, [dismiss_own()], [avoid_it()]),),
        spell_name="Scrolls of Frolicking Animals",
        spell=spell_action(
            [choose_player(IN_RANGE, if_any=True)], [draw(1), choose_extra(optional=True), replace_extra(), attack()],
            text="Draw 1; you may replace an Extra Character of yours, whatever granted it, by a new one; attack a player in range.")),
    Character(
        id="hata_no_kokoro", name="Hata no Kokoro", season=WINTER,
        text="When a danmaku or invocation card of yours has been carried out you may hand it to another player.",
        triggers=(
            trigger(
                CARD_DONE, OWN_PLAY, [keep_card(CHOSEN)], tags=DANMAKU | INVOCATION,
                announce=[choose_player(OTHERS, optional=True), only_if(HAS_CHOSEN)]),),
        spell_name="Four Humors Possession",
        spell=spell_action(
            [],
            [flip(), remember_flip(1), *_possess(choose_player),
             flip(), remember_flip(2), *_possess(choose_second, distinct=False),
             flip(), remember_flip(3), *_possess(choose_third),
             *_humor(1, CHOSEN), *_humor(2, SECOND), *_humor(3, THIRD)],
            text="Flip 3 cards and name a player for each, then in turn: spring, that player draws 1; summer, you attack in range; autumn, "
                 "that player discards a card; winter, that player discards an item of your choice.")),
    Character(
        id="hecatia_lapislazuli", name="Hecatia Lapislazuli", called="Hecatia", season=AUTUMN,
        text="At max life two danmaku cards more per round, otherwise above 1 life +2 range, otherwise +2 distance.",
        circumstances={AT_FULL_LIFE: {DANMAKU_LIMIT: 2}, WOUNDED: {RANGE: 2}, AT_LAST_LIFE: {DISTANCE: 2}},
        spell_name="Trinitarian Rhapsody",
        spell=spell_action(
            [choose_options(3, 5),
             if_(OPTION_2, [choose_player(OTHERS)]),
             if_(OPTION_5, [choose_second(IN_RANGE, distinct=False)])],
            [if_(OPTION_1, [draw(1)]),
             if_(OPTION_2, [draw(1, CHOSEN)]),
             if_(OPTION_3, [if_(HAND_LEFT, [*pay(), gain_life(ME)])]),
             if_(OPTION_4, [resolve_incident()]),
             if_(OPTION_5, [attack(SECOND)])],
            text="Three of: draw 1; another player draws 1; discard a card to regain 1 life; resolve the incident; attack in range.")),
    Character(
        id="horikawa_raiko", name="Horikawa Raiko", season=SUMMER,
        text="On your turn you may discard cards worth 3 points to activate your Spell Card. Spell Cards you activate with an invocation "
             "card cannot be cancelled.",
        modifiers={SURE_INVOCATIONS: 1},
        source=spell_source([pay_points(3)], relation=MY_TURN, text="Discard cards worth 3 points to activate your Spell Card."),
        spell_name="Pristine Beat",
        spell=spell_action(
            [OPTIONAL_TARGET], [count_rounds(), attack(damage=AMOUNT)],
            text="You may attack a player in range; damage is the number of rounds in a row in which you have done this.")),
    Character(
        id="hoshiguma_yuugi", name="Hoshiguma Yuugi", season=WINTER,
        text="Losing life never costs you a powerup. You may give up avoiding an attack to attack the attacker at any range, "
             "unavoidably if in range.",
        modifiers={KEEPS_POWERUPS: 1},
        abilities=(
            ability((AVOIDING,), MINE, [], [
                give_up_it(),
                may([if_(ATTACKER_IN_RANGE,
                         [attack(ATTACKER, any_range=True, unavoidable=True)],
                         [attack(ATTACKER, any_range=True)])])]),),
        spell_name="Hell's Wheel of Pain",
        spell=spell_reaction(
            (ATTACKED, LIFE_GONE), MINE, [OPTIONAL_TARGET], [draw(1), gain_life(ME), attack()],
            text="When you are attacked or lose life: draw 1, regain 1 life, and you may attack a player in range.")),
    Character(
        id="houjuu_nue", name="Houjuu Nue", called="Nue", season=AUTUMN,
        text="At the start of the game you recruit two Extra Characters for their abilities, and two others in their place at the end of "
             "every turn in which an attack has taken life of you.",
        triggers=(
            trigger(GAME_START, MINE, [recruit(ITS_ABILITY), recruit(ITS_ABILITY)]),
            trigger(TURN_END, ALWAYS, [if_(HURT_THIS_TURN, [dismiss_own(), recruit(ITS_ABILITY), recruit(ITS_ABILITY)])])),
        spell_name="Danmaku Chimera", capturable=False,
        spell=spell_action(
            [choose_player(IN_RANGE, optional=True)],
            [recruit(ITS_ABILITY), recruit(ITS_ABILITY), choose_extra(own=True), dismiss(), choose_extra(own=True), dismiss(), attack()],
            text="Recruit two more Extra Characters, then dismiss two of those you have from this; you may attack a player in range.")),
    Character(
        id="houraisan_kaguya", name="Houraisan Kaguya", season=WINTER,
        text="At the start of your turn flip: autumn or winter regains 1 life.",
        triggers=(trigger(TURN_START, MINE, [flip(), if_flipped([AUTUMN, WINTER], [gain_life(ME)])]),),
        spell_name="End of Imperishable Night -Dawn-",
        spell=spell_action(
            [OPTIONAL_TARGET], [attack(), may([discard_hand(), extra_turn()])],
            text="You may attack a player in range; then you may discard your hand for an extra turn, which no other follows.")),
    Character(
        id="junko", name="Junko", season=WINTER,
        text="Cards of your hand are worth 1 point more. One danmaku card more per round.",
        modifiers={CARD_POINTS: 1, DANMAKU_LIMIT: 1},
        spell_name="Refinement of Earthen Impurity",
        spell=spell_action(
            [OPTIONAL_TARGET], [reveal(5), take_worth(5), discard_aside(), attack()],
            text="Reveal 5 cards and take some worth 5 points or less together; you may attack a player in range.")),
    Character(
        id="kaenbyou_rin", name="Kaenbyou Rin", season=SPRING,
        text="In your draw step you may draw one card less to take one of the top 3 discards or of the cards incidents have collected. "
             "When another player is defeated you may draw 2. When you activate your own Spell Card you may attack a player in range.",
        triggers=(
            trigger(
                DRAW_STEP, MINE, [if_(DRAWS_LEFT, [add_draws(-1), take()])],
                announce=[choose_discard(3, optional=True), if_(HAS_PICK, [], [choose_collected(optional=True), only_if(HAS_PICK)])]),
            trigger(DEFEATED, ALWAYS, [may([draw(2)])]),
            trigger(SPELL_ACTIVATED, OWN_SPELL, [attack()], announce=[OPTIONAL_TARGET, only_if(HAS_CHOSEN)])),
        spell_name="Vengeful Cannibal Spirit", capturable=False,
        spell=Text(
            events=ANY_PRIORITY, types=SPELL, cancelable=False, announce=[choose_player(FALLEN_OWNERS)], resolve=[activate(CHOSEN)],
            text="Activate the Spell Card of a defeated player as your own and in its own timing.")),
    Character(
        id="kijin_seija", name="Kijin Seija", season=SPRING,
        text="Any number of defense cards and artifacts in play. At the start of the game you may search a deck for an artifact and put "
             "it into play.",
        modifiers={NO_ITEM_LIMITS: 1},
        triggers=(trigger(GAME_START, MINE, [search_item(ARTIFACT)], announce=[choose_search()]),),
        spell_name="Reverse Hierarchy",
        spell=spell_action(
            [choose_player(IN_RANGE_BUT_HERS)], [attack(damage=ITEM_POINTS)],
            text="Attack a player in range with damage of the most points of an item there, at least 1; never who has this Spell Card.")),
    Character(
        id="komeiji_koishi", name="Komeiji Koishi", called="Koishi", season=SPRING,
        text="At the start of anybody's turn you may name another player's character, defeated or not: you have that ability until you "
             "name another. Not one that recruits.",
        triggers=(trigger(TURN_START, ALWAYS, [name_ability()], announce=[choose_ability()]),),
        spell_name="Danmaku Paranoia",
        spell=spell_action(
            [choose_player(OTHERS), choose_second(IN_RANGE, optional=True, distinct=False)],
            [lasting(ABILITIES_OFF, CHOSEN), attack(SECOND)],
            text="Another player has no abilities until your next turn; you may attack a player in range.")),
    Character(
        id="kumoi_ichirin", name="Kumoi Ichirin", season=AUTUMN,
        text="Whom your attack hits draws one card less for the life lost.",
        modifiers={HITS_DRAW_LESS: 1},
        spell_name="Indisputable Youkai Punch",
        spell=spell_reaction(
            (DREW,), SOMEBODY_ELSES, [], [repeat(2, [attack(ITS_OWNER, any_range=True)])],
            text="When another player draws: attack that player twice at any range.")),
    Character(
        id="moriya_suwako", name="Moriya Suwako", season=SPRING,
        text="+1 distance. Once per turn you may discard the cards you drew and draw as many again. When you flip you may flip two and "
             "choose which counts.",
        modifiers={DISTANCE: 1, FLIPS_TWICE: 1},
        triggers=(trigger(DRAWING, MINE, [may([draw_again()])], once=ONCE_PER_TURN),),
        spell_name="The Snake Eats the Croaking Frog",
        spell=spell_reaction(
            (RESPONSE,), ANOTHERS_PLAY, [OPTIONAL_TARGET], [keep_card(ME), attack()], tags=ACTION | REACTION,
            text="When somebody else has played an action or reaction card, it goes to your hand; you may attack a player in range.")),
    Character(
        id="nagae_iku", name="Nagae Iku", season=SPRING,
        text="Once per turn you may discard a card of the same season to cancel an action card of somebody else.",
        abilities=(ability((CANCEL,), OTHERS_PLAYED, [pay_season()], [cancel_it()], once=ONCE_PER_TURN, tags=ACTION),),
        spell_name="Raiment Like the Sky",
        spell=spell_action(
            [choose_seasons(2), OPTIONAL_TARGET], [gather_seasons(), discard_aside(), attack()],
            text="Name two seasons and flip cards until both have shown; take the first of each. You may attack a player in range.")),
    Character(
        id="onozuka_komachi", name="Onozuka Komachi", season=AUTUMN,
        text="Base max hand size 7 on others' turns. You may skip your turn; whenever you skip one you may take 3 of the top 7 discards.",
        modifiers={HAND_BASE_AWAY: 7},
        triggers=(
            trigger(SKIP_CHECK, MINE, [may([skip_this_turn()])]),
            trigger(SKIPPED, MINE, [may([
                choose_discard(7), take(), choose_discard(6), take(), choose_discard(5), take()])])),
        spell_name="Scythe of Final Judgment",
        spell=spell_reaction(
            (AVOIDING,), ALWAYS, [], [give_up_it(), attack(ATTACKED_ONE, any_range=True)],
            text="When somebody would avoid an attack: that is not avoided, and you attack that player at any range.")),
    Character(
        id="saigyouji_yuyuko", name="Saigyouji Yuyuko", season=WINTER,
        text="Players at 1 life are in range, and cannot avoid your attacks.",
        modifiers={PREYS_ON_LAST_LIFE: 1},
        spell_name="Eternal Sleep in Dreamland",
        spell=spell_action(
            [], [Each(OTHERS, [if_(EACH_ABOVE_ONE, [lose_life(EACH, 1)])])],
            text="Everybody else above 1 life loses 1 life.")),
    Character(
        id="shiki_eiki", name="Shiki Eiki, Yamaxanadu", called="Eiki", season=SPRING,
        text="At any time you may reveal your role; while it is revealed you draw one card more in your draw step.",
        circumstances={ROLE_OPEN: {DRAWS: 1}},
        abilities=(ability(AT_ANY_TIME, ROLE_HIDDEN, [], [reveal_my_role()]),),
        spell_name="Guilty or Not Guilty",
        spell=spell_action(
            [hold_card(), choose_player(OTHERS), choose_options(1, 2)],
            [show_card(CHOSEN),
             if_(IN_ROLE_SEASON, [if_(OPTION_1, [lose_life(CHOSEN, 1)], [gain_life(CHOSEN)])])],
            text="Call another player black (1) or white (2) and show them a card: if it has the season of their role, "
                 "black loses and white regains 1 life.")),
    Character(
        id="tatara_kogasa", name="Tatara Kogasa", season=SPRING,
        text="Once per turn, after a spring card was discarded, you may flip: an action card may be played at once, uncounted.",
        triggers=(trigger(SPRING_GONE, ALWAYS, [may([flip_and_play()])], once=OFFERED_ONCE_PER_TURN),),
        spell_name="Guerrilla Typhoon",
        spell=spell_reaction(
            (RESPONSE,), ANOTHERS_PLAY, [], [attack(ITS_PLAYER, any_range=True, unavoidable=True)], tags=ACTION, cancelable=False,
            text="When somebody else has played an action card, attack that player at any range; nothing stops it.")),
    Character(
        id="toramaru_shou", name="Toramaru Shou", season=SUMMER,
        text="Losing life never costs you a powerup. When you gain an item you may draw 1.",
        modifiers={KEEPS_POWERUPS: 1},
        triggers=(trigger(GAINED_ITEM, MINE, [may([draw(1)])]),),
        spell_name="Radiant Treasure Gun",
        spell=spell_action(
            [choose_player(IN_RANGE), choose_item(ME, optional=True)], [spend_item(), attack(damage=AMOUNT)],
            text="Attack a player in range with damage 1, or the points of an item of yours that you discard for it.")),
    Character(
        id="usami_sumireko", name="Usami Sumireko", season=SUMMER,
        text="Before you draw a card you may name a season: if it has that season you may show it to draw one more of the Main deck.",
        modifiers={CALLS_SEASONS: 1},
        spell_name="Psychexplosion",
        spell=spell_action(
            [choose_player(IN_RANGE)], [show_hand(CHOSEN), repeat(BY_POINTS_SHOWN, [attack()])],
            text="A player in range shows the hand and is attacked once, twice with a card of 3 points, or three times with one of 5.")),
    Character(
        id="yakumo_ran", name="Yakumo Ran", called="Ran", season=AUTUMN,
        text="At the start of the game you recruit an Extra Character for its Spell Card. When you activate that, you may activate your "
             "own too, whatever its timing.",
        triggers=(
            trigger(GAME_START, MINE, [recruit(ITS_SPELL)]),
            trigger(SPELL_ACTIVATED, OWN_EXTRA_SPELL, [may([activate_printed()])])),
        spell_name="Banquet of Twelve Heavenly Generals",
        spell=spell_action(
            [choose_options(1, 3), if_(OPTION_1, [choose_player(OTHERS)])],
            [if_(OPTION_1, [attack(any_range=True)]),
             if_(OPTION_2, [if_(HAND_LEFT, [*pay(), gain_life(ME)])]),
             if_(OPTION_3, [draw(2)])],
            text="Attack a player at any range; or discard a card to regain 1 life; or draw 2.")),
    Character(
        id="yasaka_kanako", name="Yasaka Kanako", season=AUTUMN,
        text="+1 range. Once per round, at any time, you may look at the top card of a deck and leave it or put it underneath.",
        modifiers={RANGE: 1},
        abilities=(
            ability(AT_ANY_TIME, ALWAYS, [choose_deck()], [look(1, chosen_deck=True), arrange()], once=ONCE_PER_ROUND, types=INSTANT),),
        spell_name="Omiwatari Walked by the Kami",
        spell=spell_action(
            [choose_deck(), OPTIONAL_TARGET], [resolve_incident(), look(3, chosen_deck=True), arrange(), attack()],
            text="Resolve the incident, look at the top 3 of a deck and put them on its top or bottom; you may attack a player in range.")),
)  # fmt: skip
