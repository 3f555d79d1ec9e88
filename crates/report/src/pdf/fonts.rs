//! The fonts that a PDF may be set in.

use std::io::Read;
use std::sync::OnceLock;

use flate2::read::ZlibDecoder;
use typst::foundations::Bytes;
use typst::text::{Coverage, Font, FontBook};
use typst::utils::LazyHash;

/// The fonts of all PDFs. Made once, when the first PDF needs them, since reading them takes a moment; usable from
/// several threads.
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

/// What the build wrote: fonts, each behind its length in four bytes (little-endian), as a zlib stream.
static EMBEDDED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/fonts.zlib"));

/// The files of the embedded fonts. Unpacking takes about 30 ms and 6.6 MB, so it is done once, for the first PDF.
fn embedded_files() -> &'static [Bytes] {
    static FILES: OnceLock<Vec<Bytes>> = OnceLock::new();
    FILES.get_or_init(|| {
        let mut files = Vec::new();
        let mut stream = ZlibDecoder::new(EMBEDDED);
        while let Some(file) = next_file(&mut stream) {
            files.push(Bytes::new(file));
        }
        files
    })
}

fn next_file(stream: &mut impl Read) -> Option<Vec<u8>> {
    let mut length = [0; 4];
    stream.read_exact(&mut length).ok()?;
    let mut file = Vec::new();
    let length = u32::from_le_bytes(length).into();
    stream.take(length).read_to_end(&mut file).ok()?;
    Some(file)
}

fn embedded_fonts() -> impl Iterator<Item = Font> {
    let files = embedded_files().iter();
    files.flat_map(|file| Font::iter(file.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_fonts_have_the_scripts_they_are_said_to_have() {
        let fonts = PdfFonts::embedded();
        for character in "aßŁΩЖשم□…“→𝕏⟿∰".chars() {
            assert!(fonts.cover(character), "{character}");
        }
        assert!(!fonts.cover('漢'));
    }

    #[test]
    fn coverage_is_that_of_the_file() {
        let file = embedded_files()[0].to_vec();
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
