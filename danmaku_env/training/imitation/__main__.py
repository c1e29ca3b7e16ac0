"""`python -m danmaku_env.training.imitation`."""

from danmaku_env.training.imitation.imitate import main

if __name__ == "__main__":
    main()
