//! Compresses the fonts of PDFs, which are a tenth of the program otherwise.

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "pdf")]
    fonts::write()?;
    Ok(())
}

#[cfg(feature = "pdf")]
mod fonts {
    use std::io::{Error, Result, Write as _};
    use std::path::Path;

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
    pub(crate) fn write() -> Result<()> {
        let (left_out, kept): (Vec<&[u8]>, Vec<&[u8]>) = typst_assets::fonts()
            .partition(|font| name(font).is_some_and(|name| LEFT_OUT.contains(&name)));
        if left_out.len() != LEFT_OUT.len() {
            return Err(Error::other(
                "typst-assets has not all the fonts that this build leaves out: adapt the list to its version",
            ));
        }
        let mut stream = ZlibEncoder::new(Vec::new(), Compression::best());
        for font in kept {
            let length = u32::try_from(font.len()).map_err(Error::other)?;
            stream.write_all(&length.to_le_bytes())?;
            stream.write_all(font)?;
        }
        #[expect(
            clippy::disallowed_methods,
            reason = "a build script writes to the folder that Cargo names"
        )]
        match std::env::var_os("OUT_DIR") {
            Some(folder) => std::fs::write(Path::new(&folder).join("fonts.zlib"), stream.finish()?),
            None => Err(Error::other("Cargo sets OUT_DIR")),
        }
    }

    /// The PostScript name of a font in the Compact Font Format. The third byte of its table is the length of the header,
    /// and the index of names follows: their number (two bytes), the size of an offset (one byte), the offsets, counted
    /// from 1, and the names (Adobe Technical Note 5176, sections 5 to 7).
    fn name(font: &[u8]) -> Option<&str> {
        let table = table(font, *b"CFF ")?;
        let index = table.get(usize::from(*table.get(2)?)..)?;
        let size = usize::from(*index.get(2)?);
        // The last byte of the second offset is enough: names are short.
        let length = usize::from(index.get(2 + 2 * size)?.checked_sub(1)?);
        std::str::from_utf8(index.get(3 + 2 * size..)?.get(..length)?).ok()
    }

    /// A table of an OpenType font, from its start to the end of the file (OpenType 1.9, "Table Directory").
    fn table(font: &[u8], tag: [u8; 4]) -> Option<&[u8]> {
        let count = u16::from_be_bytes(font.get(4..6)?.try_into().ok()?);
        let record = font
            .get(12..)?
            .chunks_exact(16)
            .take(count.into())
            .find(|record| record.starts_with(&tag))?;
        let offset = u32::from_be_bytes(record.get(8..12)?.try_into().ok()?);
        font.get(usize::try_from(offset).ok()?..)
    }
}
