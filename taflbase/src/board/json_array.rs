//! Arrays of JSON that are read one element at a time.

use std::fmt;
use std::io::Read;
use std::ops::ControlFlow;

use serde::Deserializer;
use serde::de::{SeqAccess, Visitor};
use serde_json::Value;

/// Passes the elements of an array to `take`, each as soon as it is read, until it returns `Break`. If the array can't be read
/// further, the last element is an error.
///
/// # Errors
///
/// Returns the error of the input, or that of `take`.
pub(super) fn process_array<E: From<std::io::Error>>(
    input: impl Read,
    mut take: impl FnMut(Result<Value, String>) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let mut last = Ok(ControlFlow::Continue(()));
    let mut deserializer = serde_json::Deserializer::from_reader(input);
    let elements = ElementVisitor(|element| {
        last = take(Ok(element));
        matches!(last, Ok(ControlFlow::Continue(())))
    });
    let read = deserializer.deserialize_seq(elements).and_then(|()| deserializer.end());
    match (last?, read) {
        (ControlFlow::Continue(()), Err(error)) if error.is_io() => Err(std::io::Error::from(error).into()),
        (ControlFlow::Continue(()), Err(error)) => take(Err(format!("not a JSON array: {error}"))).map(drop),
        // After `Break`, the rest of the array is not read, which is an error to the deserializer.
        (ControlFlow::Break(()), _) | (ControlFlow::Continue(()), Ok(())) => Ok(()),
    }
}

/// Passes the elements of an array to a function as long as it returns true.
struct ElementVisitor<F>(F);

impl<'de, F: FnMut(Value) -> bool> Visitor<'de> for ElementVisitor<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        while let Some(element) = list.next_element()? {
            if !(self.0)(element) {
                break;
            }
        }
        Ok(())
    }
}
