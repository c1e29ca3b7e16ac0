"""Starts with an empty cache: two at once compile once, and one whose compiler was killed compiles anew."""

import time

from tests.kill.victims import finish, kill, start, survivors

PLAY = "from danmaku_env import make_vec; vec = make_vec(4); vec.reset(0); vec.step(vec.sample()); print(vec.games.tobytes().hex()[:4000])"


def experiment(folder, times, seed):
    """Figures and findings; `times` and `seed` are of no account."""
    findings, cache = [], {"DANMAKU_CACHE_DIR": str(folder / "cache")}
    first = start(["-c", PLAY], folder, **cache)
    while first.poll() is None and not kernels(folder):
        time.sleep(0.1)
    kill(first)  # in the middle of compiling
    if left := survivors(folder):
        findings.append(f"the compiler goes on without anybody waiting: {left}")
    there = kernels(folder)
    begun = time.monotonic()
    both = [start(["-c", PLAY], folder, **cache) for _ in range(2)]
    ended = [finish(process) for process in both]
    seconds = time.monotonic() - begun
    if None in ended or any(status for status, _, _ in ended) or ended[0][1] != ended[1][1] or not ended[0][1]:
        findings.append(f"they did not both play the same: {ended}")
        return "cold starts: not both", findings
    said = [err for _, _, err in ended]
    compiled = sum("compiling the rules engine" in err for err in said)
    waited = sum("waiting for it" in err for err in said)
    if compiled != 1 or waited != 1:
        findings.append(f"{compiled} compiled and {waited} waited: {said}")
    warm = start(["-c", PLAY], folder, **cache)
    if finish(warm) != (0, ended[0][1], ""):
        findings.append("a later start is not silent")
    figures = f"cold starts: two at once, after one that was killed with {there} kernels kept: {compiled} compiled, {waited} waited"
    return f"{figures}, {seconds:.0f} s; {len(findings)} findings", findings


def kernels(folder):
    """How many are kept."""
    return len(list((folder / "cache").rglob("*.kernel")))
