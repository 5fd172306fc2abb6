//! Corpora among the paths of a command: they are opened, and never read as folders of files.

use std::path::{Path, PathBuf};

use crate::escape::escape_path;
use crate::{Error, Result};

/// Returns whether a path is the folder of a corpus. It may have lost its manifest: opening it is an error that says so, and it
/// must not be read as a folder without records.
pub fn is_corpus(path: &Path) -> bool {
    path.join("manifest.json").is_file()
        || (path.join("writer.lock").is_file() && path.join("segments").is_dir())
}

/// Returns the corpus that paths name, or `None` if they name files of records.
///
/// # Errors
///
/// Returns an error if a corpus is one of several paths.
///
/// # Examples
///
/// ```
/// assert_eq!(taflbase::records::sole_corpus(&["games.otg".into(), "-".into()]), Ok(None));
/// ```
pub fn sole_corpus(paths: &[PathBuf]) -> Result<Option<&Path>> {
    match (paths, paths.iter().find(|path| is_corpus(path))) {
        (_, None) => Ok(None),
        ([_], Some(corpus)) => Ok(Some(corpus)),
        (_, Some(corpus)) => {
            let corpus = escape_path(corpus);
            let message = format!("{corpus}: a corpus can't be combined with other files or corpora");
            let help = "add files to the corpus with `tafl import`, or join corpora with `tafl merge`";
            Err(Error::parameter("paths", message).with_help(help))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(feature = "database")]
    fn a_corpus_is_known_also_without_its_manifest() {
        use crate::StreamRequest as _;
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(!is_corpus(manifest));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.corpus");
        let paths = vec![manifest.join("../cli/samples")];
        let import = crate::database::ImportRequest { corpus: path.clone(), paths, ..Default::default() };
        import.run(&crate::App::new(), &crate::Job::default(), &mut |_| Ok(())).unwrap();
        assert!(is_corpus(&path));
        std::fs::remove_file(path.join(tafl_corpus::MANIFEST_FILE)).unwrap();
        assert!(is_corpus(&path));
    }

    #[test]
    fn a_corpus_is_the_only_path() {
        let folder = tempfile::tempdir().unwrap();
        let [corpus, file] = ["games.corpus", "games.csv"].map(|name| folder.path().join(name));
        std::fs::create_dir(&corpus).unwrap();
        std::fs::write(corpus.join("manifest.json"), "{}").unwrap();
        std::fs::write(&file, "d2-c2\n").unwrap();
        assert_eq!(sole_corpus(std::slice::from_ref(&corpus)), Ok(Some(&*corpus)));
        assert_eq!(sole_corpus(&[file.clone(), file.clone()]), Ok(None));
        for paths in [[corpus.clone(), file.clone()], [file, corpus.clone()], [corpus.clone(), corpus]] {
            let error = sole_corpus(&paths).unwrap_err();
            assert_eq!(error.parameter.as_deref(), Some("paths"), "{paths:?}");
            assert!(error.to_string().contains("games.corpus: a corpus can't be combined"), "{error}");
        }
    }
}
