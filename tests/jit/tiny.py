"""Three kernels that compile in a second or two: what test_kernels.py has compiled, cached, spoiled and locked."""

from danmaku_env.jit.kernels import entry, kernel, shared

TITLE = "the small kernels"
STEP = 7


@kernel
def after(number):
    return number + STEP


@shared
def long_after(number):
    return after(after(number))


@entry
def twice_after(number):
    return after(after(number)) + long_after(number) - long_after(number)


def examples():
    return [(long_after, (1,)), (twice_after, (1,))]
