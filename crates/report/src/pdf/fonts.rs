//! The fonts that a PDF may be set in.

use typst::foundations::Bytes;
use typst::text::{Coverage, Font, FontBook};
use typst::utils::LazyHash;

/// The fonts of all PDFs. Made once, since reading them takes a moment; usable from several
/// threads.
#[derive(Debug)]
pub struct PdfFonts {
    book: LazyHash<FontBook>,
    fonts: Vec<Font>,
    /// The code points that any of the fonts has a glyph for, sorted.
    covered: Vec<u32>,
}

impl PdfFonts {
    /// Those that come with the program: Libertinus Serif for text, DejaVu Sans Mono for code, and
    /// New Computer Modern for signs that both lack. Together they have Latin, Greek, Cyrillic and
    /// Hebrew, and Arabic in the form of DejaVu Sans Mono.
    #[must_use]
    pub fn embedded() -> Self {
        Self::from_fonts(embedded_fonts().collect())
    }

    /// Those that come with the program, and the fonts in these files, for the scripts that the
    /// former lack. Of two files that have a character, the one that is more like the text around
    /// it is taken, then the earlier one.
    ///
    /// Files may be collections. What is not a font is left out.
    #[must_use]
    pub fn with_files(files: Vec<Vec<u8>>) -> Self {
        let files = files
            .into_iter()
            .flat_map(|data| Font::iter(Bytes::new(data)));
        Self::from_fonts(embedded_fonts().chain(files).collect())
    }

    fn from_fonts(fonts: Vec<Font>) -> Self {
        let mut covered: Vec<u32> = fonts
            .iter()
            .flat_map(|font| font.info().coverage.iter())
            .collect();
        covered.sort_unstable();
        covered.dedup();
        Self {
            book: LazyHash::new(FontBook::from_fonts(&fonts)),
            fonts,
            covered,
        }
    }

    pub(super) const fn book(&self) -> &LazyHash<FontBook> {
        &self.book
    }

    pub(super) fn get(&self, index: usize) -> Option<Font> {
        self.fonts.get(index).cloned()
    }

    /// Whether any of the fonts has a glyph for it.
    pub(super) fn cover(&self, character: char) -> bool {
        self.covered.binary_search(&u32::from(character)).is_ok()
    }
}

/// What a font file has glyphs for. It holds a few kilobytes, not the file.
#[derive(Debug, Clone)]
pub struct FontCoverage(Vec<Coverage>);

impl FontCoverage {
    /// What the fonts of a file have glyphs for; none where the file is no font.
    #[must_use]
    pub fn from_file(file: Vec<u8>) -> Option<Self> {
        let fonts = Font::iter(Bytes::new(file));
        let all: Vec<_> = fonts.map(|font| font.info().coverage.clone()).collect();
        (!all.is_empty()).then_some(Self(all))
    }

    /// Whether one of the fonts has a glyph for it.
    #[must_use]
    pub fn has(&self, character: char) -> bool {
        self.0
            .iter()
            .any(|coverage| coverage.contains(u32::from(character)))
    }
}

fn embedded_fonts() -> impl Iterator<Item = Font> {
    typst_assets::fonts().flat_map(|data| Font::iter(Bytes::new(data)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_fonts_have_the_scripts_they_are_said_to_have() {
        let fonts = PdfFonts::embedded();
        for character in "aßŁΩЖשم□…“→".chars() {
            assert!(fonts.cover(character), "{character}");
        }
        assert!(!fonts.cover('漢'));
    }

    #[test]
    fn coverage_is_that_of_the_file() {
        let file = typst_assets::fonts().next().unwrap().to_vec();
        let coverage = FontCoverage::from_file(file).unwrap();
        assert!(coverage.has('a') && !coverage.has('漢'));
        assert!(FontCoverage::from_file(b"not a font".to_vec()).is_none());
    }

    #[test]
    fn what_is_no_font_is_left_out() {
        let fonts = PdfFonts::with_files(vec![Vec::new(), b"not a font".to_vec()]);
        assert_eq!(fonts.fonts.len(), PdfFonts::embedded().fonts.len());
    }
}
