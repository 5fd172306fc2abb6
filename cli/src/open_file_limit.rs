//! The limit of open files (`ulimit -n`).

/// Raises the limit of open files. It is 256 on macOS and 1024 on Linux, but a server can have more than 800 files of a
/// corpus open while the corpus changes. A program may raise this soft limit up to the hard limit.
pub fn raise_open_file_limit() {
    #[cfg(unix)]
    {
        /// More than any corpus needs: at most 35 small segments, and few large ones, with 15 files each.
        const MAX_OPEN_FILES: u64 = 65_536;
        // If it can't be raised, the program works with fewer files.
        let _ = rlimit::increase_nofile_limit(MAX_OPEN_FILES);
    }
}
