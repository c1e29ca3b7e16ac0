"""Slips that no rule of the game could notice, with the reason.

A slip is excused only when no test notices it: one that is listed here and noticed all the same counts as noticed.
"""

import re

AGAIN = "done again, it finds nothing left to do"
ONE_SPELL_CARD = "there is one Spell Card a round"
OWN_TIMING = "what it activates has a timing of its own, which is not that window"
NOT_ONESELF = "nobody attacks themselves (A-16), so that others and everybody are the same"
OWN_STEP = "in this step you are the current player"
ONE_SEASON = "a flip shows one season, so that only one of the two happens"
JUST_CHOSEN = "the player was in range a moment before, when chosen, and nothing happens in between"
NO_NUMBER = "such an effect has no number"
NO_ATTACK = "there is no attack that the use could belong to"

# (whose, what, why): regular expressions for the id and for the words of a slip
EQUIVALENT = (
    (r".*", r"(cancel_it|avoid_it|revive|end|show_hand|look_at_hand|ban_actions|skip_next_turn|skip_this_turn|resolve_incident"
            r"|skip_incident_step)"
            r"\([^()]*\) twice$", AGAIN),
    (r".*", r"(take|take_all|take_control|put_in_play|give|give_aside|discard_item|discard_items|discard_hand|discard_aside|collect_aside"
            r"|hand_to_deck|aside_to_deck|swap_with_heroine)\([^()]*\) twice$", AGAIN),
    (r".*", r"activate\([^()]*\) twice$", ONE_SPELL_CARD),
    (r".*", r"while \d+ twice$", "the loop is left when nothing is left, or by an end of the effect"),
    (r".*", r"last\([2345], [^()]*\) twice$", "the same effect twice is the same effect"),
    (r".*", r"last\(3\) twice$", "the same effect twice is the same effect"),
    (r".*", r"last\([34][^()]*\) -> last\([34], \d, 1\)$", NO_NUMBER),
    (r".*", r"each 1 -> group 0$", NOT_ONESELF),
    (r".*", r"^step: .*(\w+\()5(.*) -> \1(0\2|\))", OWN_STEP),
    (r"lily_white|scarlet_weather_rhapsody", r"if 0 after if 0$", ONE_SEASON),
    (r"komeiji_satori|supernatural_border|lily_white|five_impossible_requests", r"if \d+ twice$", AGAIN),
    (r"worldly_desires|rekindle_blazing_hell", r"(each 0|draw\(\d, count 3 \+ 0\)) twice$", AGAIN),
    (r"tempest|party|kochiya_sanae", r"(each 0|if 1) twice$", AGAIN),
    (r"alice_margatroid|reiuji_utsuho", r"^source: (not at (?!main)|relation 7 -> 0)", OWN_TIMING),
    (r"mini_hakkero", r"^use: not at (response window|rescue|step boundary)$", OWN_TIMING),
    (r".*", r"announce: (in if \d+: |in \w+\([^()]*\): )?(decline\(\)|if \d+) twice$", AGAIN),
    (r"reisen_udongein_inaba|hata_no_kokoro|kaenbyou_rin",
     r"^trigger( 3)?: announce: (if 1 dropped|if 1: always|in if 1: decline\(\) (dropped|-> end\(\)))$",
     "without a target the text does nothing, and no other of hers waits with it"),
    (r"konpaku_youmu|reisen_udongein_inaba|yakumo_yukari", r"^trigger: resolve: attack\(1, 1\) -> attack\(1, 1, 1\)$", JUST_CHOSEN),
    (r"konpaku_youmu", r"in each 13: attack\(3, 1\) -> attack\(3, 1, 1\)$", "by then everybody is in range"),
    (r"kawashiro_nitori|toyosatomimi_no_miko", r"^ability: once 0 -> 3$", NO_ATTACK),
    (r"mononobe_no_futo", r"^ability: once 0 -> 3$", "an attack that was avoided is not avoided again (A-15)"),
    (r"komeiji_satori", r"^ability 2: not at response window$", "such a window opens on Youmu's turn only, when an attack of hers is over"),
    (r"komeiji_satori", r"^ability 2: once 2 -> 1$", "she looks on her own turn only, which comes once a round"),
    (r"kazami_yuuka|kochiya_sanae|reisen_udongein_inaba", r"(may\(\) -> may\(4\)|draw\(0, 1\) -> draw\(4, 1\))$",
     "she is the one who attacks, or who plays the card"),
    (r"kirisame_marisa", r"add_draws\(-1\)( after |$)", "the cards are drawn when all of it is over"),
    (r"kochiya_sanae", r"discard_aside\(\) dropped$", "what lies aside at the end of an effect is discarded (K-8)"),
    (r"hong_meiling|true_phantom_boss", r"^trigger 1 after 2$", "they answer different events"),
    (r"izayoi_sakuya", r"(avoid_it\(\)|attack\(4, 1, 1\)) after ", "the attacks below and the ban wait until hers is over"),
    (r"kamishirasawa_keine|reisen_udongein_inaba", r"cancel_it\(\) after ", "the card cancelled waits below, whatever happens above it"),
    (r"kamishirasawa_keine", r"tags 1 -> 17$", "every danmaku card is an action card"),
    (r"hakurei_reimu", r"choose_type\(60\) -> choose_type\(124\)$", "no answer names that type"),
    (r"hijiri_byakuren", r"last\(0, 0, 5\) after last\(1, 0, 5\)$", "both begin in the same moment"),
    (r"yagokoro_eirin", r"gain_life\(0, 1\) after gain_life\(1, 1\)$", "both happen in the same moment"),
    (r"yakumo_yukari", r"if 8: always$", "from an empty hand nothing is taken"),
    (r"one_up", r"revive\(1\) -> gain_life\(1, 1\)$", "from 0, one life more is 1 life"),
    (r"one_up", r"^mode 2: also at main step$", "nobody is at 0 life in a main step with nothing pending (A-7)"),
    (r"party", r"each 0 after draw\(0, 1\)$", "the card drawn lies below those dealt out"),
    (r"undefined_fantastic_object", r"take\(\) after collect_aside\(\)$", "the card picked is not among those collected"),
    (r"crisis_of_faith|crossing_to_higan|endless_party|lily_white", r"^collects_types 0 -> ", "it needs no cards, so it collects none"),
    (r"crisis_of_faith", r"^(collects_season|resolves_on)", "it is over as soon as it has entered"),
    (r"five_impossible_requests", r"^collects_types 512 -> 1536$", "no card of the box is of that type"),
    (r"rival", r"^(team|goal 67 -> (66|65|71))", "the goal of a Rival is met only when she is the Heroine, by whose card she then wins"),
    (r"heroine", r"^shared_fate", "there is nothing left to take from a defeated Heroine (A-9)"),
)  # fmt: skip


def reason(slip):
    """Why the slip changes nothing, or None."""
    for owner, words, why in EQUIVALENT:
        if re.fullmatch(owner, slip.owner) and re.search(words, slip.words):
            return why
    return None
