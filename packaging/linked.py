#!/usr/bin/env python3
"""Describe the packages that Cargo links into `tafl`: as an SBOM, or by their license texts.

    packaging/linked.py sbom --target x86_64-unknown-linux-gnu > tafl.cdx.json
    packaging/linked.py licenses --target x86_64-unknown-linux-musl --no-default-features > licenses.txt

The packages and their edges are those of `cargo tree`, which resolves features exactly as the build of `tafl-cli`
does; `cargo metadata` has their folders and licenses, and `Cargo.lock` their checksums. Procedural macros and build
scripts run during the build only, and are left out. The output depends on these inputs alone, so that two runs give
the same bytes. Needs Python 3.11 or later, nothing else.
"""

import argparse
import hashlib
import json
import re
import subprocess
import sys
import tomllib
import uuid
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# The names of files with license texts and copyright notices, in the folder of a package or one below it (bundled C libraries).
NOTICE = re.compile(r"(licen[cs]e|copying|notice|unlicense|copyright|third.party)", re.IGNORECASE)
CODE_SUFFIXES = {".rs", ".py", ".toml", ".json", ".sh", ".yml", ".html", ".js", ".c", ".h"}


@dataclass
class LinkedPackage:
    """A linked package, and the packages that it uses."""

    name: str
    version: str
    uses: set[str] = field(default_factory=set)
    metadata: dict = field(default_factory=dict)

    @property
    def purl(self) -> str:
        """The package URL, which identifies the package in an SBOM."""
        return f"pkg:cargo/{self.name}@{self.version}"

    @property
    def license(self) -> str:
        """The declared license as an SPDX expression; old packages separate alternatives with a slash."""
        return re.sub(r"\s*/\s*", " OR ", self.metadata["license"] or "NOASSERTION")


def cargo(*arguments: str) -> str:
    """Return the output of a Cargo command in the root of the workspace."""
    command = ["cargo", *arguments, "--locked"]
    return subprocess.run(command, cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE).stdout


def linked_packages(target: str, features: list[str]) -> dict[str, LinkedPackage]:
    """Return the packages linked for a target, by their package URLs. The first one is `tafl-cli`."""
    tree = cargo(
        *["tree", "--package", "tafl-cli", "--edges", "normal,no-proc-macro", "--target", target],
        *["--prefix", "depth", "--format", " {p}", *features],
    )
    found: dict[str, LinkedPackage] = {}
    path: list[str] = []
    for line in tree.splitlines():
        depth, name, version = re.match(r"(\d+) (\S+) v(\S+)", line).groups()
        package = LinkedPackage(name, version)
        found.setdefault(package.purl, package)
        del path[int(depth) :]
        if path:
            found[path[-1]].uses.add(package.purl)
        path.append(package.purl)
    for metadata in json.loads(cargo("metadata", "--format-version", "1"))["packages"]:
        purl = LinkedPackage(metadata["name"], metadata["version"]).purl
        if purl in found:
            found[purl].metadata = metadata
    return found


def checksums() -> dict[str, str]:
    """Return the SHA-256 checksums of the packages of the registry, by package URL."""
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text(encoding="utf-8"))
    named = ((LinkedPackage(entry["name"], entry["version"]), entry.get("checksum")) for entry in lock["package"])
    return {package.purl: checksum for package, checksum in named if checksum}


def compiler_version() -> str:
    """Return the version of the Rust compiler, which is that of the linked standard library."""
    version = subprocess.run(["rustc", "--version"], check=True, text=True, stdout=subprocess.PIPE).stdout
    return version.split()[1]


def component(package: LinkedPackage, sums: dict[str, str]) -> dict:
    """Return the entry of a package in the SBOM."""
    entry = {
        "type": "library",
        "bom-ref": package.purl,
        "name": package.name,
        "version": package.version,
        "licenses": [{"expression": package.license}],
        "purl": package.purl,
    }
    if description := package.metadata["description"]:
        entry["description"] = " ".join(description.split())
    if checksum := sums.get(package.purl):
        entry["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    if repository := package.metadata["repository"]:
        entry["externalReferences"] = [{"type": "vcs", "url": repository}]
    return entry


def sbom(packages: dict[str, LinkedPackage], target: str) -> str:
    """Return a software bill of materials in CycloneDX 1.5 (JSON)."""
    sums = checksums()
    program, *others = packages.values()
    standard_library = {
        "type": "library",
        "bom-ref": "rust-std",
        "name": "rust-std",
        "version": compiler_version(),
        "licenses": [{"expression": "MIT OR Apache-2.0"}],
    }
    properties = [{"name": "cargo:target", "value": target}]
    main = component(program, sums) | {"type": "application", "name": "tafl", "properties": properties}
    edges = {package.purl: sorted(package.uses) for package in packages.values()}
    edges[program.purl].append("rust-std")
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": main},
        "components": sorted((component(package, sums) for package in others), key=lambda entry: entry["purl"]) + [standard_library],
        "dependencies": [{"ref": ref, "dependsOn": uses} for ref, uses in sorted(edges.items())],
    }
    number = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(document, sort_keys=True))
    return json.dumps(document | {"serialNumber": f"urn:uuid:{number}"}, indent=1, ensure_ascii=False) + "\n"


def notices(folder: Path) -> list[Path]:
    """Return the files with license texts of a package, including those of C libraries that it bundles."""
    folders = [folder, *(path for path in folder.iterdir() if path.is_dir())]
    files = (file for parent in folders for file in sorted(parent.iterdir()) if NOTICE.match(file.name))
    return sorted(file for file in files if file.is_file() and file.suffix not in CODE_SUFFIXES)


def licenses(packages: dict[str, LinkedPackage]) -> str:
    """Return the license texts of third-party packages; a text that several packages share appears once."""
    texts: dict[str, str] = {}
    users: dict[str, list[str]] = {}
    without: list[str] = []

    def add(file: Path, user: str) -> None:
        text = file.read_text(encoding="utf-8", errors="replace").strip().replace("\r\n", "\n")
        # Line breaks and indentation differ between copies of the same license.
        key = hashlib.sha256(" ".join(text.split()).encode()).hexdigest()
        texts[key] = text
        users.setdefault(key, []).append(user)

    for package in sorted(packages.values(), key=lambda package: package.purl):
        if package.metadata["source"] is None:
            continue
        folder = Path(package.metadata["manifest_path"]).parent
        files = notices(folder)
        if not files:
            without.append(f"{package.name} {package.version}: {package.license}")
        for file in files:
            add(file, f"{package.name} {package.version}: {file.relative_to(folder).as_posix()}")
    add(ROOT / "reports/assets/TaflbaseSans-LICENSE.txt", "the font TaflbaseSans, a subset of DejaVu Sans")

    parts = ["License texts and copyright notices of the packages linked into tafl, which itself is licensed under MIT or Apache-2.0."]
    if without:
        parts.append("These packages contain no license file. Their manifests declare:\n\n" + "\n".join(without))
    ordered = sorted(texts, key=lambda key: users[key])
    parts += ["\n".join(users[key]) + "\n\n" + texts[key] for key in ordered]
    return ("\n\n" + "-" * 78 + "\n\n").join(parts) + "\n"


def main() -> None:
    """Print the document named on the command line."""
    parser = argparse.ArgumentParser(description="Describe the packages that are linked into tafl")
    parser.add_argument("document", choices=["sbom", "licenses"])
    parser.add_argument("--target", required=True, help="the target of the program, such as x86_64-unknown-linux-gnu")
    parser.add_argument("--no-default-features", action="store_true", help="describe the program without the database")
    arguments = parser.parse_args()
    features = ["--no-default-features"] if arguments.no_default_features else []
    packages = linked_packages(arguments.target, features)
    text = sbom(packages, arguments.target) if arguments.document == "sbom" else licenses(packages)
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
