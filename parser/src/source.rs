//! Named texts and positions in them.

use tafl_rules::Span;

/// The text of one record, with its position in the file.
///
/// Every [`Span`] of a [`Record`](crate::Record) and of a [`Diagnostic`](crate::Diagnostic) is in bytes from
/// the start of `text`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source<'a> {
    /// The file name for messages; `-` for standard input.
    pub name: &'a str,
    /// The text of the record, after the header of its table if it has one.
    pub text: &'a str,
    /// The length of this header in bytes: it is the beginning of the file, not of the record.
    pub header: usize,
    /// The offset of the record in its decompressed file, in bytes.
    pub base: u64,
    /// The line of the file in which the record begins, from 1.
    pub line: u64,
    /// The column of this line in which the record begins, in characters from 1.
    pub column: u64,
    /// The number of the record in its file, from 1.
    pub ordinal: u64,
}

impl<'a> Source<'a> {
    /// Creates a source for a text that is not part of a file.
    pub const fn new(text: &'a str) -> Source<'a> {
        Source { name: "-", text, header: 0, base: 0, line: 1, column: 1, ordinal: 1 }
    }

    /// Creates a source for the whole text of a named file.
    pub const fn named(name: &'a str, text: &'a str) -> Source<'a> {
        Source { name, ..Source::new(text) }
    }

    /// Returns the offset in the file of a byte of the text. Bytes of the header have that of the record.
    pub fn offset(&self, at: u32) -> u64 {
        self.base + (at as usize).saturating_sub(self.header) as u64
    }

    /// Returns whether a line of the file, from 1, has a part of the record.
    pub fn is_in_line(&self, line: u64) -> bool {
        let text = self.text.get(self.header..).unwrap_or_default().trim_end();
        let n_more = memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64;
        (self.line..=self.line + n_more).contains(&line)
    }

    /// Returns whether a place of the file is in the record, or directly after it, where an end can be missing.
    pub fn has_place(&self, place: LineCol) -> bool {
        let start = LineCol { line: self.line, column: self.column };
        let text = self.text.as_bytes().get(self.header..).unwrap_or_default();
        (start..=start.after(text)).contains(&place)
    }

    /// Returns the span of `part`, or `None` if it is not a slice of this text.
    ///
    /// Slices are compared by address: an equal string elsewhere in memory does not count.
    pub fn span_of(&self, part: &str) -> Option<Span> {
        let start = (part.as_ptr() as usize).checked_sub(self.text.as_ptr() as usize)?;
        (start + part.len() <= self.text.len()).then(|| Span::new(start, start + part.len()))
    }

    /// Returns the text of a span, or an empty string if the span is out of range.
    pub fn at(&self, span: Span) -> &'a str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }
}

/// Returns the place of the record in a line of a file for people: `games.csv:L4`. A number without the letter would be the
/// number of a game.
pub fn record_place(file: &str, line: u64) -> String {
    format!("{file}:L{line}")
}

/// Returns the last part of a path, the name of a file without its folder. Records come from all systems, so both `/` and `\`
/// separate folders on each of them.
///
/// # Examples
///
/// ```
/// use tafl_parser::file_name;
///
/// assert_eq!(file_name("/srv/ann/games.otg"), "games.otg");
/// assert_eq!(file_name("C:\\games\\a.csv"), "a.csv");
/// assert_eq!(file_name("a.csv"), "a.csv");
/// ```
pub fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Whether a text ends after the given bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextEnd {
    /// More bytes may follow.
    Unknown,
    /// It is the end.
    Known,
}

impl TextEnd {
    /// Returns whether the text ends.
    pub(crate) const fn is_known(self) -> bool {
        matches!(self, TextEnd::Known)
    }
}

/// A position in a file for people: lines and columns from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineCol {
    /// The line of the file, from 1.
    pub line: u64,
    /// The column in characters, from 1.
    pub column: u64,
}

impl LineCol {
    /// The position of the first byte of a file.
    pub(crate) const START: LineCol = LineCol { line: 1, column: 1 };

    /// Returns the position after bytes that begin at this one.
    pub(crate) fn after(self, bytes: &[u8]) -> LineCol {
        let n_lines = memchr::memchr_iter(b'\n', bytes).count() as u64;
        let last = memchr::memrchr(b'\n', bytes).map_or(bytes, |end| &bytes[end + 1..]);
        let before = if n_lines == 0 { self.column } else { 1 };
        LineCol { line: self.line + n_lines, column: before + u64::from(count_characters(last)) }
    }
}

/// The start offsets of the lines of a text.
#[derive(Debug, Clone)]
pub struct LineIndex<'a> {
    source: Source<'a>,
    /// The number of lines of the header of the record's table.
    n_header: u64,
    /// Byte offsets of the first byte of each line; the first is 0.
    starts: Vec<u32>,
    /// The number of characters before each [`BLOCK`] of bytes, so that the column is found quickly in lines
    /// of any length.
    characters: Vec<u32>,
}

/// The block size of the character counts, in bytes.
const BLOCK: usize = 4096;

impl<'a> LineIndex<'a> {
    /// Builds the index in one pass over the text.
    pub fn new(source: Source<'a>) -> LineIndex<'a> {
        let ends = memchr::memchr_iter(b'\n', source.text.as_bytes());
        let starts = std::iter::once(0).chain(ends.map(|end| end as u32 + 1)).collect();
        let blocks = source.text.as_bytes().chunks(BLOCK).scan(0, |before, block| {
            let here = *before;
            *before += count_characters(block);
            Some(here)
        });
        let header = &source.text.as_bytes()[..source.header.min(source.text.len())];
        let n_header = memchr::memchr_iter(b'\n', header).count() as u64;
        LineIndex { source, n_header, starts, characters: blocks.collect() }
    }

    /// Returns the position of a byte offset in the file that contains the text.
    ///
    /// An offset after the end counts as the end, an offset inside a character as its start, and an offset in the header of a
    /// table as the start of the record.
    pub fn line_col(&self, offset: u32) -> LineCol {
        let nth = self.nth(offset);
        let before = |at: usize| {
            // The end of a text can be that of its last block.
            let block = (at / BLOCK).min(self.characters.len().saturating_sub(1));
            let known = self.characters.get(block).copied().unwrap_or(0);
            known + count_characters(&self.source.text.as_bytes()[block * BLOCK..at])
        };
        let (start, end) = (self.starts[nth] as usize, self.clamp(offset));
        let n_characters = if end - start <= BLOCK {
            count_characters(&self.source.text.as_bytes()[start..end])
        } else {
            before(end) - before(start)
        };
        let n_lines = (nth as u64).saturating_sub(self.n_header);
        let first = if n_lines == 0 { self.source.column } else { 1 };
        LineCol { line: self.source.line + n_lines, column: first + u64::from(n_characters) }
    }

    /// Returns the line around a byte offset, without its line feed, as a span.
    pub fn line_span(&self, offset: u32) -> Span {
        let nth = self.nth(offset);
        let start = self.starts[nth] as usize;
        let end = self.starts.get(nth + 1).map_or(self.source.text.len(), |next| *next as usize - 1);
        let end = if self.source.text[start..end].ends_with('\r') { end - 1 } else { end };
        Span::new(start, end)
    }

    fn clamp(&self, offset: u32) -> usize {
        self.source.text.floor_char_boundary((offset as usize).max(self.source.header))
    }

    fn nth(&self, offset: u32) -> usize {
        self.starts.partition_point(|start| *start as usize <= self.clamp(offset)) - 1
    }
}

/// Returns the number of characters that begin in these bytes of a text.
fn count_characters(bytes: &[u8]) -> u32 {
    // Continuation bytes of UTF-8 belong to the previous character.
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_a_long_line_are_those_that_counting_gives() {
        let text = format!("{}\n{}", "æ".repeat(7000), "aæ王".repeat(5000));
        let index = LineIndex::new(Source::new(&text));
        let mut at = 0;
        for line in text.split('\n') {
            for (nth, (offset, _)) in line.char_indices().enumerate().step_by(997) {
                assert_eq!(index.line_col((at + offset) as u32).column, nth as u64 + 1);
            }
            at += line.len() + 1;
        }
        assert_eq!(index.line_col(text.len() as u32).column, 15_001);
    }

    #[test]
    fn the_end_of_a_text_of_whole_blocks_has_its_column() {
        let text = format!("x\n{}", "a".repeat(2 * BLOCK - 2));
        assert_eq!(text.len(), 2 * BLOCK);
        let end = LineIndex::new(Source::new(&text)).line_col(text.len() as u32);
        assert_eq!(end, LineCol { line: 2, column: 2 * BLOCK as u64 - 1 });
    }

    #[test]
    fn columns_count_characters_and_lines_count_from_the_file() {
        let source = Source { line: 7, ..Source::new("æsir\r\nd1-d3 é x\n") };
        let index = LineIndex::new(source);
        assert_eq!(index.line_col(0), LineCol { line: 7, column: 1 });
        assert_eq!(index.line_col(1), LineCol { line: 7, column: 1 });
        assert_eq!(index.line_col(2), LineCol { line: 7, column: 2 });
        let x = source.text.find('x').unwrap() as u32;
        assert_eq!(index.line_col(x), LineCol { line: 8, column: 9 });
        assert_eq!(source.at(index.line_span(1)), "æsir");
        assert_eq!(source.at(index.line_span(x)), "d1-d3 é x");
        assert_eq!(index.line_col(999), LineCol { line: 9, column: 1 });
    }

    #[test]
    fn a_record_in_the_middle_of_a_line_has_the_columns_of_the_file() {
        let file = "(;GM[29])(;C[æ])\n æ(;GM[29]\n;B[d1-d3])";
        let at = |offset: usize| LineCol::START.after(&file.as_bytes()[..offset]);
        for (offset, _) in file.char_indices().filter(|(_, symbol)| *symbol == '(') {
            let LineCol { line, column } = at(offset);
            let index = LineIndex::new(Source { line, column, ..Source::new(&file[offset..]) });
            for later in (offset..file.len()).filter(|later| file.is_char_boundary(*later)) {
                assert_eq!(index.line_col((later - offset) as u32), at(later), "{offset} {later}");
            }
            let tree = &file[offset..=offset + file[offset..].find(')').unwrap()];
            let source = Source { line, column, ..Source::new(tree) };
            for (place, _) in file.char_indices() {
                let is_inside = (offset..=offset + tree.len()).contains(&place);
                assert_eq!(source.has_place(at(place)), is_inside, "{offset} {place}");
            }
            let parts =
                file.as_bytes()[..offset].chunks(3).fold(LineCol::START, |place, part| place.after(part));
            assert_eq!(parts, at(offset));
        }
    }

    #[test]
    fn the_header_of_a_table_is_in_no_line_of_the_record() {
        let text = "variant,moves\nbrandubh7,\"d2-c2\ne4-e1\"\n";
        let header = text.find('\n').unwrap() + 1;
        let source = Source { header, base: 70, line: 9, ..Source::new(text) };
        let index = LineIndex::new(source);
        let first = text.find("brandubh7").unwrap() as u32;
        assert_eq!(index.line_col(first), LineCol { line: 9, column: 1 });
        assert_eq!(index.line_col(text.find("e4").unwrap() as u32), LineCol { line: 10, column: 1 });
        // A finding about the whole record, which has no place of its own, is in its first line.
        assert_eq!(index.line_col(0), LineCol { line: 9, column: 1 });
        assert_eq!(source.at(index.line_span(0)), "brandubh7,\"d2-c2");
        assert_eq!((source.offset(first), source.offset(first + 3)), (70, 73));
        assert_eq!([8, 9, 10, 11].map(|line| source.is_in_line(line)), [false, true, true, false]);
    }

    #[test]
    fn a_part_is_found_by_its_address() {
        let text = String::from("d1-d3 d1-d3");
        let source = Source::new(&text);
        assert_eq!(source.span_of(&text[6..]), Some(Span::new(6, 11)));
        assert_eq!(source.span_of("elsewhere"), None);
    }
}
