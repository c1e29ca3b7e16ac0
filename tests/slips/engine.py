"""Slips in the source of the engine and of the machine below it: a comparison turned, a number off by one, a statement dropped, two seats
exchanged.

They are planted in the code objects of the running functions, so nothing is imported again; that takes the compiler to be off. Which tests
could notice one is known from the functions that each test reaches.
"""

import ast
import copy
import difflib
import gc
import importlib
import itertools
import pkgutil
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import danmaku_env.engine
import danmaku_env.machine
from tests.slips.notice import passes

NOTICED, UNREACHED = "noticed", "unreached"
PACKAGES = danmaku_env.engine, danmaku_env.machine
APART = {"batch", "frames", "hidden_roles", "invariants", "prefetch", "records", "resample", "scratch", "state", "warm"}
"""Modules that no rule of the game stands in; they have tests of their own."""
SEATS = {"seat", "other", "one", "target", "attacker", "by", "mine", "giver", "looker", "owner", "holder", "controller", "current"}
TURNED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}


class EngineSlip(NamedTuple):
    """One function of the engine, to be changed in one place."""

    owner: str
    """`module.function`."""
    function: types.FunctionType
    definition: ast.FunctionDef
    place: int
    """Of the changed node among all of the function."""
    change: Callable[[ast.AST], None]

    @property
    def node(self):
        return _at(self.definition, self.place)

    @property
    def words(self):
        """The changed lines, before and after."""
        before, after = (ast.unparse(definition).splitlines() for definition in (self.definition, self._changed()))
        changes = [line for line in difflib.ndiff(before, after) if line[0] in "+-"]
        old, new = (" / ".join(line[2:].strip() for line in changes if line[0] == sign) for sign in "-+")
        return f"line {self.node.lineno}: {old}  ->  {new}"

    def _changed(self):
        changed = copy.deepcopy(self.definition)
        self.change(_at(changed, self.place))
        return changed

    def plant(self):
        """Put the changed code into the function. Only for a process of its own. Returns why it cannot be, or None."""
        before, changed = self.function.__code__, self._changed()
        changed.decorator_list = []
        tree = ast.Module([_given(before.co_freevars, changed) if before.co_freevars else changed], [])
        code = compile(ast.fix_missing_locations(tree), before.co_filename, "exec")
        while code.co_name != changed.name:
            code = next(part for part in code.co_consts if isinstance(part, types.CodeType))
        for function in _with_code(before):
            function.__code__ = code


def _given(names, definition):
    """A factory that is given these names, and makes the function; that reads all of them, whatever was changed in it."""
    arguments = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
    nothing = ast.arguments([], [], None, [], [], None, [])
    definition.body.append(ast.Expr(ast.Lambda(nothing, ast.Tuple([ast.Name(name, ast.Load()) for name in names], ast.Load()))))
    return ast.FunctionDef("factory", arguments, [definition], [])


def _with_code(code):
    """The functions that run a code object: several where a factory has made them."""
    return [thing for thing in gc.get_objects() if type(thing) is types.FunctionType and thing.__code__ is code]


def _at(definition, place):
    return next(itertools.islice(ast.walk(definition), place, None))


def modules():
    """The modules that the rules stand in, those of the engine first."""
    names = (module.name for package in PACKAGES for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."))
    return [importlib.import_module(name) for name in names if not APART & set(name.split("."))]


def group_of(owner):
    """The module of a function."""
    return owner.rpartition(".")[0]


def slips():
    """Every slip in every function of the rules."""
    found = []
    for module in modules():
        tree = ast.parse(Path(module.__file__).read_text("utf-8"))
        for definition in _functions(tree):
            function = getattr(module, definition.name)
            made = _functions(definition)
            for inner in made:
                found += function_slips(module, inner, _made_by(function, inner.name))
            found += [] if made else function_slips(module, definition, function)
    return found


def _functions(tree):
    return [node for node in tree.body if isinstance(node, ast.FunctionDef)]


def _made_by(factory, name):
    """A function of that name that a factory has made."""
    code = next(part for part in factory.__code__.co_consts if isinstance(part, types.CodeType) and part.co_name == name)
    return _with_code(code)[0]


def function_slips(module, definition, function):
    """One slip for every small change in a function."""
    owner = f"{module.__name__.removeprefix('danmaku_env.').removeprefix('engine.')}.{definition.name}"
    idle = set(map(id, idle_numbers(definition)))
    for place, node in enumerate(ast.walk(definition)):
        for change in changes_of(node) if id(node) not in idle else ():
            yield EngineSlip(owner, function, definition, place, change)


def idle_numbers(definition):
    """Constants that say nothing by their size: nobody (-1), and what an event of the log comes with."""
    for node in ast.walk(definition):
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            yield node.operand
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "events":
            yield from ast.walk(node)


# ---------------------------------------------------------------- small changes


def changes_of(node):
    """Functions that each change the node in place by a little."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in TURNED:
        yield turn_comparison
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield add_one
    elif isinstance(node, ast.BoolOp):
        yield exchange_and_or
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield drop_not
    elif isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, (ast.Add, ast.Sub)):
        yield exchange_plus_minus
    elif isinstance(node, (ast.If, ast.While)):
        yield always
        if isinstance(node, ast.If):
            yield never
    elif isinstance(node, ast.Return) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, bool):
        yield other_truth
    elif isinstance(node, ast.Call):
        for place in range(len(node.args) - 1):
            if all(isinstance(arg, ast.Name) and arg.id in SEATS for arg in node.args[place : place + 2]):
                yield exchange_seats(place)
    if isinstance(node, (ast.AugAssign, ast.Continue, ast.Break)) or has_an_effect(node):
        yield drop


def has_an_effect(node):
    """A call for its effect, or a value written into the record."""
    calls = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    return calls or (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript))


def turn_comparison(node):
    node.ops[0] = TURNED[type(node.ops[0])]()


def add_one(node):
    node.value += 1


def exchange_and_or(node):
    node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()


def drop_not(node):
    become(node, node.operand)


def exchange_plus_minus(node):
    node.op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()


def always(node):
    node.test = ast.copy_location(ast.Constant(True), node.test)


def never(node):
    node.test = ast.copy_location(ast.Constant(False), node.test)


def other_truth(node):
    node.value.value = not node.value.value


def exchange_seats(place):
    def exchange(node):
        node.args[place], node.args[place + 1] = node.args[place + 1], node.args[place]

    return exchange


def drop(node):
    become(node, ast.copy_location(ast.Pass(), node))


def become(node, other):
    """Turn a node into another where it stands."""
    node.__class__ = other.__class__
    for name in list(vars(node)):
        if name not in vars(other):
            delattr(node, name)
    vars(node).update(vars(other))


# ---------------------------------------------------------------- which tests reach which functions


def reached_functions(run):
    """The code objects of the engine and the machine that `run()` calls."""
    folders = tuple(str(Path(package.__file__).parent) for package in PACKAGES)
    reached = set()

    def on_call(frame, _event, _argument):
        if frame.f_code.co_filename.startswith(folders):
            reached.add(frame.f_code)

    sys.settrace(on_call)
    try:
        run()
    finally:
        sys.settrace(None)
    return reached


class Suite:
    """The collected tests, and which functions of the engine each reaches."""

    def __init__(self, items):
        self._reach = {}
        for item in items:
            began = time.monotonic()
            for code in reached_functions(lambda item=item: passes(item)):
                self._reach.setdefault(code, []).append((time.monotonic() - began, item.nodeid, item))

    def for_slip(self, slip):
        """{NOTICED: the tests that reach the function, the shortest first}; no tests for one that none reaches."""
        reaching = [item for _, _, item in sorted(self._reach.get(slip.function.__code__, []))]
        return {NOTICED: reaching} if reaching else {UNREACHED: None}
