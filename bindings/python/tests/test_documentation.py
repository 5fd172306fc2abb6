"""The examples of docs/python.md, which are run in order."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_the_examples_of_the_documentation_run(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "python.md").read_text(), re.S)
    assert len(blocks) >= 4
    names = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)
    assert "attackers" in capsys.readouterr().out
