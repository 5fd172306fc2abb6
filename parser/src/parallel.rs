//! Parallel map with results in input order and bounded memory.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The maximum number of finished results per thread that may wait for an earlier one.
const AHEAD: u64 = 8;

/// Takes items from `source`, processes them with `work` on `threads` threads, and passes the results to
/// `sink` in input order, until `source` is exhausted or `sink` returns `Break`.
///
/// Reading and writing are done by the thread that holds the corresponding lock, so no thread is reserved for
/// them. A thread that is too far ahead of the slowest one pauses, which bounds the number of waiting
/// results. With one thread everything runs on the calling thread.
///
/// # Panics
///
/// Panics if `source`, `work`, or `sink` panics; the other threads stop.
pub fn in_order<Question, Answer>(
    threads: NonZeroUsize,
    mut source: impl FnMut() -> Option<Question> + Send,
    work: impl Fn(Question) -> Answer + Sync,
    mut sink: impl FnMut(Answer) -> ControlFlow<()> + Send,
) where
    Answer: Send,
{
    if threads.get() == 1 {
        while let Some(question) = source() {
            if sink(work(question)).is_break() {
                return;
            }
        }
        return;
    }
    let source = Mutex::new((source, 0u64));
    let buffer = ReorderBuffer {
        state: Mutex::new(ReorderState { waiting: BTreeMap::new(), next: 0, is_closed: false }),
        sink: Mutex::new(sink),
        moved: Condvar::new(),
        ahead: AHEAD * threads.get() as u64,
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.get() {
            scope.spawn(|| {
                let _guard = CloseOnPanic(&buffer);
                while let Some((number, question)) = next_question(&source) {
                    if buffer.submit(number, work(question)).is_break() {
                        return;
                    }
                }
            });
        }
    });
}

/// Takes the next item with its number; after the end, the source is not called again.
fn next_question<Question, Source>(source: &Mutex<(Source, u64)>) -> Option<(u64, Question)>
where
    Source: FnMut() -> Option<Question>,
{
    let mut source = lock(source);
    if source.1 == u64::MAX {
        return None;
    }
    match (source.0)() {
        Some(question) => {
            source.1 += 1;
            Some((source.1 - 1, question))
        }
        None => {
            source.1 = u64::MAX;
            None
        }
    }
}

/// The buffer that puts results back into input order.
struct ReorderBuffer<Answer, Sink> {
    state: Mutex<ReorderState<Answer>>,
    sink: Mutex<Sink>,
    /// Signaled when `next` increased or the buffer was closed.
    moved: Condvar,
    ahead: u64,
}

struct ReorderState<Answer> {
    /// Results that wait for earlier ones.
    waiting: BTreeMap<u64, Answer>,
    /// The number of the next result for the sink.
    next: u64,
    is_closed: bool,
}

impl<Answer, Sink: FnMut(Answer) -> ControlFlow<()>> ReorderBuffer<Answer, Sink> {
    fn submit(&self, number: u64, answer: Answer) -> ControlFlow<()> {
        let mut state = lock(&self.state);
        while number > state.next + self.ahead && !state.is_closed {
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.is_closed {
            return ControlFlow::Break(());
        }
        state.waiting.insert(number, answer);
        // The thread that submits the expected result also passes on the results that waited for it.
        if number != state.next {
            return ControlFlow::Continue(());
        }
        let mut sink = lock(&self.sink);
        loop {
            let next = state.next;
            let Some(answer) = state.waiting.remove(&next) else { return ControlFlow::Continue(()) };
            drop(state);
            let flow = sink(answer);
            state = lock(&self.state);
            state.next += 1;
            state.is_closed |= flow.is_break();
            self.moved.notify_all();
            if state.is_closed {
                return ControlFlow::Break(());
            }
        }
    }
}

/// Closes the buffer when its thread panics, so that no thread waits forever for the missing result.
struct CloseOnPanic<'b, Answer, Sink>(&'b ReorderBuffer<Answer, Sink>);

impl<Answer, Sink> Drop for CloseOnPanic<'_, Answer, Sink> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            lock(&self.0.state).is_closed = true;
            self.0.moved.notify_all();
        }
    }
}

/// Locks a mutex even after a panic: the guarded data is consistent at every point where a panic is possible.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threads(n: usize) -> NonZeroUsize {
        NonZeroUsize::new(n).unwrap()
    }

    #[test]
    fn answers_come_in_the_order_of_the_questions() {
        for n in 1..5 {
            let mut questions = 0..2000u64;
            let mut answers = Vec::new();
            let work = |question: u64| {
                // Uneven amounts of work, so that later items finish first.
                (0..question * 7919 % 4000)
                    .fold(question, |sum, step| std::hint::black_box(sum + step - step))
            };
            in_order(
                threads(n),
                || questions.next(),
                work,
                |answer| {
                    answers.push(answer);
                    ControlFlow::Continue(())
                },
            );
            assert_eq!(answers, (0..2000).collect::<Vec<_>>(), "{n} threads");
        }
    }

    #[test]
    fn a_sink_that_breaks_off_stops_everything() {
        for n in 1..5 {
            let mut questions = 0u64..;
            let mut answers = Vec::new();
            in_order(
                threads(n),
                || questions.next(),
                |question| question,
                |answer| {
                    answers.push(answer);
                    if answers.len() == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                },
            );
            assert_eq!(answers, (0..10).collect::<Vec<_>>());
            assert!(questions.next().unwrap() < 10 + 2 * AHEAD * 5, "the source was read far ahead");
        }
    }

    #[test]
    fn a_panic_stops_every_thread() {
        let outcome = std::panic::catch_unwind(|| {
            let mut questions = 0..1000;
            let work = |question| assert_ne!(question, 100, "on purpose");
            in_order(threads(3), || questions.next(), work, |()| ControlFlow::Continue(()));
        });
        assert!(outcome.is_err());
    }
}
