//! Manifests that are damaged, forged, or of other versions.

use super::*;

fn entry(removed: &[u32]) -> SegmentEntry {
    let mut entry = SegmentEntry {
        number: 1,
        name: "a".into(),
        games: 100,
        plies: 1000,
        removed: Vec::new(),
        files: Vec::new(),
    };
    entry.remove(removed.iter().copied());
    entry
}

#[test]
fn removed_rows_are_stored_as_ranges() {
    let mut segment = entry(&[7, 3, 4, 5]);
    assert_eq!(segment.removed, [[3, 5], [7, 7]]);
    segment.remove([6, 0, 5]);
    assert_eq!(segment.removed, [[0, 0], [3, 7]]);
    assert_eq!(segment.n_removed(), 6);
    let gone: Vec<u32> = (0..100).filter(|row| segment.is_removed(*row)).collect();
    assert_eq!(gone, [0, 3, 4, 5, 6, 7]);
}

#[test]
fn every_flipped_bit_of_a_manifest_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let mut manifest = Manifest { next: 2, segments: vec![entry(&[1, 2])], ..Manifest::default() };
    manifest.write(folder.path()).unwrap();
    assert_eq!(Manifest::read(folder.path()).unwrap(), manifest);
    let path = folder.path().join(MANIFEST_FILE);
    let bytes = fs::read(&path).unwrap();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        fs::write(&path, damaged).unwrap();
        assert!(Manifest::read(folder.path()).is_err(), "byte {at}");
    }
}

#[test]
fn files_outside_of_the_corpus_and_rows_that_are_not_there_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str, path: &str, removed: &[[u32; 2]]| {
        let file = FileEntry { path: path.into(), size: 1, xxh3: hex(1) };
        let (name, removed) = (name.to_owned(), removed.to_vec());
        let segment = SegmentEntry { name, removed, files: vec![file], ..entry(&[]) };
        let mut manifest = Manifest { next: 2, segments: vec![segment], ..Manifest::default() };
        manifest.write(folder.path()).unwrap();
        Manifest::read(folder.path())
    };
    assert!(read("000001-a", "index/b", &[[0, 1], [2, 2], [99, 99]]).is_ok());
    let names = [("..", "b"), ("a/b", "b"), ("a\\b", "b"), ("/a", "b"), ("", "b")];
    let paths = [("a", "../b"), ("a", "b/../../c"), ("a", "/b"), ("a", "")];
    for (name, path) in names.into_iter().chain(paths) {
        let error = read(name, path, &[]).unwrap_err().to_string();
        assert!(
            error.contains("is not a valid name of a segment") || error.contains("is not a path below"),
            "{error}"
        );
    }
    for removed in [&[[1, 0]][..], &[[0, 100]], &[[3, 5], [5, 6]], &[[7, 8], [1, 2]]] {
        let error = read("a", "b", removed).unwrap_err().to_string();
        assert!(error.contains("removed rows"), "{error}");
    }
}

#[test]
fn numbers_that_come_twice_or_again_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |mut manifest: Manifest| {
        manifest.write(folder.path()).unwrap();
        Manifest::read(folder.path()).unwrap_err().to_string()
    };
    let file = FileEntry { path: "rejected/000002.jsonl".into(), size: 1, xxh3: hex(1) };
    let side = SideFile { lines: 1, file };
    let sound = Manifest { next: 3, segments: vec![entry(&[])], rejected: vec![side], ..Manifest::default() };
    sound.clone().write(folder.path()).unwrap();
    assert!(Manifest::read(folder.path()).is_ok());
    let again = Manifest { next: 2, ..sound.clone() };
    assert!(refused(again).contains("would be overwritten"));
    let twice = Manifest { segments: vec![entry(&[]), entry(&[])], ..sound.clone() };
    assert!(refused(twice).contains("is not unique"));
    let late = Manifest { next: 1, rejected: Vec::new(), ..sound.clone() };
    assert!(refused(late).contains("is not unique"));
    for (generation, next) in [(u64::MAX, 3), (1, u64::MAX)] {
        assert!(refused(Manifest { generation, next, ..sound.clone() }).contains("too large"));
    }
}

/// A manifest as corpora of version 1 have it; whatever version comes, it is read.
const OLD: &str = r#"{
  "taflbase_corpus": 1,
  "key_version": 1,
  "tape_version": 1,
  "index_version": 1,
  "generation": 3,
  "next": 2,
  "segments": [],
  "rejected": [],
  "copies": [],
  "obsolete": [],
  "checksum": "CHECKSUM"
}
"#;

#[test]
fn a_manifest_of_version_1_is_read_and_stays_so_without_evaluations() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(MANIFEST_FILE);
    let sum = hex(checksum(OLD.replace("CHECKSUM", NO_CHECKSUM).as_bytes()));
    let old = OLD.replace("CHECKSUM", &sum);
    fs::write(&path, &old).unwrap();
    let mut manifest = Manifest::read(folder.path()).unwrap();
    manifest.write(folder.path()).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), old);
    let entry = FileEntry { path: "evals/a".into(), size: 1, xxh3: hex(1) };
    manifest.evals.push(entry);
    manifest.write(folder.path()).unwrap();
    assert_eq!(Manifest::read(folder.path()).unwrap().taflbase_corpus, 2);
}

#[test]
fn a_newer_version_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(MANIFEST_FILE), "{\"taflbase_corpus\":4,\"news\":[]}").unwrap();
    let error = Manifest::read(folder.path()).unwrap_err();
    assert!(matches!(error, CorpusError::Newer { found: 4, known: 3, .. }), "{error}");
}
