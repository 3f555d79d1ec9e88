//! All that a template can reach: itself, the fonts and one report.

use std::sync::LazyLock;

use typst::diag::{FileError, FileResult};
use typst::foundations::{Bytes, Datetime, Dict, Duration};
use typst::syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot};
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt, World};

use super::fonts::PdfFonts;

/// The template's files; the first is the one that is set.
const TEMPLATE: [(&str, &str); 4] = [
    ("report.typ", include_str!("template/report.typ")),
    ("look.typ", include_str!("template/look.typ")),
    ("issues.typ", include_str!("template/issues.typ")),
    ("sums.typ", include_str!("template/sums.typ")),
];

/// The parsed files. Ids of files are never given back, so they are taken once.
static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(|| {
    TEMPLATE
        .iter()
        .filter_map(|(name, text)| Some(Source::new(file_id(name)?, (*text).to_owned())))
        .collect()
});

fn file_id(name: &str) -> Option<FileId> {
    let path = VirtualPath::new(name).ok()?;
    Some(RootedPath::new(VirtualRoot::Project, path).intern())
}

/// A world without files, network, packages and clock.
pub(super) struct TypstWorld<'a> {
    library: LazyHash<Library>,
    fonts: &'a PdfFonts,
    main: Source,
}

impl<'a> TypstWorld<'a> {
    /// The template with a report in `sys.inputs`. Texts are there as values, which are set and
    /// never read as markup.
    pub(super) fn new(fonts: &'a PdfFonts, inputs: Dict) -> Self {
        let first = SOURCES.first().cloned();
        Self::with_main(fonts, inputs, first.unwrap_or_else(|| Source::detached("")))
    }

    fn with_main(fonts: &'a PdfFonts, inputs: Dict, main: Source) -> Self {
        let library = Library::builder().with_inputs(inputs).build();
        Self {
            library: LazyHash::new(library),
            fonts,
            main,
        }
    }
}

impl World for TypstWorld<'_> {
    fn library(&self) -> &LazyHash<Library> {
        &self.library
    }

    fn book(&self) -> &LazyHash<FontBook> {
        self.fonts.book()
    }

    fn main(&self) -> FileId {
        self.main.id()
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        if id == self.main.id() {
            return Ok(self.main.clone());
        }
        let known = SOURCES.iter().find(|source| source.id() == id);
        known.cloned().ok_or(FileError::AccessDenied)
    }

    fn file(&self, _: FileId) -> FileResult<Bytes> {
        Err(FileError::AccessDenied)
    }

    fn font(&self, index: usize) -> Option<Font> {
        self.fonts.get(index)
    }

    fn today(&self, _: Option<Duration>) -> Option<Datetime> {
        None
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use typst_layout::PagedDocument;

    use super::*;

    fn errors(markup: &str) -> String {
        let fonts = PdfFonts::embedded();
        let world = TypstWorld::with_main(&fonts, Dict::new(), Source::detached(markup));
        match typst::compile::<PagedDocument>(&world).output {
            Ok(_) => String::new(),
            Err(errors) => errors.iter().map(|error| error.message.as_str()).collect(),
        }
    }

    #[rstest]
    #[case::absolute(r#"#read("/etc/passwd")"#)]
    #[case::relative(r#"#read("../../../../etc/passwd")"#)]
    #[case::own_template(r#"#read("look.typ")"#)]
    #[case::import(r#"#import "/etc/passwd": x"#)]
    #[case::image(r#"#image("/etc/passwd")"#)]
    #[case::package(r#"#import "@preview/example:0.1.0": add"#)]
    #[case::clock("#datetime.today().display()")]
    fn nothing_outside_can_be_reached(#[case] markup: &str) {
        assert_ne!(errors(markup), "", "{markup}");
    }

    #[test]
    fn what_needs_nothing_outside_is_set() {
        assert_eq!(errors("#(1 + 2) _fine_"), "");
        assert_eq!(SOURCES.len(), TEMPLATE.len());
    }
}
