"""The bonus character: played with the base game or with both boxes by whoever likes (U-6)."""

from danmaku_env.cards.vocabulary import *

BONUS_CHARACTERS = (
    Character(
        id="player_2", name="Player 2", called="Player_2", season=SPRING,
        text="At the start of the game name the character of another player: you have that ability for the rest of the game.",
        triggers=(trigger(GAME_START, MINE, [name_ability(for_good=True)], announce=[choose_ability(for_good=True)]),),
        spell_name="Hakurei Fantasy", capturable=False,
        spell=Text(
            events=ANY_PRIORITY, types=SPELL, cancelable=False,  # the other Spell Card takes its place (characters.refresh)
            text="Activate the Spell Card of the character you have named, in its own timing.")),
)  # fmt: skip
