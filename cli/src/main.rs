//! The program `tafl`.
fn main() {}
