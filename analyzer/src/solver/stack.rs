//! Room for deep recursion: proofs are as deep as the games that they speak of.

/// The stack that is enough for the longest path of a search and the longest claim of a certificate.
const BYTES: usize = 64 << 20;

/// Runs something on a thread of its own that has a deep stack.
pub(super) fn with_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("solver".to_owned()).stack_size(BYTES);
        match thread.spawn_scoped(scope, work) {
            Ok(handle) => handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(error) => panic!("no thread can be started: {error}"),
        }
    })
}
