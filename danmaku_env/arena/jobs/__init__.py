"""Long jobs: what they depend on, their folder, resuming after a kill, and the workers that do them.

A job in parts is a spec, a task for each part, and a call; `danmaku record` (arena/data/record.py) is one:

    @dataclass(frozen=True, kw_only=True)
    class Throws(PartedSpec):  # its table, seed and games are there already, and files have them
        KEY, FILE, MARK, FOLDER = "throws", "throws.json", "throws", Path("runs/throws")

    def begin(spec):  # once in each worker
        return lambda part, beat: iter([PartDone({"thrown": throw(spec, spec.games_of(part))}, 0)])

    with begun_parts(out, spec, {"thrown": "bin"}, specs_of_agents, resume=resume) as parts:
        parts.do(Work(begin, (spec,)), Workers(processes=2), console, how_to_go_on(spec.command(), parts.folder))
"""
