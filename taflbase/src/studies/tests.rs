//! Studies in a temporary folder.

use super::*;

const GAME: &str = r#"{"taflbase":1,"variant":"brandubh7","lines":[{"moves":"d2-c2 d3-c3"},{"parent":0,"at":0,"moves":"d1-c1"}]}"#;

fn folder() -> (tempfile::TempDir, StudyFolder) {
    let folder = tempfile::tempdir().unwrap();
    let studies = StudyFolder::new(folder.path().join("studies"));
    (folder, studies)
}

fn titles(studies: &StudyFolder) -> Vec<String> {
    studies.list().unwrap().into_iter().map(|study| study.title).collect()
}

#[test]
fn studies_are_saved_renamed_and_removed() {
    let (_folder, studies) = folder();
    assert_eq!(titles(&studies), [] as [&str; 0]);
    let saved = studies.save(" ../Ways? ", &format!("{GAME}\n\n{GAME}"), None).unwrap();
    assert_eq!((saved.title.as_str(), saved.games), ("../Ways?", 2));
    assert_eq!(fs::read_dir(studies.path()).unwrap().count(), 1, "the new file took its place");
    assert_eq!(studies.rename("../Ways?", "Con").unwrap().version, saved.version);
    assert_eq!(titles(&studies), ["Con"]);
    studies.rename("Con", "con").unwrap();
    assert_eq!(studies.open("con").unwrap().games, [GAME, GAME]);
    assert_eq!(studies.open("Con").unwrap_err().kind, ErrorKind::UnknownStudy);
    studies.remove("con", &saved.version).unwrap();
    assert_eq!(titles(&studies), [] as [&str; 0]);
    assert_eq!(studies.remove("con", &saved.version).unwrap_err().kind, ErrorKind::UnknownStudy);
}

#[test]
fn another_version_is_never_overwritten() {
    let (_folder, studies) = folder();
    let first = studies.save("A", GAME, None).unwrap();
    let kind = |result: Result<StudyEntry>| result.unwrap_err().kind;
    for title in ["A", "a"] {
        assert_eq!(kind(studies.save(title, GAME, None)), ErrorKind::Conflict, "{title}");
    }
    let second = studies.save("A", &format!("{GAME}\n{GAME}"), Some(&first.version)).unwrap();
    assert_ne!(second.version, first.version);
    assert_eq!(kind(studies.save("A", GAME, Some(&first.version))), ErrorKind::Conflict);
    assert_eq!(studies.remove("A", &first.version).unwrap_err().kind, ErrorKind::Conflict);
    assert_eq!(kind(studies.save("B", GAME, Some(&first.version))), ErrorKind::Conflict);
    studies.save("B", GAME, None).unwrap();
    assert_eq!(kind(studies.rename("B", "A")), ErrorKind::Conflict);
    assert_eq!(studies.open("A").unwrap().games.len(), 2);
}

#[test]
fn only_records_are_studies() {
    let (_folder, studies) = folder();
    for wrong in ["", "\n", "1. d2-c2", "{\"taflbase\":1", "[]"] {
        assert_eq!(studies.save("A", wrong, None).unwrap_err().kind, ErrorKind::BadRecord, "{wrong:?}");
    }
    let empty = r#"{"taflbase":1,"variant":"brandubh7","lines":[{"moves":""}],"comments":[]}"#;
    assert_eq!(checked(empty).unwrap(), format!("{empty}\n"), "the start of a new game");
    let many = format!("{GAME}\n").repeat(MAX_GAMES + 1);
    assert_eq!(studies.save("A", &many, None).unwrap_err().kind, ErrorKind::TooLarge);
    assert!(!studies.path().exists(), "nothing is created for a wrong study");
}

#[test]
fn files_of_users_are_studies_and_others_are_left_out() {
    let (_folder, studies) = folder();
    fs::create_dir(studies.path()).unwrap();
    for name in ["Own file.jsonl", "notes.txt", ".123.new", "a%2fb.jsonl", "%ff.jsonl"] {
        fs::write(studies.path().join(name), format!("{GAME}\n")).unwrap();
    }
    assert_eq!(titles(&studies), ["Own file"]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_title_that_differs_only_in_case_is_taken() {
    let (_folder, studies) = folder();
    fs::create_dir(studies.path()).unwrap();
    for name in ["A.jsonl", "a.jsonl"] {
        fs::write(studies.path().join(name), format!("{GAME}\n")).unwrap();
    }
    assert_eq!(studies.rename("A", "a").unwrap_err().kind, ErrorKind::Conflict);
    assert_eq!(titles(&studies), ["A", "a"]);
}
