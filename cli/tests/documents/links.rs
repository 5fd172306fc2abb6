//! Checks that the guide links to every page and that every link has a target.

use std::fs;

use super::{pages, root};

#[test]
fn the_guide_links_to_every_page() {
    let contents = fs::read_to_string(root().join("docs/README.md")).unwrap();
    for (name, _) in pages() {
        let link =
            name.strip_prefix("docs/").map_or_else(|| format!("(../{name})"), |name| format!("({name})"));
        let is_linked = name.ends_with("docs/README.md") || name == "README.md" || contents.contains(&link);
        assert!(is_linked, "docs/README.md has no link to {name}");
    }
}

/// Returns the links of a page to files in this repository, each with its fragment. Those in code are examples.
fn links(page: &str) -> Vec<(&str, Option<&str>)> {
    let prose = || page.split("\n```").step_by(2);
    let targets = prose().flat_map(|part| part.split("](").skip(1).filter_map(|rest| rest.split(')').next()));
    let images =
        prose().flat_map(|part| part.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next()));
    let inside = targets.chain(images).filter(|target| !target.contains("://") && !target.contains(' '));
    inside
        .map(|target| target.split_once('#').map_or((target, None), |(file, part)| (file, Some(part))))
        .collect()
}

/// Returns the fragment that links to a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|symbol| symbol.is_alphanumeric() || " -_".contains(*symbol));
    kept.collect::<String>().trim().to_lowercase().replace(' ', "-")
}

#[test]
fn every_link_has_a_target() {
    for (name, page) in pages() {
        let source = root().join(&name);
        for (file, part) in links(&page) {
            let target = if file.is_empty() { source.clone() } else { source.with_file_name("").join(file) };
            assert!(target.exists(), "{name}: {file} does not exist");
            let Some(part) = part else { continue };
            let text = fs::read_to_string(&target).unwrap();
            let headings = text.lines().filter_map(|line| line.strip_prefix('#'));
            let has_heading = headings.map(|line| anchor(line.trim_start_matches('#'))).any(|it| it == part);
            assert!(has_heading, "{name}: {file} has no heading for #{part}");
        }
    }
}
