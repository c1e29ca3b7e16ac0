"""Run a notebook from its first cell to its last in a fresh process."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import nbformat
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parent
_LONGEST = 3600
"""Seconds for a cell."""


class _ThisPython(KernelManager):
    """Starts kernels with the interpreter that runs us, whatever kernels are installed."""

    def format_kernel_cmd(self, extra_arguments: list[str] | None = None) -> list[str]:
        return [sys.executable, "-m", "ipykernel_launcher", "-f", self.connection_file, *(extra_arguments or [])]


def run(path: Path, *, small: bool, folder: Path) -> Any:
    """The notebook with its results, run in a working folder. Raises nbclient's CellExecutionError where a cell fails."""
    notebook = nbformat.read(path, as_version=4)
    environment = {**os.environ, "NOTEBOOK_SIZE": "small" if small else "full", "PYTHONPATH": _python_path()}
    client = NotebookClient(notebook, timeout=_LONGEST, kernel_manager_class=_ThisPython, resources={"metadata": {"path": str(folder)}})
    client.execute(env=environment)
    return notebook


def _python_path() -> str:
    return os.pathsep.join([str(FOLDER.parent), *filter(None, [os.environ.get("PYTHONPATH")])])


def tidy(notebook: Any) -> Any:
    """The notebook without what differs from run to run and says nothing."""
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    notebook.metadata.pop("language_info", None)
    return notebook
