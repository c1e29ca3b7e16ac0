"""The Python face of the engine: what the layers above and everybody else import, from here and from no file below.

A game and its seats are game.py and seat.py. saving.py and replay.py keep games, and rules.py compares the rules of a file with those of
today. deals.py lists deals, scenario/ sets up positions by hand, and worlds.py says what a seat may know. Environments, batches and agents
are above.
"""

from danmaku_env.engine.rules import rules_fingerprint
from danmaku_env.files import check_folder, check_writable, write_atomically
from danmaku_env.game.any_game import AnyGame, game_class
from danmaku_env.game.deals import Deals, every_deal
from danmaku_env.game.errors import IllegalAction, OtherRules, ReplayError, RulesWarning, ScenarioError, status_error
from danmaku_env.game.game import Game
from danmaku_env.game.replay import REPLAY_BEGINS, Replay, replay_text
from danmaku_env.game.rules import as_today, check_rules, rules_named, warn_of_unknown_rules
from danmaku_env.game.saving import read_json
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
    "as_today",
    "check_folder",
    "check_rules",
    "check_seed",
    "check_writable",
    "every_deal",
    "game_class",
    "histories",
    "public_log",
    "read_json",
    "replay_text",
    "resample",
    "resample_many",
    "role_assignments",
    "row_seeds",
    "rules_fingerprint",
    "rules_named",
    "status_error",
    "warn_of_unknown_rules",
    "whole_seed",
    "write_atomically",
]
