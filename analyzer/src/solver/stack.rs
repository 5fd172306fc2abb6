//! A deep stack for recursive algorithms, as a proof is as deep as its longest line.

/// The size of the stack, sufficient for the longest path of a search and the longest claim of a
/// certificate.
const BYTES: usize = 64 << 20;

/// Runs a function on a separate thread with a deep stack.
pub(super) fn with_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("solver".to_owned()).stack_size(BYTES);
        match thread.spawn_scoped(scope, work) {
            Ok(handle) => handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(error) => panic!("cannot start the solver's thread: {error}"),
        }
    })
}
