//! Panics of libraries, which become errors: polars and tantivy panic on some damaged files.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The libraries whose threads may panic, by the names of their source folders.
const LIBRARIES: [&str; 2] = ["polars", "tantivy"];

/// The number of calls of libraries on all threads.
static N_CALLS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The number of calls of libraries on this thread.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Counts a call until it is dropped, also if it panics.
struct LibraryCall;

impl LibraryCall {
    fn begin() -> LibraryCall {
        N_CALLS.fetch_add(1, Ordering::Relaxed);
        DEPTH.set(DEPTH.get() + 1);
        LibraryCall
    }
}

impl Drop for LibraryCall {
    fn drop(&mut self) {
        N_CALLS.fetch_sub(1, Ordering::Relaxed);
        DEPTH.set(DEPTH.get() - 1);
    }
}

/// Calls a library, and returns `None` if it panics.
pub(crate) fn catch<T>(call: impl FnOnce() -> T) -> Option<T> {
    let _call = LibraryCall::begin();
    panic::catch_unwind(AssertUnwindSafe(call)).ok()
}

/// Keeps the panics of libraries that become errors from being printed. Other panics are printed as before.
///
/// A program calls this once, when it starts.
pub fn hide_library_panics() {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if !becomes_error(panic) {
            print(panic);
        }
    }));
}

fn becomes_error(panic: &PanicHookInfo<'_>) -> bool {
    // A library may panic on one of its own threads, and then passes the panic on to the calling thread.
    let is_of_library = || panic.location().is_some_and(|place| is_of_library(place.file()));
    DEPTH.get() > 0 || (N_CALLS.load(Ordering::Relaxed) > 0 && is_of_library())
}

/// Returns whether a source file is in the folder of a library or of one of its parts, such as `polars-core-0.55.0`.
fn is_of_library(file: &str) -> bool {
    let is_name = |part: &str, name: &str| part.strip_prefix(name).is_some_and(|rest| rest.starts_with('-'));
    file.split(['/', '\\']).any(|part| LIBRARIES.into_iter().any(|name| is_name(part, name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_of_libraries_are_known_on_every_system() {
        for file in [
            "/registry/src/index/polars-core-0.55.0/src/a.rs",
            r"C:\registry\src\index\tantivy-0.27.0\src\a.rs",
        ] {
            assert!(is_of_library(file), "{file}");
        }
        for file in ["corpus/src/parquet.rs", "/build/polars/corpus/src/scan.rs", r"C:\tantivy\src\a.rs"] {
            assert!(!is_of_library(file), "{file}");
        }
    }

    #[test]
    fn a_panic_of_a_library_is_caught_and_counted_as_one() {
        assert_eq!(catch(|| DEPTH.get()), Some(1));
        assert_eq!(catch(|| -> () { panic!("as a library does") }), None);
        assert_eq!(DEPTH.get(), 0, "panics after the call are not hidden");
    }
}
