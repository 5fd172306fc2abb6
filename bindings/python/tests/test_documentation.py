"""The examples of docs/python.md and the notebooks, which are run in order."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def test_the_examples_of_the_documentation_run(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "python.md").read_text(), re.S)
    assert len(blocks) >= 4
    names = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)
    assert "attackers" in capsys.readouterr().out


@pytest.mark.parametrize("notebook", sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_runs(notebook):
    names = {}
    for cell in json.loads(notebook.read_text())["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), notebook.name, "exec"), names)
    assert names["checked"] > 1
