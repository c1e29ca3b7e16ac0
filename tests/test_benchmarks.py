"""Every benchmark and every experiment begins: its imports work, and it lists its options. What they measure is tested elsewhere."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks import selfplay, tables
from danmaku_env.training.ppo import PPOArgs, PPORun

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = sorted(
    path
    for folder in ("benchmarks", "experiments", "experiments/studies")
    for path in (ROOT / folder).glob("*.py")
    if path.stem not in ("__init__", "machine", "telling", "training_runs")
)
HELP = """
import contextlib, io, runpy, sys
for script in sys.argv[1:]:
    said, sys.argv = io.StringIO(), [script, "--help"]
    with contextlib.redirect_stdout(said), contextlib.suppress(SystemExit):
        runpy.run_path(script, run_name="__main__")
    print(script if "--help" in said.getvalue() else f"{script} says nothing")
"""


def test_every_script_begins():
    done = subprocess.run([sys.executable, "-c", HELP, *map(str, SCRIPTS)], cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.stdout.split("\n")[:-1] == [str(path) for path in SCRIPTS], done.stderr


def test_the_address_of_a_server_is_found_among_what_it_says():
    said = ["Loading the agents ...\n", "Tables are laid at http://127.0.0.1:41234/\n", "Only this machine can reach it.\n"]
    assert tables.port_of(SimpleNamespace(stdout=iter(said))) == 41234
    with pytest.raises(SystemExit, match="the server ended before it said its address"):
        tables.port_of(SimpleNamespace(stdout=iter(said[:1])))


@pytest.mark.parametrize("net", ["seats", "mlp"])
def test_the_networks_of_a_window_can_be_run_alone(net, tmp_path):
    """What benchmarks/selfplay.py compares with: it follows the trainer into its parts, and must notice when they change."""
    run = PPORun(PPOArgs(folder=tmp_path, threads=1, net=net, device="cpu", teach=0, games=4, window=4, batch=8))
    run.play()
    run.learn()
    before = [parameter.clone() for parameter in run.net.parameters()]
    selfplay.networks_alone(run, selfplay.in_batches(run.tables[0], 1.0, 8), selfplay.in_batches(run.tables[0], 0.5, 8))
    assert all((parameter == old).all() for parameter, old in zip(run.net.parameters(), before, strict=True)), "no optimiser"
