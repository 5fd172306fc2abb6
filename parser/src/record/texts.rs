//! Tags and comments.
//!
//! A record may have hundreds of thousands of them, most of a few bytes. Each list therefore keeps its texts one
//! after another in a single string: with an allocation for each text, a comment `{x}` took twenty times its
//! size.

use tafl_rules::Span;

use super::MovePlace;

/// A statement about the game, such as the name of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tag<'t> {
    /// The name: one from [`tag`](super::tag) if the notation's name means the same, otherwise the notation's
    /// own.
    pub name: &'t str,
    /// The value, as written.
    pub value: &'t str,
    /// The span of the value.
    pub span: Span,
}

/// A comment on a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comment<'t> {
    /// The commented move: the last one before this place.
    pub place: MovePlace,
    /// The text, verbatim.
    pub text: &'t str,
    /// Its span in the text.
    pub span: Span,
}

/// The tags of a record.
///
/// # Examples
///
/// ```
/// use tafl_parser::{Format, Record};
/// use tafl_rules::Span;
///
/// let mut record = Record::new(Format::Pgn);
/// record.push_tag("event", "Harbor cup", Span::default());
/// assert_eq!(record.tags.iter().map(|tag| tag.value).collect::<Vec<_>>(), ["Harbor cup"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tags(TextTable<2, Span>);

impl Tags {
    /// Returns the number of tags.
    pub const fn len(&self) -> usize {
        self.0.rows.len()
    }

    /// Returns whether there are no tags.
    pub const fn is_empty(&self) -> bool {
        self.0.rows.is_empty()
    }

    /// Returns the tag with an index.
    pub fn get(&self, nth: usize) -> Option<Tag<'_>> {
        (nth < self.len()).then(|| {
            let ([name, value], span) = self.0.row(nth);
            Tag { name, value, span: *span }
        })
    }

    /// Returns the tags in their order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Tag<'_>> + ExactSizeIterator + Clone {
        (0..self.len()).map(|nth| {
            let ([name, value], span) = self.0.row(nth);
            Tag { name, value, span: *span }
        })
    }

    /// Appends a tag.
    pub fn push(&mut self, tag: Tag<'_>) {
        self.0.push([tag.name, tag.value], tag.span);
    }

    /// Inserts a tag before the one with an index; at the end if there is no such tag.
    pub fn insert(&mut self, nth: usize, tag: Tag<'_>) {
        let old = std::mem::take(self);
        for before in old.iter().take(nth) {
            self.push(before);
        }
        self.push(tag);
        for after in old.iter().skip(nth) {
            self.push(after);
        }
    }

    /// Removes the tag with an index, if there is one.
    pub fn remove(&mut self, nth: usize) {
        let others = (0..self.len()).filter(|other| *other != nth);
        self.0 = self.0.selected(others);
    }

    /// Removes all tags that do not satisfy a condition.
    pub fn retain(&mut self, is_kept: impl Fn(Tag<'_>) -> bool) {
        if !self.iter().all(&is_kept) {
            let kept = self.iter().enumerate().filter(|(_, tag)| is_kept(*tag)).map(|(nth, _)| nth);
            self.0 = self.0.selected(kept);
        }
    }

    /// Returns the spans of the tags.
    pub fn spans_mut(&mut self) -> impl Iterator<Item = &mut Span> {
        self.0.rows.iter_mut().map(|row| &mut row.data)
    }
}

/// The comments of a record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Comments(TextTable<1, CommentPlace>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CommentPlace {
    place: MovePlace,
    span: Span,
}

impl Comments {
    /// Returns the number of comments.
    pub const fn len(&self) -> usize {
        self.0.rows.len()
    }

    /// Returns whether there are no comments.
    pub const fn is_empty(&self) -> bool {
        self.0.rows.is_empty()
    }

    /// Returns the comment with an index.
    pub fn get(&self, nth: usize) -> Option<Comment<'_>> {
        (nth < self.len()).then(|| self.comment(nth))
    }

    /// Returns the last comment.
    pub fn last(&self) -> Option<Comment<'_>> {
        self.get(self.len().wrapping_sub(1))
    }

    /// Returns the comments in their order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Comment<'_>> + ExactSizeIterator + Clone {
        (0..self.len()).map(|nth| self.comment(nth))
    }

    fn comment(&self, nth: usize) -> Comment<'_> {
        let ([text], CommentPlace { place, span }) = self.0.row(nth);
        Comment { place: *place, text, span: *span }
    }

    /// Appends a comment.
    pub fn push(&mut self, comment: Comment<'_>) {
        self.0.push([comment.text], CommentPlace { place: comment.place, span: comment.span });
    }

    /// Sorts the comments by place; those of the same place keep their order.
    pub fn sort_by_place(&mut self) {
        if !self.0.rows.is_sorted_by_key(|row| row.data.place) {
            let mut order: Vec<usize> = (0..self.len()).collect();
            order.sort_by_key(|nth| self.0.rows[*nth].data.place);
            self.0 = self.0.selected(order.into_iter());
        }
    }

    /// Returns the places of the comments.
    pub fn places_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut MovePlace> {
        self.0.rows.iter_mut().map(|row| &mut row.data.place)
    }

    /// Returns the spans of the comments.
    pub fn spans_mut(&mut self) -> impl Iterator<Item = &mut Span> {
        self.0.rows.iter_mut().map(|row| &mut row.data.span)
    }
}

/// Rows of `N` texts and some data.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TextTable<const N: usize, T> {
    /// The texts of all rows, one after another.
    text: String,
    rows: Vec<TextRow<N, T>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TextRow<const N: usize, T> {
    /// The ends of the texts; each begins where the one before it ends. Four bytes are enough, as in a
    /// [`Span`].
    ends: [u32; N],
    data: T,
}

impl<const N: usize, T> Default for TextTable<N, T> {
    fn default() -> TextTable<N, T> {
        TextTable { text: String::new(), rows: Vec::new() }
    }
}

impl<const N: usize, T: Copy> TextTable<N, T> {
    fn row(&self, nth: usize) -> ([&str; N], &T) {
        let mut start = nth.checked_sub(1).map_or(0, |before| self.rows[before].ends[N - 1] as usize);
        let row = &self.rows[nth];
        let texts = row.ends.map(|end| {
            let text = self.text.get(start..end as usize).unwrap_or_default();
            start = end as usize;
            text
        });
        (texts, &row.data)
    }

    fn push(&mut self, texts: [&str; N], data: T) {
        let ends = texts.map(|text| {
            self.text.push_str(text);
            self.text.len() as u32
        });
        self.rows.push(TextRow { ends, data });
    }

    /// Returns the rows with these indices, in this order.
    fn selected(&self, order: impl Iterator<Item = usize>) -> TextTable<N, T> {
        let mut selected = TextTable::default();
        for nth in order {
            let (texts, data) = self.row(nth);
            selected.push(texts, *data);
        }
        selected
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(texts: &[(&str, &str)]) -> Tags {
        let mut tags = Tags::default();
        for (name, value) in texts {
            tags.push(Tag { name, value, span: Span::default() });
        }
        tags
    }

    #[test]
    fn tags_are_inserted_and_removed_in_their_order() {
        let mut changed = tags(&[("a", "1"), ("b", ""), ("", "æ")]);
        assert_eq!(changed.iter().map(|tag| (tag.name, tag.value)).next_back(), Some(("", "æ")));
        changed.insert(1, Tag { name: "c", value: "3", span: Span::default() });
        assert_eq!(changed, tags(&[("a", "1"), ("c", "3"), ("b", ""), ("", "æ")]));
        changed.remove(0);
        changed.remove(9);
        assert_eq!(changed, tags(&[("c", "3"), ("b", ""), ("", "æ")]));
        changed.retain(|tag| !tag.value.is_empty());
        assert_eq!(changed, tags(&[("c", "3"), ("", "æ")]));
        assert_eq!((changed.get(1).map(|tag| tag.value), changed.get(2)), (Some("æ"), None));
    }

    #[test]
    fn comments_of_the_same_place_keep_their_order() {
        let mut comments = Comments::default();
        for (after, text) in [(2, "second"), (1, "first"), (2, "third")] {
            comments.push(Comment { place: MovePlace::in_main(after), text, span: Span::default() });
        }
        comments.sort_by_place();
        assert_eq!(
            comments.iter().map(|comment| comment.text).collect::<Vec<_>>(),
            ["first", "second", "third"]
        );
    }

    #[test]
    fn a_comment_takes_few_bytes_besides_its_text() {
        assert!(size_of::<TextRow<1, CommentPlace>>() == 20 && size_of::<TextRow<2, Span>>() == 16);
    }
}
