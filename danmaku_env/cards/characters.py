"""The 24 characters of the base game, in box order: an ability and a Spell Card each."""

from danmaku_env.cards.vocabulary import *

OPTIONAL_TARGET = choose_player(IN_RANGE, optional=True)

CHARACTERS = (
    Character(
        id="alice_margatroid", name="Alice Margatroid", called="Alice", season=AUTUMN,
        text="Losing life never costs you a powerup. On your turn you may discard an item of yours to activate your Spell Card.",
        modifiers={KEEPS_POWERUPS: 1},
        source=spell_source([pay_item()], relation=MY_TURN, text="Discard an item you have in play to activate your Spell Card."),
        spell_name="Artful Sacrifice",
        spell=spell_action(
            [OPTIONAL_TARGET], [reveal_until(ITEM), put_in_play(), discard_aside(), attack()],
            text="Reveal cards until an item shows up and put it into play; you may attack a player in range.")),
    Character(
        id="cirno", name="Cirno", season=WINTER,
        text="+2 range. With two others left, players at distance 1 are out of range for you, but you may count the long way round.",
        modifiers={RANGE: 2, LONG_WAY_ROUND: 1},
        spell_name="Perfect Freeze",
        spell=spell_action(
            [choose_player(IN_RANGE)], [attack(), skip_next_turn()],
            text="Attack a player in range; hit or not, that player skips the next turn.")),
    Character(
        id="hakurei_reimu", name="Hakurei Reimu", season=SPRING,
        text="Dodge cards against your attacks cost a further discarded card.",
        modifiers={DODGE_SURCHARGE: 1},
        spell_name="Fantasy Seal",
        spell=spell_action(
            [choose_type(DANMAKU | DODGE | INVOCATION | ITEM), OPTIONAL_TARGET], [lasting(BAN_TYPE, ME, AMOUNT), attack()],
            text="Name danmaku, dodge, invocation or item: until your next turn nobody plays such cards; you may attack in range.")),
    Character(
        id="hijiri_byakuren", name="Hijiri Byakuren", season=SPRING,
        text="Whenever another player attacks, you may discard a danmaku card to attack the attacker at any range.",
        triggers=(
            trigger(ATTACK_DECLARED, BY_ANOTHER, [attack(ATTACKER, any_range=True)], announce=[discard_or(ME, DANMAKU, [decline()])]),),
        spell_name="Hijiri Byakuren",
        spell=spell_action(
            [choose_player(IN_RANGE, bonus=5, optional=True)], [lasting(LASTING_RANGE, ME, 5), lasting(LASTING_DISTANCE, ME, 5), attack()],
            text="+5 range and +5 distance until your next turn; you may attack a player in range.")),
    Character(
        id="hinanawi_tenshi", name="Hinanawi Tenshi", season=SUMMER,
        text="Whenever you lose life you may draw one card more.",
        triggers=(trigger(LOSS_DRAW, MINE, [may([draw_more(1)])]),),
        spell_name="Sword of Swagger",
        spell=spell_action(
            [choose_player(OTHERS)],
            [gain_life(ME),
             forever([
                 discard_or(CHOSEN, DANMAKU, [lose_life(CHOSEN, 1), stop()]),
                 discard_or(ME, DANMAKU, [lose_life(ME, 1), stop()])])],
            text="Regain 1 life; you and a player of your choice take turns discarding danmaku cards; the first to stop loses 1 life.")),
    Character(
        id="hong_meiling", name="Hong Meiling", season=SUMMER,
        text="Base max hand size 7 on others' turns. You may skip your turn; whenever you skip one you may draw 4.",
        modifiers={HAND_BASE_AWAY: 7},
        triggers=(
            trigger(SKIP_CHECK, MINE, [may([skip_this_turn()])]),
            trigger(SKIPPED, MINE, [may([draw(4)])])),
        spell_name="Extreme Color Typhoon",
        spell=spell_reaction(
            (ATTACKED,), BY_ANOTHER, [], [draw(2), attack(ATTACKER, any_range=True)],
            text="When another player attacks: draw 2 and attack the attacker at any range.")),
    Character(
        id="ibuki_suika", name="Ibuki Suika", season=SUMMER,
        text="+1 range and one danmaku card more per round.",
        modifiers={RANGE: 1, DANMAKU_LIMIT: 1},
        spell_name="Gathering and Dissipating",
        spell=spell_action(
            [choose_number(1, 5), choose_player(AT_NUMBER, optional=True)], [lasting(SET_DISTANCE, ME, AMOUNT), attack()],
            text="Name 1 to 5: until your next turn that is the distance between any two players; you may attack a player in range.")),
    Character(
        id="izayoi_sakuya", name="Izayoi Sakuya", season=WINTER,
        text="Two danmaku cards more per round.",
        modifiers={DANMAKU_LIMIT: 2},
        spell_name="The World",
        spell=spell_reaction(
            (ATTACKED,), ALWAYS, [], [avoid_it(), attack(ATTACKER, any_range=True), ban_actions()],
            text="When anybody is attacked: that is avoided, you attack the attacker at any range, and no more action cards this turn.")),
    Character(
        id="kamishirasawa_keine", name="Kamishirasawa Keine", season=WINTER,
        text="One card more in your draw step; then put a hand card on the top or bottom of the Main deck.",
        modifiers={DRAWS: 1},
        triggers=(trigger(DREW_STEP, MINE, [choose_card(to_deck=True), if_(HAS_PICK, [choose_end(), hand_to_deck()])]),),
        spell_name="Phantasmal Emperor",
        spell=spell_reaction(
            (CANCEL,), OTHERS_CARD, [OPTIONAL_TARGET], [cancel_it(), attack()], tags=ACTION,
            text="Cancel an action card or action Spell Card of somebody else; you may attack a player in range.")),
    Character(
        id="kawashiro_nitori", name="Kawashiro Nitori", season=AUTUMN,
        text="+1 distance. In your main step you may discard items of yours to draw 1 each.",
        modifiers={DISTANCE: 1},
        abilities=(ability((MAIN,), MY_TURN, [pay_item()], [draw(1)]),),
        spell_name="Kappa's Flash Flood",
        spell=spell_action(
            [choose_player(OTHERS), choose_second(THE_CHOSEN, optional=True, distinct=False)], [lasting(ITEMS_OFF, CHOSEN), attack(SECOND)],
            text="Items of a player have no effect until your next turn; you may attack that player if in range.")),
    Character(
        id="kazami_yuuka", name="Kazami Yuuka", season=SPRING,
        text="When you damage another player you may draw 1.",
        triggers=(trigger(DAMAGED, BY_ME, [may([draw(1)])]),),
        spell_name="The Reflowering of Gensokyo",
        spell=spell_action([], [attack_each(OTHERS, any_range=True)], text="Attack everybody else, whatever the range.")),
    Character(
        id="kirisame_marisa", name="Kirisame Marisa", season=SUMMER,
        text="In your draw step you may draw one card less to take control of an item in play.",
        triggers=(
            trigger(
                DRAW_STEP, MINE, [if_(DRAWS_LEFT, [add_draws(-1), take_control()])],
                announce=[choose_player(WITH_ITEMS, optional=True), only_if(HAS_CHOSEN), choose_item(CHOSEN)]),),
        spell_name="Master Spark",
        spell=spell_action(
            [choose_player(IN_RANGE)], [attack(damage=1 + MY_POWERUPS)],
            text="Attack a player in range; damage 1 plus your powerups in play.")),
    Character(
        id="kochiya_sanae", name="Kochiya Sanae", season=AUTUMN,
        text="When you play a danmaku card you may look at the top card of the Main deck and leave, discard or give it away.",
        triggers=(
            trigger(PLAYED, OWN_DANMAKU, [
                may([
                    look(1),
                    may([discard_aside()], [
                        choose_player(OTHERS, optional=True),
                        if_(HAS_CHOSEN, [give_aside(CHOSEN)], [aside_to_deck()])])])]),),
        spell_name="Miracle Fruit",
        spell=spell_action(
            [choose_player(IN_RANGE)], [show_hand(CHOSEN), repeat(DANMAKU_SHOWN, [attack()])],
            text="A player in range shows the hand to all and is attacked once per danmaku card in it, at least once.")),
    Character(
        id="komeiji_satori", name="Komeiji Satori", season=WINTER,
        text="When attacked you may flip once: winter avoids it. Once per round, at any time on your turn, you may look at a hand.",
        abilities=(
            ability((ATTACKED,), MINE_AVOIDABLE, [], [flip(), if_flipped([WINTER], [avoid_it()])], once=ONCE_PER_ATTACK),
            ability(AT_ANY_TIME, MY_TURN, [choose_player(OTHERS)], [look_at_hand(CHOSEN)], once=ONCE_PER_ROUND)),
        spell_name="Terrifying Hypnotism", capturable=False,
        spell=Text(
            events=ANY_PRIORITY, types=SPELL, cancelable=False, announce=[choose_player(SPELL_OWNERS)], resolve=[activate(CHOSEN)],
            text="Activate the Spell Card of another player, defeated or not, as your own and in its own timing.")),
    Character(
        id="konpaku_youmu", name="Konpaku Youmu", season=SPRING,
        text="When you play a danmaku card you may also attack a player in range whom it does not attack.",
        triggers=(
            trigger(PLAYED, OWN_DANMAKU, [attack()], announce=[choose_player(UNTARGETED, optional=True), only_if(HAS_CHOSEN)]),),
        spell_name="200 Yojana in One Slash",
        spell=spell_action(
            [choose_player(OTHERS, if_any=True), choose_second(OTHERS, optional=True)], [lasting(ALL_IN_RANGE), attack_each(THE_PAIR)],
            text="Everybody is in range for you until your next turn; attack one or two players.")),
    Character(
        id="mononobe_no_futo", name="Mononobe no Futo", season=WINTER,
        text="Losing life never costs you a powerup. When attacked you may discard an item of yours to avoid it.",
        modifiers={KEEPS_POWERUPS: 1},
        abilities=(ability((ATTACKED,), MINE_AVOIDABLE, [pay_item()], [avoid_it()], once=ONCE_PER_ATTACK),),
        spell_name="Oomonoimi's Dinner",
        spell=spell_action(
            [if_(TWO_OTHERS, [choose_player(OTHERS, optional=True), if_(HAS_CHOSEN, [choose_second(OTHERS)])]),
             choose_third(IN_RANGE, optional=True)],
            [swap_hands(CHOSEN, SECOND), attack(THIRD)],
            text="Two other players may have to exchange hands; you may attack a player in range.")),
    Character(
        id="patchouli_knowledge", name="Patchouli Knowledge", called="Patchouli", season=WINTER,
        text="Base max hand size and starting hand 7; with Lunatic Extra three cards more to start with.",
        modifiers={HAND_BASE: 7, START_CARDS: 3},
        spell_name="Philosopher's Stone",
        spell=spell_action([OPTIONAL_TARGET], [draw(2), attack()], text="Draw 2; you may attack a player in range.")),
    Character(
        id="reisen_udongein_inaba", name="Reisen Udongein Inaba", called="Reisen", season=AUTUMN,
        text="Once per card, when your attack is avoided you may attack a player in range other than the avoider.",
        triggers=(
            trigger(
                AVOIDED, BY_ME, [attack()], once=ONCE_PER_ATTACK,
                announce=[choose_player(NOT_AVOIDER, optional=True), only_if(HAS_CHOSEN)]),),
        spell_name="Lunatic Red Eyes",
        spell=spell_reaction(
            (CANCEL,), OTHERS_CARD, [], [cancel_it(), if_(CAN_COPY, [may([copy_it()])])], tags=DANMAKU | SPELL,
            text="Cancel a danmaku card or Spell Card of somebody else; you may carry out a copy of it.")),
    Character(
        id="reiuji_utsuho", name="Reiuji Utsuho", season=SUMMER,
        text="On your turn you may discard 2 cards to activate your Spell Card.",
        source=spell_source(pay(cards=2), relation=MY_TURN, text="Discard 2 cards to activate your Spell Card."),
        spell_name="Nuclear Excursion",
        spell=spell_action(
            [choose_player(IN_RANGE)], [repeat(3, [attack()]), lose_life(ME, 1)],
            text="Attack a player in range three times, then lose 1 life.")),
    Character(
        id="remilia_scarlet", name="Remilia Scarlet", called="Remilia", season=AUTUMN,
        text="When you avoid an attack you may draw 1.",
        triggers=(trigger(AVOIDED, MINE, [may([draw(1)])]),),
        spell_name="Spear the Gungnir",
        spell=spell_action(
            [choose_player(OTHERS)], [attack(any_range=True, unavoidable=True)], cancelable=False,
            text="Attack anybody at any range; neither this nor the attack can be stopped.")),
    Character(
        id="shameimaru_aya", name="Shameimaru Aya", season=AUTUMN,
        text="Once per turn you may discard a danmaku card to cancel a danmaku card.",
        abilities=(ability((CANCEL,), ANYONES_CARD, pay(DANMAKU), [cancel_it()], once=ONCE_PER_TURN, tags=DANMAKU),),
        spell_name="Wind God Girl",
        spell=spell_action(
            [OPTIONAL_TARGET], [reveal(5), take_all(DANMAKU), discard_aside(), attack()],
            text="Reveal 5 cards and take the danmaku cards; you may attack a player in range.")),
    Character(
        id="toyosatomimi_no_miko", name="Toyosatomimi no Miko", season=SUMMER,
        text="In your main step you may hand any cards to another player. With an empty hand you may activate your Spell Card at once.",
        abilities=(
            ability((MAIN,), MY_TURN, [choose_player(OTHERS), choose_card()], [
                give(),
                While(HAND_LEFT, [choose_card(optional=True), if_(HAS_PICK, [give()], [stop()])])]),),
        source=spell_source([], relation=EMPTY_HAND, text="With an empty hand, activate your Spell Card at any time."),
        spell_name="Armillary Sphere of Ikaruga-dera",
        spell=spell_action(
            [choose_player(EVERYONE), choose_second(IN_RANGE, optional=True, distinct=False)],
            [discard_hand(CHOSEN), draw(3, CHOSEN), attack(SECOND)],
            text="A player discards the hand and draws 3; you may attack a player in range.")),
    Character(
        id="yagokoro_eirin", name="Yagokoro Eirin", season=SPRING,
        text="You may play reaction, item and healing cards on behalf of other players.",
        modifiers={ON_BEHALF: 1},
        spell_name="Hourai Elixir",
        spell=spell_action(
            [choose_player(OTHERS_HURT, optional=True), choose_second(IN_RANGE, optional=True, distinct=False)],
            [gain_life(ME), gain_life(CHOSEN), attack(SECOND)],
            text="Regain 1 life; you may let another player regain 1, and you may attack a player in range.")),
    Character(
        id="yakumo_yukari", name="Yakumo Yukari", season=SPRING,
        text="When you avoid an attack you may attack a player in range.",
        triggers=(trigger(AVOIDED, MINE, [attack()], announce=[OPTIONAL_TARGET, only_if(HAS_CHOSEN)], resolves_last=True),),
        spell_name="Yakumo Yukari's Spiriting Away",
        spell=spell_action(
            [choose_player(OTHERS), choose_second(THE_CHOSEN, optional=True, distinct=False)],
            [if_(HAS_HAND, [may([look_at_hand(CHOSEN)])]),
             if_(HAS_ITEMS, [
                 if_(HAS_HAND, [
                     may([choose_item(CHOSEN), take_control()], [choose_from_hand(CHOSEN), take()])],
                     [choose_item(CHOSEN), take_control()])],
                 [if_(HAS_HAND, [choose_from_hand(CHOSEN), take()])]),
             attack(SECOND)],
            text="You may look at a player's hand, then take a hand card or an item; you may attack that player if in range.")),
)  # fmt: skip
