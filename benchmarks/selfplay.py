"""Self-play training end to end against what the network alone could do: `python benchmarks/selfplay.py`.

End to end: windows of play and learning, as `danmaku_env.training.ppo_selfplay` does them. The network alone: the same forward passes for
acting, and the same forward and backward passes for learning, the critic's too, at the same batch sizes and with the same threads, on
inputs that lie ready: no games, no draws, no optimiser, no bookkeeping. Both are measured in turn, in the same run; the ratio is of
medians. With one thread it is the processor's time that counts, which a busy machine hardly distorts.
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

from danmaku_env.agents.nets import one_torch_thread
from danmaku_env.training.ppo_selfplay import Args, Run
from danmaku_env.training.resuming import versions


def network_alone(run, inputs, masks, seen):
    """The networks' share of a window, on rows that lie ready."""
    args, net, critic = run.args, run.net, run.critic
    rows = args.games * args.window
    shares = run._shares(args.games)

    @torch.inference_mode()
    def act(share):
        net(inputs[share], masks[share])

    def gradients(share):
        logprobs, values, roles = net(inputs[share], masks[share])
        loss = logprobs.gather(1, chosen[share]).mean() + values.mean() + roles.mean() + critic(inputs[share], seen[share]).mean()
        return torch.autograd.grad(loss, list(run.parameters.values()))

    @torch.inference_mode()
    def appraise(share):
        critic(inputs[share], seen[share])

    chosen = masks.argmax(1, keepdim=True)
    for step in range(args.window):
        run._together(act, [(slice(step * args.games + share.start, step * args.games + share.stop),) for share in shares])
    batches = [slice(low, min(low + args.batch, rows)) for low in range(0, rows, args.batch)]
    for both in zip(batches[::2], batches[1::2], strict=False):
        run._together(appraise, [(batch,) for batch in both])
    for _ in range(args.epochs):
        for low in range(0, rows, args.batch):
            high = min(low + args.batch, rows)
            run._together(gradients, [(slice(low + share.start, low + share.stop),) for share in run._shares(high - low)])


def timed(vec, clock):
    """The seconds that each further step of the games takes, in a list that grows."""
    seconds, step = [], vec.step

    def timed_step(actions):
        start = clock()
        step(actions)
        seconds.append(clock() - start)

    vec.step = timed_step
    return seconds


@one_torch_thread()
def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--windows", type=int, default=7, help="windows measured of each kind")
    parser.add_argument("--window", type=int, default=Args.window, help="decisions in each game of a window")
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    clock = time.process_time if given.threads == 1 else time.perf_counter
    with tempfile.TemporaryDirectory() as folder:
        args = Args(folder=Path(folder), threads=given.threads, window=given.window, device="cpu")
        run, other = Run(args), Run(args)
        for _ in range(4):  # past the opening of the games, and warm
            run.play()
            run.learn()
        # the rows of a window of real play, where few cells are not zero
        run.play()
        first = run.buffer.carried
        ready = [kept[first:].clone() for kept in (run.buffer.inputs, run.buffer.masks, run.buffer.seen)]
        run.learn()
        network_alone(other, *ready)
        whole, play, alone, games = [], [], [], timed(run.vec, clock)
        for _ in range(given.windows):
            start = clock()
            run.play()
            play.append(clock() - start)
            run.learn()
            whole.append(clock() - start)
            start = clock()
            network_alone(other, *ready)
            alone.append(clock() - start)
    rows = args.games * args.window
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"{platform.machine()} {platform.system()}, {os.cpu_count()} cores{load}; {versions()}")
    shape = f"{args.players} players, {args.games} games, window {args.window}, batch {args.batch}, {args.epochs} epochs"
    print(f"{shape}, width {args.width}, threads {args.threads}")
    for name, times in (("self-play end to end", whole), ("of that, play", play), ("network alone", alone)):
        print(f"{name:>22}: {rows / statistics.median(times):9,.0f} decisions/s (median of {len(times)})")
    print(f"{'ratio':>22}: {statistics.median(alone) / statistics.median(whole):.2f} of the network alone (wanted: 0.70)")
    share = sum(games) / sum(whole)
    print(f"{'in the environment':>22}: {share:.1%} of the time (wanted: less than 10%)")


if __name__ == "__main__":
    main()
