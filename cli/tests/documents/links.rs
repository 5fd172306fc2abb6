//! Every page is found, and every link leads somewhere.

use std::fs;

use super::{pages, root};

#[test]
fn the_guide_leads_to_every_page() {
    let contents = fs::read_to_string(root().join("docs/README.md")).unwrap();
    for (name, _) in pages() {
        let link =
            name.strip_prefix("docs/").map_or_else(|| format!("(../{name})"), |name| format!("({name})"));
        let is_there = name.ends_with("docs/README.md") || name == "README.md" || contents.contains(&link);
        assert!(is_there, "docs/README.md does not lead to {name}");
    }
}

/// Returns where the links of a page lead to in this repository, with what stands behind `#`.
fn links(page: &str) -> Vec<(&str, Option<&str>)> {
    let targets = page.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let images = page.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let inside = targets.chain(images).filter(|target| !target.contains("://") && !target.contains(' '));
    inside
        .map(|target| target.split_once('#').map_or((target, None), |(file, part)| (file, Some(part))))
        .collect()
}

/// Returns the name under which a heading is reached.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|sign| sign.is_alphanumeric() || " -_".contains(*sign));
    kept.collect::<String>().trim().to_lowercase().replace(' ', "-")
}

#[test]
fn every_link_leads_somewhere() {
    for (name, page) in pages() {
        let here = root().join(&name);
        for (file, part) in links(&page) {
            let target = if file.is_empty() { here.clone() } else { here.with_file_name("").join(file) };
            assert!(target.exists(), "{name}: {file} is not there");
            let Some(part) = part else { continue };
            let text = fs::read_to_string(&target).unwrap();
            let headings = text.lines().filter_map(|line| line.strip_prefix('#'));
            let is_there = headings.map(|line| anchor(line.trim_start_matches('#'))).any(|it| it == part);
            assert!(is_there, "{name}: {file} has no heading for #{part}");
        }
    }
}
