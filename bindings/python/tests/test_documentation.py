"""The examples of the documentation and the notebooks, which are run in order."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(("page", "least", "output"), [("python.md", 4, "attackers"), ("from-python.md", 1, "tablut9_wtf")])
def test_the_examples_of_a_page_run(page, least, output, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / page).read_text(), re.S)
    assert len(blocks) >= least
    names = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
    assert output in capsys.readouterr().out


@pytest.mark.parametrize("notebook", sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_runs(notebook):
    names = {}
    for cell in json.loads(notebook.read_text())["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), notebook.name, "exec"), names)
    assert names["checked"] > 1
