//! The window widths in which pages are judged.

/// The widths in CSS pixels: a phone, a tablet and a desktop. Content that is visible in one of them is judged.
pub(crate) const WINDOW_WIDTHS: [u16; 3] = [360, 768, 1_350];

/// The height of these windows in CSS pixels.
pub(super) const WINDOW_HEIGHT: f64 = 800.0;

/// One of the window widths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Width(u8);

impl Width {
    /// Every width, the narrowest first.
    pub(crate) const ALL: [Self; WINDOW_WIDTHS.len()] = [Self(0), Self(1), Self(2)];

    /// The width in which properties are read that do not concern visibility.
    pub(crate) const WIDEST: Self = Self(2);

    /// Its index in [`Self::ALL`].
    pub(crate) fn number(self) -> usize {
        usize::from(self.0)
    }

    /// The width in CSS pixels.
    pub(crate) fn pixels(self) -> u16 {
        WINDOW_WIDTHS
            .get(usize::from(self.0))
            .copied()
            .unwrap_or(WINDOW_WIDTHS[0])
    }
}

/// A set of window widths.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) struct Widths(u8);

impl Widths {
    /// No width.
    pub(crate) const NONE: Self = Self(0);
    /// Every width.
    pub(crate) const ALL: Self = Self(0b111);

    /// The set with this bit for each width.
    pub(crate) const fn from_bits(bits: u8) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// A bit for each width.
    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    /// The widths in which the condition is true.
    pub(crate) fn having(condition: impl Fn(Width) -> bool) -> Self {
        Width::ALL
            .into_iter()
            .filter(|width| condition(*width))
            .fold(Self::NONE, Self::with)
    }

    /// The set with one more width.
    pub(crate) const fn with(self, width: Width) -> Self {
        Self(self.0 | 1 << width.0)
    }

    /// Whether the set contains the width.
    pub(crate) const fn has(self, width: Width) -> bool {
        self.0 & 1 << width.0 != 0
    }

    /// Whether the set contains no width.
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The widths of either set.
    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The widths of both sets.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The widths that are not in the set.
    pub(crate) const fn not(self) -> Self {
        Self(!self.0 & Self::ALL.0)
    }

    /// The widths of the set, the narrowest first.
    pub(crate) fn iter(self) -> impl Iterator<Item = Width> {
        Width::ALL.into_iter().filter(move |width| self.has(*width))
    }
}

/// A list such as "360 and 1,350".
impl std::fmt::Display for Widths {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let count = self.iter().count();
        for (number, width) in self.iter().enumerate() {
            let before = match number {
                0 => "",
                _ if number + 1 == count => " and ",
                _ => ", ",
            };
            let pixels = width.pixels();
            match (pixels / 1_000, pixels % 1_000) {
                (0, small) => write!(f, "{before}{small}")?,
                (thousands, rest) => write!(f, "{before}{thousands},{rest:03}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_listed() {
        for (bits, expected) in [
            (0b001, "360"),
            (0b110, "768 and 1,350"),
            (0b111, "360, 768 and 1,350"),
        ] {
            assert_eq!(Widths::from_bits(bits).to_string(), expected);
        }
    }

    #[test]
    fn a_set_and_its_complement_are_all_widths() {
        for bits in 0..8 {
            let set = Widths::from_bits(bits);
            assert_eq!(set.or(set.not()), Widths::ALL);
            assert!(set.and(set.not()).is_empty());
            assert_eq!(Widths::having(|width| set.has(width)), set);
        }
    }
}
