//! Folders among the temporary files.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;

/// Makes a folder that was not there before, such as `tafl-demo-4711`.
///
/// What a killed program with the same number left is not taken over: it would be taken for what this run made.
///
/// # Errors
///
/// Fails when no folder can be made.
pub(crate) fn folder(name: &str) -> anyhow::Result<PathBuf> {
    let process = std::process::id();
    let mut path = std::env::temp_dir().join(format!("tafl-{name}-{process}"));
    let mut number = 1;
    loop {
        match fs::create_dir(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                number += 1;
                path.set_file_name(format!("tafl-{name}-{process}-{number}"));
            }
            made => {
                made.with_context(|| path.display().to_string())?;
                return Ok(path);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_there_already_is_not_taken_over() {
        let (first, second) = (folder("test").unwrap(), folder("test").unwrap());
        assert_ne!(first, second);
        assert!(first.is_dir() && second.is_dir());
        fs::remove_dir(first).unwrap();
        fs::remove_dir(second).unwrap();
    }
}
