//! Temporary folders.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;

/// Creates a new temporary folder, such as `tafl-demo-4711`.
///
/// A folder of a killed program with the same process number is not reused, because its files would be taken for those of
/// this run.
///
/// # Errors
///
/// Returns an error if no folder can be created.
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
            created => {
                created.with_context(|| path.display().to_string())?;
                return Ok(path);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_existing_folder_is_not_reused() {
        let (first, second) = (folder("test").unwrap(), folder("test").unwrap());
        assert_ne!(first, second);
        assert!(first.is_dir() && second.is_dir());
        fs::remove_dir(first).unwrap();
        fs::remove_dir(second).unwrap();
    }
}
