"""`danmaku train`: self-play."""

from __future__ import annotations

import typer

from danmaku_env.console.errors import needed


def train(context: typer.Context) -> None:
    """Train by self-play; all options go to danmaku_env.training.ppo (try: danmaku train --help)."""
    module = needed("danmaku_env.training.ppo", "training", "train", "scipy.special")
    raise typer.Exit(module.main(list(context.args), context.command_path))
