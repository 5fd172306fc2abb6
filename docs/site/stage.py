#!/usr/bin/env python3
"""Prepare the pages of the site for mdbook, and check the site that mdbook made.

    docs/site/stage.py stage target/site     # copy the pages, and write SUMMARY.md
    docs/site/stage.py check target/site     # check every link of the rendered pages

The pages keep their places, so that a link works in the repository and in the site. `docs/README.md` is the only list
of pages: the summary has its tables as parts, and its links in their order. The example in `docs/browser.md` is live if
the npm package is built. Needs Python 3.10 or later, nothing else.
"""

import argparse
import html.parser
import re
import shutil
import sys
import urllib.parse
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CONTENTS = Path("docs/README.md")
# Pages before and after those of the contents.
FIRST = [Path("README.md"), CONTENTS]
LAST = [Path("CHANGELOG.md"), Path("packaging/README.md"), Path("corpus/spark/README.md")]
# Files that pages show or link to.
FILES = ["docs/img/*.png", "docs/img/*.svg", "docs/notebooks/*.ipynb", "docs/schemas/*.json", "LICENSE-*"]
NPM_PACKAGE = ROOT / "target/npm/taflbase.js"

MARKDOWN_LINK = re.compile(r"\]\(([^)#\s]+\.md)(?:#[^)]*)?\)")
README_LINK = re.compile(r"(\]\([^)\s]*)README\.md")
TABLE_RULE = re.compile(r"\|(-+\|)+")


def title(page: Path) -> str:
    """Return the heading of a page, without marks that a summary can't have."""
    first = (ROOT / page).read_text(encoding="utf-8").splitlines()[0]
    return first.removeprefix("# ").replace("`", "")


def linked_pages(line: str) -> list[Path]:
    """Return the pages that a line of the contents links to, relative to the root."""
    targets = [(ROOT / CONTENTS.parent / target).resolve() for target in MARKDOWN_LINK.findall(line)]
    return [target.relative_to(ROOT) for target in targets]


def summary() -> tuple[str, list[Path]]:
    """Return SUMMARY.md and the pages in it."""
    lines = (ROOT / CONTENTS).read_text(encoding="utf-8").splitlines()
    pages = list(FIRST)
    text = ["# Summary", ""] + [f"[{title(page)}]({page.as_posix()})" for page in FIRST]
    in_table = False
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if TABLE_RULE.fullmatch(following):
            part = line.strip("| ")
            text += ["", f"# {part[0].upper()}{part[1:]}", ""]
            in_table = True
        elif not line.startswith("|") and in_table and linked_pages(line):
            text += ["", "# Reference", ""]
            in_table = False
        new = [page for page in linked_pages(line) if page not in pages]
        text += [f"- [{title(page)}]({page.as_posix()})" for page in new]
        pages += new
    text += [f"- [{title(page)}]({page.as_posix()})" for page in LAST]
    return "\n".join(text) + "\n", pages + LAST


def with_live_example(page: str) -> str:
    """Return the page with the elements of its first example below the code."""
    code = re.search(r"```html\n(.*?)```\n", page, re.DOTALL)
    script, *elements = code.group(1).strip().splitlines()
    # mdbook turns pages with the arrow keys, which belong to a game that has the focus.
    start = '<div class="live-board" onkeydown="event.stopPropagation()">'
    live = "\n".join(f"{start}\n{element}\n</div>\n" for element in elements)
    return f"{page[: code.end()]}\nHere they are:\n\n{live}\n{script}\n\n{page[code.end() :]}"


def stage(site: Path) -> None:
    """Copy the pages and files, and write the summary."""
    contents, pages = summary()
    existing = {path.relative_to(ROOT) for folder in (ROOT, ROOT / "docs") for path in folder.glob("*.md")}
    if missing := existing - set(pages):
        sys.exit(f"the summary of the site lacks {', '.join(map(str, sorted(missing)))}: link to it in {CONTENTS}")
    source = site / "src"
    shutil.rmtree(source, ignore_errors=True)
    files = [path.relative_to(ROOT) for pattern in FILES for path in ROOT.glob(pattern)]
    for path in [*pages, *files]:
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, source / path)
    for path in pages:
        # mdbook renames these pages, but not the links to them.
        text = README_LINK.sub(r"\1index.md", (source / path).read_text(encoding="utf-8"))
        (source / path).write_text(text, encoding="utf-8")
    (source / "SUMMARY.md").write_text(contents, encoding="utf-8")
    for name in ["book.toml", "site.css"]:
        shutil.copyfile(ROOT / "docs/site" / name, site / name)

    # A folder has no page of its own in a site.
    schemas = sorted(path.name for path in (source / "docs/schemas").iterdir())
    items = "".join(f'<li><a href="{name}">{name}</a></li>' for name in schemas)
    listing = f"<!doctype html><title>Schemas</title><h1>Schemas</h1><ul>{items}</ul>\n"
    (source / "docs/schemas/index.html").write_text(listing, encoding="utf-8")
    page = source / "docs/schemas.md"
    page.write_text(page.read_text(encoding="utf-8").replace("](schemas)", "](schemas/index.html)"), encoding="utf-8")

    if NPM_PACKAGE.is_file():
        shutil.copyfile(NPM_PACKAGE, source / "docs/taflbase.js")
        page = source / "docs/browser.md"
        page.write_text(with_live_example(page.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        print("site: no live boards: the npm package is not built (docs/browser.md)")
    print(f"site: {len(pages)} pages")


class LinkParser(html.parser.HTMLParser):
    """The links of a rendered page, and the anchors that links can name."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = {"top"}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember the links and the anchor of an element."""
        for name, value in attrs:
            if name in ("href", "src") and value and tag != "base":
                self.links.append(value)
            elif name == "id" and value:
                self.anchors.add(value)


def check(site: Path) -> None:
    """Check that every link of a page to the site itself has a target."""
    folder = (site / "html").resolve()
    parsed: dict[Path, LinkParser] = {}
    for page in sorted(folder.rglob("*.html")):
        parsed[page] = LinkParser()
        parsed[page].feed(page.read_text(encoding="utf-8"))
    broken = []
    n_links = 0
    # The page for missing addresses has links from the root, wherever the site is.
    for page, parser in parsed.items():
        for link in parser.links if page.name != "404.html" else []:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            n_links += 1
            target = (page.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else page
            target = target / "index.html" if target.is_dir() else target
            anchor = urllib.parse.unquote(parts.fragment)
            has_anchor = not anchor or target not in parsed or anchor in parsed[target].anchors
            if not target.is_file() or not has_anchor:
                broken.append(f"{page.relative_to(folder)}: {link}")
    print(f"site: {n_links} links on {len(parsed)} pages, {len(broken)} without a target")
    if broken:
        sys.exit("\n".join(broken))


def main() -> None:
    """Run the requested step."""
    parser = argparse.ArgumentParser(description="Prepare or check the site of the documentation")
    parser.add_argument("step", choices=["stage", "check"])
    parser.add_argument("site", type=Path, help="the folder of the site")
    arguments = parser.parse_args()
    {"stage": stage, "check": check}[arguments.step](arguments.site)


if __name__ == "__main__":
    main()
