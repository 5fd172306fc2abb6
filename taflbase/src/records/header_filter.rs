//! Headers of written records: each record begins with one in some notations, and a file has only one.

use tafl_parser::Format;

/// Drops the header line of each record but the first one of a file, in notations with headers.
///
/// # Examples
///
/// ```
/// use taflbase::parser::Format;
/// use taflbase::records::HeaderFilter;
///
/// let mut headers = HeaderFilter::new(Format::Csv);
/// let text: String = ["id,moves\n1,d1-d3\n", "id,moves\n2,d1-c1\n"].map(|record| headers.filter(0, record)).concat();
/// assert_eq!(text, "id,moves\n1,d1-d3\n2,d1-c1\n");
/// ```
#[derive(Debug, Clone)]
pub struct HeaderFilter {
    has_header: bool,
    /// The file of the last record.
    file: Option<usize>,
}

impl HeaderFilter {
    /// Creates a filter for records in a notation.
    pub const fn new(format: Format) -> HeaderFilter {
        HeaderFilter { has_header: format.has_header(), file: None }
    }

    /// Returns the part of a record's text to write into the file with a number.
    pub fn filter<'t>(&mut self, file: usize, text: &'t str) -> &'t str {
        if !self.has_header || text.is_empty() || self.file.replace(file) != Some(file) {
            return text;
        }
        text.split_once('\n').map_or(text, |(_, rows)| rows)
    }
}
