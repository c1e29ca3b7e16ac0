"""Two kernels that compile in a second: what test_compiled.py has compiled, cached, spoiled and locked. Run as a program, it calls them."""

from danmaku_env.engine.compiled import end_with_parent, entry, kernel

STEP = 7


@kernel
def after(number):
    return number + STEP


@entry
def twice_after(number):
    return after(after(number))


def main():
    twice_after(1)


if __name__ == "__main__":
    from tests.engine import tiny

    end_with_parent()
    tiny.main()
