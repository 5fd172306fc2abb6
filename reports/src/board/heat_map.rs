//! Boards with proportions on their cells.

use tafl_rules::{RuleSet, Setup};

use super::{BoardPicture, Heat, Zones};

impl BoardPicture {
    /// Creates the picture of an empty board with proportions on its cells in percent, in the order of the cells. The greatest
    /// one has the strongest color.
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_reports::BoardPicture;
    /// use tafl_rules::RuleSet;
    ///
    /// let rules = RuleSet::named("brandubh7")?;
    /// let picture = BoardPicture::heat_map(&rules, &[0.25, 0.0, 0.5]);
    /// assert_eq!(picture.marks.heat.iter().map(|heat| heat.level).collect::<Vec<_>>(), [71, 100]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn heat_map(rules: &RuleSet, proportions: &[f64]) -> BoardPicture {
        let shape = rules.shape();
        let mut picture = BoardPicture::new(Setup::empty(shape), Zones::of(rules));
        let max = proportions
            .iter()
            .copied()
            .filter(|proportion| proportion.is_finite())
            .fold(f64::MIN_POSITIVE, f64::max);
        let cells = shape.cells().filter_map(|cell| Some((cell, *proportions.get(cell.index())?)));
        picture.marks.heat = cells
            .filter(|(_, proportion)| proportion.is_finite() && *proportion > 0.0)
            .map(|(cell, proportion)| Heat {
                cell,
                // The square root keeps rare cells distinguishable if one cell, such as the throne, has most of
                // the counts.
                level: ((proportion / max).sqrt() * 100.0).round().clamp(1.0, 100.0) as u8,
                label: match proportion * 100.0 {
                    percent if percent >= 9.95 => Some(format!("{percent:.0}")),
                    percent if percent >= 0.05 => Some(format!("{percent:.1}")),
                    _ => None,
                },
            })
            .collect();
        picture
    }
}
