"""Self-play training end to end against its networks alone: `python benchmarks/selfplay.py [--net mlp] [--threads 1]`.

End to end: windows of play and learning, as `danmaku_env.training.ppo` does them. The networks alone: the same forward passes for acting,
the critic's for credit, and the same forward and backward passes for learning, on rows that lie ready: no games, no draws, no optimiser, no
bookkeeping. Both are measured in turn, in the same run; the ratio is of medians. With one thread it is the processor's time that counts,
which a busy machine hardly distorts.
"""

import argparse
import os
import platform
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # or `agents` would be the benchmark of that name beside this file

import torch

from danmaku_env.nets.network import one_torch_thread
from danmaku_env.training.ppo import PPOArgs, PPORun
from danmaku_env.training.resuming import versions


def networks_alone(run, batches, critic_batches):
    """The networks' share of a window, on the rows of the last one."""
    table = run.tables[0]

    @torch.inference_mode()
    def act(step, share):
        run.net(table.inputs[step, share], table.masks[step, share])

    for step in range(table.window):
        run.threads.map(act, [(step, share) for share in run.threads.shares(table.games)])
    if run.critic:
        run._value_estimates(table, slice(0, table.window + 1))
        for batch in critic_batches:
            run.threads.map(run._critic_gradients, [(table, batch[share], 0.5) for share in run.threads.shares(len(batch))])
    for batch in batches:
        run.threads.map(run._gradients, [(table, batch[share], 0.5) for share in run.threads.shares(len(batch))])


def in_batches(table, share, size):
    """As many rows as a window learns from, in batches."""
    rows = torch.randperm(table.steps * table.games)[: int(table.steps * table.games * share)]
    return rows.split(size)


@one_torch_thread()
def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--windows", type=int, default=7, help="windows measured of each kind")
    parser.add_argument("--net", choices=("seats", "mlp"), default="seats")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    clock = time.process_time if given.threads == 1 else time.perf_counter
    with tempfile.TemporaryDirectory() as folder:
        args = PPOArgs(folder=Path(folder), threads=given.threads, net=given.net, device="cpu", teach=0)
        run, other = PPORun(args), PPORun(args)
        for _ in range(4):  # past the opening of the games, and warm
            run.play()
            run.learn()
        other.play()
        other.learn()
        batches = in_batches(other.tables[0], args.learn_from, args.batch)
        critic_batches = in_batches(other.tables[0], 1 / args.critic_every, args.batch)
        whole, play, alone = [], [], []
        for _ in range(given.windows):
            start = clock()
            run.play()
            play.append(clock() - start)
            run.learn()
            whole.append(clock() - start)
            start = clock()
            networks_alone(other, batches, critic_batches)
            alone.append(clock() - start)
    rows = args.games * args.window
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"{platform.machine()} {platform.system()}, {os.cpu_count()} cores{load}; {versions()}")
    print(f"{args.players} players, {args.games} games, window {args.window}, net {args.net}, threads {args.threads}")
    for name, times in (("self-play end to end", whole), ("of that, play", play), ("networks alone", alone)):
        print(f"{name:>22}: {rows / statistics.median(times):9,.0f} decisions/s (median of {len(times)})")
    outside = 1 - statistics.median(alone) / statistics.median(whole)
    print(f"{'outside networks':>22}: {outside:.0%} of the time (wanted: at most 20 %)")


if __name__ == "__main__":
    main()
