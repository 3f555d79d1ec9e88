//! How large the pages of a site show their images.

use std::collections::BTreeMap;

/// Images of a site that are kept. Further ones are not judged.
const MAX_IMAGES: usize = 5_000;

/// How large a page shows an image, in thousandths of the width of its window, rounded up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownSize {
    /// The width.
    pub width: u32,
    /// The height.
    pub height: u32,
}

impl ShownSize {
    /// The size of an image that may become larger than anything that is known.
    pub const UNKNOWN: Self = Self {
        width: u32::MAX,
        height: u32::MAX,
    };

    /// The larger of both widths and of both heights.
    #[must_use]
    pub fn or_larger(self, other: Self) -> Self {
        Self {
            width: self.width.max(other.width),
            height: self.height.max(other.height),
        }
    }
}

/// The images of a site, with the largest size in which a page shows each.
#[derive(Debug, Clone, Default)]
pub struct ShownImages {
    images: BTreeMap<String, ShownSize>,
}

impl ShownImages {
    /// Adds an image of a page by its URL.
    pub(crate) fn add(&mut self, url: String, size: ShownSize) {
        if let Some(known) = self.images.get_mut(&url) {
            *known = known.or_larger(size);
        } else if self.images.len() < MAX_IMAGES {
            self.images.insert(url, size);
        }
    }

    /// The largest size of the image at this URL; none if a browser showed none.
    #[must_use]
    pub fn size(&self, url: &str) -> Option<ShownSize> {
        let size = self.images.get(url).copied();
        size.filter(|size| *size != ShownSize::UNKNOWN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn size(width: u32, height: u32) -> ShownSize {
        ShownSize { width, height }
    }

    #[test]
    fn the_largest_size_counts_and_an_unknown_one_hides_it() {
        let mut images = ShownImages::default();
        images.add("a".to_owned(), size(500, 100));
        images.add("a".to_owned(), size(200, 300));
        assert_eq!(images.size("a"), Some(size(500, 300)));
        images.add("a".to_owned(), ShownSize::UNKNOWN);
        images.add("a".to_owned(), size(200, 300));
        assert_eq!(images.size("a"), None);
        assert_eq!(images.size("b"), None);
    }

    #[test]
    fn the_number_of_images_is_bounded() {
        let mut images = ShownImages::default();
        for number in 0..=MAX_IMAGES {
            images.add(number.to_string(), size(1, 1));
        }
        assert_eq!(images.images.len(), MAX_IMAGES);
    }
}
