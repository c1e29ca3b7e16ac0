"""The Python face of the engine: what the layers above and everybody else import, from here and from no file below.

A game and its seats are game.py and seat.py; what is kept of it, saving.py, replay.py, and by which rules, rules.py; positions
set up by hand, scenario.py; what a seat may know, worlds.py. Environments, batches and agents are above.
"""

from danmaku_env.engine.rules import rules_fingerprint
from danmaku_env.files import check_folder, check_writable, write_atomically
from danmaku_env.game.any_game import AnyGame, game_class
from danmaku_env.game.deals import Deals, every_deal
from danmaku_env.game.errors import IllegalAction, OtherRules, ReplayError, RulesWarning, ScenarioError, status_error
from danmaku_env.game.game import Game
from danmaku_env.game.replay import REPLAY_BEGINS, Replay, replay_text
from danmaku_env.game.scenario import Scenario
from danmaku_env.game.seat import Seat
from danmaku_env.game.worlds import RoleAssignments, histories, public_log, resample, resample_many, role_assignments
from danmaku_env.seeds import check_seed, row_seeds, whole_seed

__all__ = [
    "REPLAY_BEGINS",
    "AnyGame",
    "Deals",
    "Game",
    "IllegalAction",
    "OtherRules",
    "Replay",
    "ReplayError",
    "RoleAssignments",
    "RulesWarning",
    "Scenario",
    "ScenarioError",
    "Seat",
    "check_folder",
    "check_seed",
    "check_writable",
    "every_deal",
    "game_class",
    "histories",
    "public_log",
    "replay_text",
    "resample",
    "resample_many",
    "role_assignments",
    "row_seeds",
    "rules_fingerprint",
    "status_error",
    "whole_seed",
    "write_atomically",
]
