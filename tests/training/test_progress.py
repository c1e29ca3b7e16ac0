"""Every trainer says how it gets on: reward against random play and the heuristic, and role separation; also where there is no terminal."""

import re

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from danmaku_env.training import exploit, rllib_selfplay, sb3_maskable
from danmaku_env.training.imitation import imitate
from danmaku_env.training.progress_report import CURVE, LOG, PICTURE
from tests.command import exit_status

LINE = re.compile(
    r"\d\.\d\d M decisions in \d+ s; reward above random [+-]\d\.\d\d ± \S+, heuristic [+-]\d\.\d\d ± \S+; "
    r"Stage Boss \d+ %, .*to the Heroine \(chance \d+ %\)"
)
FIGURES = {"random", "heuristic", "Stage Boss to the Heroine", "Stage Boss enemies"}
SMALL = {"--report-deals": 2, "--window": 64, "--games": 4, "--batch": 64}
EXPLOIT = SMALL | {"--bot": "random", "--start": "scratch", "--seconds": 0, "--decisions": 1, "--width": 16, "--threads": 1, "--teach": 0}
IMITATE = {
    "--report-deals": 2, "--rounds": 1, "--games": 1, "--watched": 1, "--rows": 1, "--width": 8, "--history": 0, "--prior-policy": "none",
    "--processes": 1, "--last": 1, "--threads": 1, "--share": 0.02,
}  # fmt: skip
SB3 = SMALL | {"--seconds": 0.5, "--report-every": 0.1, "--final-games": 2, "--hidden": 8}
RLLIB = SMALL | {"--seconds": 0, "--decisions": 1, "--runners": 0, "--width": 8}
TRAINERS = [
    pytest.param(exploit, {**EXPLOIT, "--deals": 0}, id="exploit"),
    pytest.param(imitate, IMITATE, id="imitate"),
    pytest.param(sb3_maskable, SB3, id="sb3"),
    pytest.param(rllib_selfplay, RLLIB, id="rllib", marks=pytest.mark.slow),
]


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:.*Overriding environment rllib")
@pytest.mark.parametrize(("trainer", "given"), TRAINERS)
def test_a_run_says_how_it_gets_on(trainer, given, tmp_path, capfd):
    if trainer is rllib_selfplay:
        pytest.importorskip("ray")
    folder = tmp_path / "run"
    assert exit_status(trainer.main, *map(str, sum({**given, "--folder": folder}.items(), ()))) == 0
    lines = (folder / LOG).read_text("utf-8").splitlines()
    told = capfd.readouterr().err
    assert lines
    for line in lines:
        assert LINE.match(line)
        assert line in told
    assert (folder / CURVE).exists()
    assert (folder / PICTURE).exists()
    log = EventAccumulator(str(folder)).Reload()
    assert set(log.Tags()["scalars"]) >= FIGURES
