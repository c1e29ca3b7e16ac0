"""Slow and obvious versions of distance, range and victory, written from the rulings and not from the engine."""

from danmaku_env import Game

HEROINE_SIDE = {"heroine", "partner", "one_true_partner"}
STAGE = {"stage_boss", "final_boss", "challenger", "anti_heroine"}
EXTRA = {"ex_boss", "ex_boss_revealed", "phantom_boss", "true_phantom_boss"}
RANGE_ITEMS = {"power": 1, "mini_hakkero": 3}
DISTANCE_ITEMS = {"focus": 2, "stopwatch": 1}
RANGE_CHARACTERS = {"cirno": 2, "ibuki_suika": 1}
DISTANCE_CHARACTERS = {"kawashiro_nitori": 1}
LIMIT_ITEMS = {"power": 1, "stopwatch": 2}
LIMIT_CHARACTERS = {"ibuki_suika": 1, "izayoi_sakuya": 2}


def kind(card):
    return card.split("/")[0]


def active(game: Game) -> list[int]:
    return [seat.index for seat in game.seats if not seat.defeated]


def steps(game: Game, one: int, other: int) -> int:
    """Seats passed clockwise."""
    circle = active(game)
    return (circle.index(other) - circle.index(one)) % len(circle)


def away(game: Game, seat: int) -> int:
    """Distance modifiers of a seat."""
    items = sum(DISTANCE_ITEMS.get(kind(card), 0) for card in game.seat(seat).items)
    return items + DISTANCE_CHARACTERS.get(game.seat(seat).character, 0)


def distance(game: Game, one: int, other: int) -> int:
    """D-1."""
    clockwise = steps(game, one, other)
    return max(1, min(clockwise, len(active(game)) - clockwise) + away(game, other))


def reach(game: Game, seat: int) -> int:
    items = sum(RANGE_ITEMS.get(kind(card), 0) for card in game.seat(seat).items)
    return max(1, 1 + items + RANGE_CHARACTERS.get(game.seat(seat).character, 0))


def in_range(game: Game, one: int, other: int) -> bool:
    """D-1, D-2 and Crossing to Higan."""
    if game.incident == "crossing_to_higan":
        return True
    if game.seat(one).character == "cirno" and len(active(game)) > 2:
        clockwise = steps(game, one, other)
        ways = [max(1, way + away(game, other)) for way in (clockwise, len(active(game)) - clockwise)]
        return any(1 < way <= reach(game, one) for way in ways)
    return distance(game, one, other) <= reach(game, one)


def danmaku_limit(game: Game, seat: int) -> int:
    if game.incident == "eternal_night":
        return 99
    items = sum(LIMIT_ITEMS.get(kind(card), 0) for card in game.seat(seat).items)
    return 1 + items + LIMIT_CHARACTERS.get(game.seat(seat).character, 0)


def max_hand(game: Game, seat: int) -> int:
    """U-3."""
    who, base = game.seat(seat), 4
    if "sorcerers_sutra_scroll" in map(kind, who.items) or who.character == "patchouli_knowledge":
        base = 7
    if who.character == "hong_meiling" and game.turn != seat:
        base = 7
    return base + (who.role in ("heroine", "ex_boss_revealed"))


def goal(game: Game, seat: int) -> bool:
    """The goal of a seat's role, from roles.toml."""
    alive = [(other.index, other.role) for other in game.seats if not other.defeated]
    dead = [(other.index, other.role) for other in game.seats if other.defeated]
    role = game.seat(seat).role
    stage_gone = not any(r in STAGE for _, r in alive)
    extra_gone = not any(r in EXTRA or r == "ex_midboss" for _, r in alive)
    heroine_gone = not any(r in ("heroine", "rival") for _, r in alive)
    if role in ("heroine", "partner"):
        return stage_gone and extra_gone
    if role == "one_true_partner":
        partners = [i for i, r in alive if r in ("partner", "ex_midboss", "one_true_partner") and i != seat]
        return stage_gone and extra_gone and not partners
    if role in EXTRA or role == "ex_midboss":
        return stage_gone and heroine_gone
    if role == "stage_boss":
        return heroine_gone
    if role == "final_boss":
        return heroine_gone and any(r in ("partner", "one_true_partner", "ex_midboss") for _, r in dead)
    if role == "challenger":
        return heroine_gone and extra_gone
    if role == "anti_heroine":
        return heroine_gone and any(r in STAGE and i != seat for i, r in dead)
    return False


def team(role: str) -> str:
    return "heroine" if role in HEROINE_SIDE else "stage" if role in STAGE else "extra" if role in EXTRA or role == "ex_midboss" else role


def winners(game: Game) -> list[int]:
    """R-2 and R-3."""
    met = [seat for seat in game.seats if goal(game, seat.index)]
    teams = {team(seat.role) for seat in met if not seat.defeated}
    return [seat.index for seat in met if not seat.defeated or team(seat.role) in teams]
