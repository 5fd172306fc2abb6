//! Many games: columns for statistics, an index for positions, a language for questions.
