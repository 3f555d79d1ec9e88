//! Compresses the fonts of PDFs, which are a tenth of the program otherwise.

fn main() {
    #[cfg(feature = "pdf")]
    fonts::write();
    println!("cargo::rerun-if-changed=build.rs");
}

#[cfg(feature = "pdf")]
mod fonts {
    use std::io::Write as _;
    use std::path::PathBuf;
    use std::{env, fs};

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    /// The fonts that are left out, by their PostScript names. All their characters but a dozen of private use or without
    /// a meaning are in the regular and mathematical fonts of the same family, which stay.
    const LEFT_OUT: [&str; 4] = [
        "NewCM10-Bold",
        "NewCM10-BoldItalic",
        "NewCM10-Italic",
        "NewCMMath-Book",
    ];

    /// Writes the fonts one after the other, each behind its length in four bytes (little-endian), as a zlib stream.
    pub fn write() {
        let (left_out, kept): (Vec<&[u8]>, Vec<&[u8]>) = typst_assets::fonts()
            .partition(|font| LEFT_OUT.iter().any(|name| is_named(font, name)));
        assert_eq!(
            left_out.len(),
            LEFT_OUT.len(),
            "the fonts of typst-assets have other names than crates/report/build.rs leaves out"
        );
        let mut stream = ZlibEncoder::new(Vec::new(), Compression::best());
        for font in kept {
            let length = u32::try_from(font.len()).expect("a font is smaller than 4 GiB");
            stream
                .write_all(&length.to_le_bytes())
                .expect("memory takes it");
            stream.write_all(font).expect("memory takes it");
        }
        let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
        let compressed = stream.finish().expect("memory takes it");
        fs::write(folder.join("fonts.zlib"), compressed).expect("cargo's folder can be written");
    }

    /// Whether a font in the Compact Font Format has this PostScript name. The third byte of the table is the length of its
    /// header, and the index of names follows: their number (two bytes), the size of an offset (one byte), the offsets,
    /// counted from 1, and the names (Adobe Technical Note 5176, sections 5 to 7).
    fn is_named(font: &[u8], name: &str) -> bool {
        let Some(table) = table(font, *b"CFF ") else {
            return false;
        };
        let index = usize::from(table[2]);
        let size = usize::from(table[index + 2]);
        // The last byte of the second offset is enough: names are short.
        let end = table[index + 2 + 2 * size];
        table[index + 3 + 2 * size..].starts_with(name.as_bytes())
            && usize::from(end) == name.len() + 1
    }

    /// A table of an OpenType font, from its start to the end of the file (OpenType 1.9, "Table Directory").
    fn table(font: &[u8], tag: [u8; 4]) -> Option<&[u8]> {
        let count = usize::from(u16::from_be_bytes([font[4], font[5]]));
        let record = font[12..]
            .chunks_exact(16)
            .take(count)
            .find(|record| record[..4] == tag)?;
        let offset = u32::from_be_bytes(record[8..12].try_into().ok()?);
        font.get(usize::try_from(offset).ok()?..)
    }
}
