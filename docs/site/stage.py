#!/usr/bin/env python3
"""Prepare the pages of the site for mdbook, and check the site that mdbook has built.

    docs/site/stage.py stage target/site     # copy the pages, and write SUMMARY.md
    docs/site/stage.py check target/site     # check every link of the rendered pages

The pages keep their paths, so that a link works both in the repository and on the site. `docs/README.md` is the only list
of pages: each of its tables becomes a part of the summary, with the links in the same order. The example in
`docs/browser.md` is interactive if the npm package is built. Needs only Python 3.10 or later.
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
# The pages before and after those in the contents.
FRONT_MATTER = [Path("README.md"), CONTENTS]
BACK_MATTER = [Path("CHANGELOG.md"), Path("packaging/README.md"), Path("corpus/spark/README.md")]
# Other files that pages show or link to.
ATTACHMENTS = ["docs/img/*.png", "docs/img/*.svg", "docs/notebooks/*.ipynb", "docs/schemas/*.json", "LICENSE-*"]
NPM_PACKAGE = ROOT / "target/npm/taflbase.js"

MARKDOWN_LINK = re.compile(r"\]\(([^)#\s]+\.md)(?:#[^)]*)?\)")
README_LINK = re.compile(r"(\]\([^)\s]*)README\.md")
TABLE_RULE = re.compile(r"\|(-+\|)+")


def title(page: Path) -> str:
    """Return the heading of a page without backticks, which mdbook doesn't render in a summary."""
    first = (ROOT / page).read_text(encoding="utf-8").splitlines()[0]
    return first.removeprefix("# ").replace("`", "")


def linked_pages(line: str) -> list[Path]:
    """Return the pages that a line of the contents links to, relative to the root."""
    targets = [(ROOT / CONTENTS.parent / target).resolve() for target in MARKDOWN_LINK.findall(line)]
    return [target.relative_to(ROOT) for target in targets]


def summary() -> tuple[str, list[Path]]:
    """Return SUMMARY.md and the pages in it."""
    lines = (ROOT / CONTENTS).read_text(encoding="utf-8").splitlines()
    pages = list(FRONT_MATTER)
    text = ["# Summary", ""] + [f"[{title(page)}]({page.as_posix()})" for page in FRONT_MATTER]
    in_table = False
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if TABLE_RULE.fullmatch(following):
            part = line.strip("| ")
            text += ["", f"# {part[0].upper()}{part[1:]}", ""]
            in_table = True
        elif not line.startswith("|") and in_table and linked_pages(line):
            text += ["", "# Reference", ""]
            in_table = False
        new = [page for page in linked_pages(line) if page not in pages + BACK_MATTER]
        text += [f"- [{title(page)}]({page.as_posix()})" for page in new]
        pages += new
    text += [f"- [{title(page)}]({page.as_posix()})" for page in BACK_MATTER]
    return "\n".join(text) + "\n", pages + BACK_MATTER


def with_live_example(page: str) -> str:
    """Return the page with the elements of its first example rendered below the code."""
    code = re.search(r"```html\n(.*?)```\n", page, re.DOTALL)
    script, *elements = code.group(1).strip().splitlines()
    # mdbook turns pages with the arrow keys; a game that has the focus must get them instead.
    start = '<div class="live-board" onkeydown="event.stopPropagation()">'
    live = "\n".join(f"{start}\n{element}\n</div>\n" for element in elements)
    return f"{page[: code.end()]}\nHere they are:\n\n{live}\n{script}\n\n{page[code.end() :]}"


def stage(site: Path) -> None:
    """Copy the pages and files, and write the summary."""
    contents, pages = summary()
    existing = {path.relative_to(ROOT) for folder in (ROOT, ROOT / "docs") for path in folder.glob("*.md")}
    if missing := existing - set(pages):
        sys.exit(f"pages missing from the summary: {', '.join(map(str, sorted(missing)))} (link to them in {CONTENTS})")
    source = site / "src"
    shutil.rmtree(source, ignore_errors=True)
    files = [path.relative_to(ROOT) for pattern in ATTACHMENTS for path in ROOT.glob(pattern)]
    for path in [*pages, *files]:
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, source / path)
    for path in pages:
        # mdbook renames README.md to index.html, but doesn't update links to it.
        text = README_LINK.sub(r"\1index.md", (source / path).read_text(encoding="utf-8"))
        (source / path).write_text(text, encoding="utf-8")
    (source / "SUMMARY.md").write_text(contents, encoding="utf-8")
    for name in ["book.toml", "site.css"]:
        shutil.copyfile(ROOT / "docs/site" / name, site / name)

    # Unlike the repository, the site has no page for a folder.
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
        print("site: no interactive boards, because the npm package is not built (docs/browser.md)")
    print(f"site: prepared {len(pages)} pages")


class LinkParser(html.parser.HTMLParser):
    """Collects the links of a rendered page, and the anchors that links can refer to."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = {"top"}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect the links and the anchor of an element."""
        for name, value in attrs:
            if name in ("href", "src") and value and tag != "base":
                self.links.append(value)
            elif name == "id" and value:
                self.anchors.add(value)


def check(site: Path) -> None:
    """Check that the target of every link within the site exists."""
    folder = (site / "html").resolve()
    parsed: dict[Path, LinkParser] = {}
    for page in sorted(folder.rglob("*.html")):
        parsed[page] = LinkParser()
        parsed[page].feed(page.read_text(encoding="utf-8"))
    broken = []
    n_links = 0
    # The links of the 404 page are relative to the root of the site, because it appears at any address.
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
    print(f"site: checked {n_links} links on {len(parsed)} pages, {len(broken)} are broken")
    if broken:
        sys.exit("\n".join(broken))


def main() -> None:
    """Run the step named on the command line."""
    parser = argparse.ArgumentParser(description="Prepare or check the documentation site")
    parser.add_argument("step", choices=["stage", "check"])
    parser.add_argument("site", type=Path, help="the folder of the site")
    arguments = parser.parse_args()
    {"stage": stage, "check": check}[arguments.step](arguments.site)


if __name__ == "__main__":
    main()
