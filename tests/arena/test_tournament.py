"""From plan to report: resuming, the report's files, and the command's sentences."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest
from rich.console import Console
from typer.testing import CliRunner

from danmaku_env import Game, Replay, ReplayError
from danmaku_env.arena.matches.match import Fault, Result
from danmaku_env.arena.reports import files as report_files
from danmaku_env.arena.tournaments import tournament
from danmaku_env.arena.tournaments.plan import Plan
from danmaku_env.arena.tournaments.record import RESULTS, Record, _opened, _sealed
from danmaku_env.arena.tournaments.replay_pages import replay_by_name
from danmaku_env.arena.tournaments.report import make_report
from danmaku_env.arena.tournaments.scheduler import Scheduler
from danmaku_env.commands import main as cli
from danmaku_env.console.cli_errors import BAD_USAGE
from danmaku_env.console.errors import UserError
from danmaku_env.game import OtherRules, RulesWarning, rules_fingerprint
from tests.full_disk import no_space
from tests.test_cli import run as watched

BOTS = "tests.arena.bots"
PLAN = Plan(agents=(f"{BOTS}:Seeded", f"{BOTS}:Last"), players=(4, 5), deals=3)


@pytest.fixture
def _small(monkeypatch):
    """Short games in this process, as a worker would play them."""
    from danmaku_env import GameConfig

    monkeypatch.setattr("danmaku_env.arena.tournaments.plan._CHUNK", 4)
    monkeypatch.setattr(Plan, "config", lambda self, players: GameConfig(num_players=players, characters="random", max_turns=20))
    monkeypatch.setattr(Scheduler, "play", play_here)


def play_here(self, chunks):
    from danmaku_env.agents import registry
    from danmaku_env.arena.matches.match import play

    for chunk in chunks:
        yield from play(chunk.jobs, [registry.make(spec, 0) for spec in self.pool.work.given[0]], chunk.config, seed=chunk.seed)


def run(folder, plan=PLAN, **options):
    console = Console(file=io.StringIO(), width=200)
    report = tournament.run(plan, out=folder, console=console, **{"replays": 0, **options})
    return report, console.file.getvalue()


def lines(folder):
    return sorted((folder / RESULTS).read_text().splitlines())


@pytest.mark.usefixtures("_small")
def test_a_report_that_finds_no_room_is_written_later(tmp_path, monkeypatch):
    monkeypatch.setattr(report_files, "write_atomically", no_space)
    with pytest.raises(UserError, match=r"No space left on device; all games are finished and kept\. To go on: danmaku .* --resume"):
        run(tmp_path / "games")
    monkeypatch.undo()
    run(tmp_path / "games", resume=True)
    assert (tmp_path / "games" / tournament.PAGE).exists()


@pytest.mark.usefixtures("_small")
def test_a_resumed_tournament_is_the_uninterrupted_one(tmp_path, monkeypatch):
    run(tmp_path / "whole")
    halves = 0

    def interrupted(self, chunks):
        for number, result in enumerate(play_here(self, chunks)):
            if number == 3 + halves:
                raise KeyboardInterrupt
            yield result

    monkeypatch.setattr(Scheduler, "play", interrupted)
    for halves in (0, 2):
        console = Console(file=io.StringIO(), width=60)
        with pytest.raises(KeyboardInterrupt):
            tournament.run(PLAN, out=tmp_path / "parts", console=console, resume=bool(halves), processes=2, confidence=0.9, replays=7)
        words = "--processes 2 --confidence 0.9 --replays 7"
        assert f"To go on: {PLAN.command()} {words} --out {tmp_path}/parts --resume" in console.file.getvalue().replace("\n", " ")
    kept = lines(tmp_path / "parts")
    assert 3 < len(kept) < PLAN.games
    monkeypatch.setattr(Scheduler, "play", play_here)
    run(tmp_path / "parts", resume=True)
    assert set(kept) <= set(lines(tmp_path / "parts"))
    assert lines(tmp_path / "parts") == lines(tmp_path / "whole")
    for name in (tournament.REPORT, tournament.PAGE):
        assert (tmp_path / "parts" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


@pytest.mark.usefixtures("_small")
def test_an_agent_against_itself_is_exactly_even_on_every_deal(tmp_path):
    report, _ = run(tmp_path, Plan(agents=(f"{BOTS}:First",) * 3, players=(4,), deals=4))
    for section in report.sections:
        for pair in section.pairs:
            assert (pair.difference.mean, pair.difference.p) == (0, 1)
    assert "no step is significant" in report.ordering()
    assert "cannot be told" in report.precision_words()


@pytest.mark.usefixtures("_small")
def test_the_report_is_the_same_for_everybody(tmp_path):
    report, text = run(tmp_path)
    data = json.loads((tmp_path / tournament.REPORT).read_text())
    assert data["plan"] == PLAN.to_dict()
    assert data["command"] == f"{PLAN.command()} --replays 0"
    assert data["ordering"] == report.ordering()
    assert data["ordering"] in text
    assert data["games"] == PLAN.games == 12
    assert {section["players"] for section in data["sections"]} == {None, 4, 5}
    assert {section["group"] for section in data["sections"]} == {None, "Heroine", "Partner", "Stage Boss", "Extra Boss"}
    assert {standing["agent"] for standing in data["sections"][0]["standings"]} == set(PLAN.labels)
    assert str(tmp_path / tournament.PAGE) in text
    names = {"ranking", "pairs", "by_role", "by_players", "role_separation"}
    assert {path.name for path in (tmp_path / "tables").iterdir()} == {f"{name}.{kind}" for name in names for kind in ("csv", "tex")}
    ranking = list(csv.DictReader((tmp_path / "tables" / "ranking.csv").read_text().splitlines()))
    assert [(row["agent"], float(row["reward"]), float(row["reward low"])) for row in ranking] == [
        (PLAN.labels[one.agent], one.reward.mean, one.reward.low) for one in report.section().standings
    ]
    drawn = {path.name: ET.fromstring(path.read_bytes()).tag for path in (tmp_path / "plots").iterdir()}
    assert drawn == dict.fromkeys(("ranking.svg", "by_role.svg", "by_players.svg"), "{http://www.w3.org/2000/svg}svg")
    check_page((tmp_path / tournament.PAGE).read_text())


@pytest.mark.usefixtures("_small")
def test_games_of_the_first_deal_are_pages_that_the_report_links(tmp_path):
    run(tmp_path, replays=2)
    results = {result.key: result for result in map(Result.from_dict, map(json.loads, lines(tmp_path)))}
    linked = [source for source in check_page((tmp_path / tournament.PAGE).read_text()).sources if source.startswith("replays/")]
    assert linked == [f"replays/{players}-players-game-{game}.html" for players in (4, 5) for game in (0, 1)]
    for source in linked:
        assert "Who believed what about whom" in (tmp_path / source).read_text()
        replay = Replay.load((tmp_path / source).with_suffix(".json"))
        key = (int(source[8]), 0, int(source[-6]))
        (job,) = [job for job in PLAN.jobs(*key[:2]) if job.key == key]
        game = replay.play()
        assert game.over
        assert tuple(1 if seat in game.winners else -1 if game.winners else 0 for seat in range(key[0])) == results[key].rewards
        assert replay.agents == tuple(PLAN.labels[agent] for agent in job.seats)


@pytest.mark.usefixtures("_small")
def test_every_game_is_kept_and_played_again_by_its_name(tmp_path):
    run(tmp_path)
    for result in map(Result.from_dict, map(json.loads, lines(tmp_path))):
        replay = replay_by_name(tmp_path, "/".join(map(str, result.key)))
        game = replay.play()
        assert len(replay.answers) == result.decisions
        assert tuple(1 if seat in game.winners else -1 if game.winners else 0 for seat in range(result.key[0])) == result.rewards
    bytes_a_game = max(len(line) - len(json.dumps(json.loads(line) | {"answers": ""})) for line in lines(tmp_path))
    assert bytes_a_game < 2 * max(json.loads(line)["decisions"] for line in lines(tmp_path))


@pytest.mark.usefixtures("_small")
def test_any_game_of_a_tournament_can_be_watched(tmp_path):
    said = run(tmp_path)[1]
    assert f"danmaku watch {tmp_path} --game 4/2/0" in said
    assert "--game 4/2/0" in (tmp_path / tournament.PAGE).read_text()
    watched = CliRunner().invoke(cli.app, ["watch", str(tmp_path), "--game", "4/2/0", "--delay", "0"])
    assert watched.exit_code == 0
    assert watched.output.count(", from above\n") == len(replay_by_name(tmp_path, "4/2/0").answers) + 1


def rewritten(folder, key=(4, 2, 0), *, plan=None, **changes):
    """Other rules in the plan of a tournament (None: none), and other entries in the line of a game."""
    data = json.loads((folder / Plan.FILE).read_text())
    data["versions"] = {name: value for name, value in {**data["versions"], "rules": plan}.items() if value}
    (folder / Plan.FILE).write_text(json.dumps(data))
    games = [_opened(line.encode()) for line in lines(folder)]
    games = [game | (changes if tuple(game["key"]) == key else {}) for game in games]
    games = [{name: value for name, value in game.items() if value is not None} for game in games]
    (folder / RESULTS).write_bytes(b"".join(_sealed(game) + b"\n" for game in games))


@pytest.mark.usefixtures("_small")
def test_a_game_of_other_rules_is_refused_unless_it_is_wished(tmp_path):
    """By the line of the game, or by the plan where the line says nothing."""
    run(tmp_path)
    other = "9b992b469dd8"
    assert {json.loads(line)["rules"] for line in lines(tmp_path)} == {rules_fingerprint()}
    for label in ({"plan": rules_fingerprint(), "rules": other}, {"plan": other, "rules": None}):
        rewritten(tmp_path, **label)
        sentence = f"was made under the rules {other}, and these are the rules {rules_fingerprint()}"
        with pytest.raises(OtherRules, match=sentence):
            replay_by_name(tmp_path, "4/2/0").play()
        assert replay_by_name(tmp_path, "4/2/0").play(other_rules=True).over
        refused = watched("watch", str(tmp_path), "--game", "4/2/0", "--step", "1")
        assert f"the game 4/2/0 in {tmp_path} {sentence}" in refused.stderr
        assert refused.stderr.endswith("with --other-rules\n")
        assert watched("watch", str(tmp_path), "--game", "4/2/0", "--step", "1", "--other-rules").exit_code == 0


@pytest.mark.usefixtures("_small")
def test_a_game_that_names_no_rules_is_read_with_a_warning_and_its_winners_are_compared(tmp_path):
    run(tmp_path)
    rewritten(tmp_path, rules=None)
    with pytest.warns(RulesWarning, match=r"the tournament in .* does not say which rules made it"):
        winners = replay_by_name(tmp_path, "4/2/0").play().winners
    rewritten(tmp_path, rules=None, rewards=[-1 if seat in winners else 1 for seat in range(4)])
    with pytest.warns(RulesWarning), pytest.raises(ReplayError, match=r"became another game .*nothing says which rules made it"):
        replay_by_name(tmp_path, "4/2/0").play()


@pytest.mark.usefixtures("_small")
def test_a_tournament_of_other_rules_is_not_gone_on_with_and_a_foreign_line_is_played_again(tmp_path):
    run(tmp_path)
    whole = lines(tmp_path)
    rewritten(tmp_path, plan=rules_fingerprint(), rules="9b992b469dd8")
    run(tmp_path, resume=True)
    assert lines(tmp_path) == whole
    rewritten(tmp_path, plan="9b992b469dd8")
    with pytest.raises(UserError, match=rf"begun with another rules \(9b992b469dd8, now {rules_fingerprint()}\)"):
        run(tmp_path, resume=True)


KEPT = {"key": [4, 0, 0], "rewards": [1, 1, 1, 1], "roles": [1, 2, 3, 4], "decisions": 3, "faults": []}


@pytest.mark.parametrize(
    ("folder", "name", "sentence"),
    [
        ("there", None, "name one of its tournament's games with --game"),
        ("there", "4/3/0", "has no game '4/3/0': a game is called players/deal/game, such as 4/0/0, with 4, 5 players, deals 0 to 2"),
        ("there", "6/0/0", "has no game '6/0/0'"),
        ("there", "4/0", "has no game '4/0'"),
        ("there", "4/0/-1", "has no game '4/0/-1'"),
        ("there", "4/0/0", "the game 4/0/0 is not among the finished games in"),
        ("empty", "4/0/0", "is no plan of a tournament that can be read"),
        ("nowhere", "4/0/0", "give the tournament's folder too"),
    ],
)
def test_games_that_cannot_be_watched(tmp_path, folder, name, sentence):
    (tmp_path / "empty").mkdir()
    with Record(tmp_path / "there", PLAN, {}):
        pass
    with open(tmp_path / "there" / RESULTS, "ab") as file:  # what may be in a file that somebody has changed
        for answers in ("!", "AAAA", "eJw="):
            file.write(json.dumps(KEPT | {"answers": answers}, separators=(",", ":")).encode() + b"\n")
    refused = CliRunner().invoke(cli.app, ["watch", str(tmp_path / folder), *(["--game", name] if name else [])])
    assert refused.exit_code == 2
    assert sentence in " ".join(refused.output.replace("\n", "").split())


@pytest.mark.usefixtures("_small")
def test_no_pages_of_games_where_none_are_wanted(tmp_path):
    run(tmp_path)
    assert not (tmp_path / "replays").exists()
    assert "replays/" not in (tmp_path / tournament.PAGE).read_text()


class Page(HTMLParser):
    """Collects what a page refers to, and makes sure that its elements are closed in order."""

    EMPTY = ("meta", "img", "br", "hr", "link")

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.sources, self.text = [], [], [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.sources += [value for name, value in attrs if name in ("src", "href")]
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def check_page(text):
    """A whole page that refers to nothing outside and runs nothing."""
    import base64

    page = Page()
    page.feed(text)
    assert not page.open
    assert "script" not in page.tags
    assert text.count("<table") == text.count('<div class="wide"><table'), "a table too wide for the page can be moved"
    assert not re.search(r"\S·|·\S", page.text)
    pictures = [source for source in page.sources if not source.startswith("replays/")]
    assert pictures
    for source in pictures:
        head, data = source.split(",")
        assert head == "data:image/svg+xml;base64"
        assert ET.fromstring(base64.b64decode(data)).tag.endswith("svg")
    return page


def faulty_report(words, spec="a.b:C"):
    plan = Plan(agents=("random", spec), players=(4,), deals=3)
    fault = Fault(1, 0, 7, "raised", "main", words)
    results = [
        Result(job.key, tuple(-1 if agent else 1 for agent in job.seats), (1, 2, 3, 4), 20, (fault,) * (not job.key[1]))
        for deal in range(3)
        for job in plan.jobs(4, deal)
    ]
    return make_report(plan, results, {"rules": "abc"}, confidence=0.95)


def test_whatever_an_agent_says_is_shown_and_not_run():
    evil = "<script>alert(1)</script>[bold]$x$ {{ 7 * 7 }}"
    report = faulty_report(evil, spec=f"m:C:path={evil}")
    page = check_page(tournament.html_report(report, tournament.plots(report)))
    assert evil in page.text
    console = Console(file=io.StringIO(), width=300)
    console.print(tournament.terminal_report(report))
    assert evil in console.file.getvalue()
    json.dumps(report.to_dict(), allow_nan=False)


def test_faults_are_counted_and_shown():
    report = faulty_report("ValueError: no")
    assert report.fault_counts() == {"random": {}, "a.b:C": {"raised": 2}}
    assert report.to_dict()["faults"][0] | {"deal": 0} == {
        "players": 4, "deal": 0, "game": 0, "agent": "a.b:C", "seat": 0, "decision": 7, "kind": "raised", "question": "main",
        "words": "ValueError: no",
    }  # fmt: skip
    console = Console(file=io.StringIO(), width=200)
    console.print(tournament.terminal_report(report))
    assert "a.b:C lost 2 games by its own fault: 2 raised." in console.file.getvalue()


def test_three_deals_that_are_all_alike_show_nothing():
    report = faulty_report("ValueError: no")
    console = Console(file=io.StringIO(), width=200)
    console.print(tournament.terminal_report(report))
    assert report.ordering() == "a.b:C ≲ random: the step is not significant at 95 %."
    assert "+2.000 ± 2.830" in console.file.getvalue()
    assert "± 2.830" in check_page(tournament.html_report(report, tournament.plots(report))).text
    pair = json.loads(json.dumps(report.to_dict(), allow_nan=False))["sections"][0]["pairs"][0]
    assert (pair["difference"]["mean"], pair["difference"]["p"]) == (2, pytest.approx(0.25))


# ---------------------------------------------------------------- the command


def command(*words):
    return CliRunner().invoke(cli.app, ["tournament", *words], prog_name="danmaku")


def test_the_command_plays_on_several_processes(tmp_path):
    result = command("random", f"{BOTS}:First", "-n", "4", "--deals", "2", "--processes", "2", "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    assert "4 games on 2 deals" in result.output
    check_page((tmp_path / tournament.PAGE).read_text())
    again = command("random", f"{BOTS}:First", "-n", "4", "--deals", "2", "--out", str(tmp_path))
    assert again.exit_code == BAD_USAGE
    assert "add --resume to go on" in again.stderr
    finished = command("random", f"{BOTS}:First", "-n", "4", "--deals", "2", "--out", str(tmp_path), "--resume")
    assert finished.exit_code == 0
    other = command("random", f"{BOTS}:First", "-n", "4", "--deals", "3", "--out", str(tmp_path), "--resume")
    assert other.exit_code == BAD_USAGE
    assert "its deals is 2, not 3" in other.stderr


def test_games_are_set_up_as_the_command_says_and_resumed_so(tmp_path):
    """Whoever plays chooses among three characters, in short games; the plan keeps it, and no other games are added."""
    words = ["random", f"{BOTS}:First", "-n", "4", "--deals", "2", "--processes", "1", "--replays", "1", "--out", str(tmp_path)]
    asked = ["--characters", "choose", "--candidates", "3", "--max-turns", "2", "--ask-seasons"]
    assert command(*words, *asked).exit_code == 0
    said = json.loads((tmp_path / tournament.REPORT).read_text())
    asked_plan = {"characters": "choose", "candidates": 3, "max_turns": 2, "ask_seasons": True}
    assert asked_plan.items() <= said["plan"].items()
    assert " ".join(asked) in said["command"]
    replay = replay_by_name(tmp_path, "4/1/0")
    assert replay.config.to_dict() | asked_plan == replay.config.to_dict()
    game = Game.new(replay.config, replay.seed)
    assert (game.question, len(game.legal())) == ("character", 3)
    other = command(*words, "--resume")
    assert "its characters is choose, not random" in other.stderr
    again = command(*words, *asked, "--resume")
    assert again.exit_code == 0
    assert json.loads((tmp_path / tournament.REPORT).read_text()) == said


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["random"], "at least two agents"),
        (["random", "shark"], "there is no agent 'shark'; there are random"),
        (["random", "nowhere.at_all:Bot"], "there is no module 'nowhere'"),
        (["random", f"{BOTS}:Unmakeable"], "no such weights"),
        (["random", "random", "--players", "3"], "players are numbers from 4 to 8, each once, with commas between, not 3"),
        (["random", "random", "--players", "six"], "--players takes numbers"),
        (["random", "random", "--deals", "1"], "deals must be at least 2"),
        (["random", "random", "--deals", "x"], "--deals"),
        (["random", "random", "--seed", "-1"], "a seed is a whole number"),
        (["random", "random", "--roles", "all"], "--roles"),
        (["random", "random", "--characters", "named"], "--characters"),
        (["random", "random", "--candidates", "9"], "candidates must be a whole number from 2 to 4, not 9"),
        (["random", "random", "--max-turns", "0"], "max_turns must be a whole number from 1 to 32767, not 0"),
        (["random", "random", "--processes", "0"], "--processes"),
        (["random", "random", "--time-limit", "0"], "above 0"),
        (["random", "random", "--confidence", "99"], "between 0 and 1, such as 0.99, not 99"),
        (["random", "random", "--out", "/proc/nowhere"], "nothing can be written to /proc/nowhere"),
        (["random", "random", "--out", "/tmp", "--resume"], "there is no tournament in /tmp to go on with"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(words, reason):
    result = command(*words)
    assert result.exit_code == BAD_USAGE
    assert reason in result.stderr.replace("\n", " ")
    assert "Traceback" not in result.output


def test_processes_must_be_at_least_one(tmp_path):
    with pytest.raises(UserError, match="at least 1 process, not 0"):
        run(tmp_path, processes=0)
