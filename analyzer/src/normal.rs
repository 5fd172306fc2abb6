//! The normal distribution.

/// The 97.5 % quantile of the standard normal distribution, for intervals of 95 %.
pub(crate) const Z95: f64 = 1.959_964;
