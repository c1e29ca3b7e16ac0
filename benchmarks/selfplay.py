"""Self-play training end to end against what the network alone could do: `python benchmarks/selfplay.py`.

End to end: windows of play and learning, as `danmaku_env.training.ppo_selfplay` does them. The network alone: the same forward passes for
acting, and the same forward and backward passes for learning, at the same batch sizes and with the same threads, on inputs that
lie ready: no games, no draws, no optimiser, no bookkeeping. Both are measured in turn, in the same run; the ratio is of medians.
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
from danmaku_env.training.ppo_selfplay import Args, Run, versions


def network_alone(run, inputs, masks):
    """The network's share of a window, on rows that lie ready."""
    args, net = run.args, run.net
    rows = args.games * args.window
    shares = run._shares(args.games)

    @torch.inference_mode()
    def act(share):
        net(inputs[share], masks[share])

    def gradients(share):
        logprobs, values, roles = net(inputs[share], masks[share])
        loss = logprobs.gather(1, chosen[share]).mean() + values.mean() + roles.mean()
        return torch.autograd.grad(loss, list(net.parameters()))

    chosen = masks.argmax(1, keepdim=True)
    for step in range(args.window):
        run._together(act, [(slice(step * args.games + share.start, step * args.games + share.stop),) for share in shares])
    for _ in range(args.epochs):
        for low in range(0, rows, args.batch):
            high = min(low + args.batch, rows)
            run._together(gradients, [(slice(low + share.start, low + share.stop),) for share in run._shares(high - low)])


@one_torch_thread()
def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--windows", type=int, default=7, help="windows measured of each kind")
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        args = Args(folder=Path(folder), threads=given.threads, device="cpu")
        run, other = Run(args), Run(args)
        for _ in range(4):  # past the opening of the games, and warm
            run.play()
            run.learn()
        # the rows of a window of real play, where few cells are not zero
        run.play()
        first = run.buffer.carried
        inputs, masks = run.buffer.inputs[first:].clone(), run.buffer.masks[first:].clone()
        run.learn()
        network_alone(other, inputs, masks)
        whole, play, alone = [], [], []
        for _ in range(given.windows):
            start = time.perf_counter()
            run.play()
            play.append(time.perf_counter() - start)
            run.learn()
            whole.append(time.perf_counter() - start)
            start = time.perf_counter()
            network_alone(other, inputs, masks)
            alone.append(time.perf_counter() - start)
    rows = args.games * args.window
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"{platform.machine()} {platform.system()}, {os.cpu_count()} cores{load}; {versions()}")
    shape = f"{args.players} players, {args.games} games, window {args.window}, batch {args.batch}, {args.epochs} epochs"
    print(f"{shape}, width {args.width}, threads {args.threads}")
    for name, times in (("self-play end to end", whole), ("of that, play", play), ("network alone", alone)):
        print(f"{name:>22}: {rows / statistics.median(times):9,.0f} decisions/s (median of {len(times)})")
    print(f"{'ratio':>22}: {statistics.median(alone) / statistics.median(whole):.2f} of the network alone (wanted: 0.50)")


if __name__ == "__main__":
    main()
