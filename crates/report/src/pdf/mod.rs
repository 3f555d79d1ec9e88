//! The report as PDF: tagged for assistive technology (PDF/UA-1), with bookmarks, page numbers and
//! the same order and words as on the terminal.
//!
//! The first page says what to know and what to do first, under the name of the organization. An entry for each
//! issue follows, on at most [`limits::PAGES`] pages for any site; all evidence and the calculation of the scores are
//! in an appendix, which is added on request.
//!
//! The look is a Typst template beside this file. It gets the report as values, so that nothing an
//! audited page says can act as markup, and it can reach neither files nor network. The same input
//! always gives the same bytes. How much is shown is bounded by [`limits`].

mod data;
mod facts;
mod fonts;
pub mod limits;
mod script;
#[cfg(test)]
mod tests;
mod typeset;
mod world;

pub use facts::PdfFacts;
pub use fonts::{FontCoverage, PdfFonts};

use std::collections::BTreeSet;

use domain::report::Report;
use typst::diag::SourceDiagnostic;
use typst::foundations::Smart;
use typst::layout::{Frame, FrameItem};
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, PdfStandard, PdfStandards};

use limits::{DETAILS, Detail};
use typeset::Without;

/// How often characters that turn out to have no glyph are replaced one by one, before all beyond
/// ASCII are.
const ATTEMPTS: usize = 3;

/// Why there is no PDF. It is a defect of the template or of a font, never of the report.
#[derive(Debug, thiserror::Error)]
pub enum PdfError {
    /// The template could not be set.
    #[error("cannot typeset the report: {0}")]
    Typeset(String),
    /// The pages could not be written.
    #[error("cannot write the pages as PDF: {0}")]
    Write(String),
}

/// The report as a PDF file.
///
/// It takes a moment of CPU time and can be called from several threads. The file follows PDF/UA-1,
/// unless a font that was added does not allow it; then it is a tagged PDF all the same.
///
/// # Errors
/// Where the template or a font is broken.
pub fn render(report: &Report, facts: &PdfFacts, fonts: &PdfFonts) -> Result<Vec<u8>, PdfError> {
    let _sweep = Sweep;
    let document = typeset(report, facts, fonts)?;
    write(&document, facts)
}

/// The characters of the report's document that none of these fonts has, so that fonts which have
/// them can be added.
#[must_use]
pub fn missing_characters(report: &Report, facts: &PdfFacts, fonts: &PdfFonts) -> BTreeSet<char> {
    data::missing(report, facts, fonts)
}

/// Empties Typst's cache of results when a report is done, since the next one shares little with
/// it. Results that other threads are using at the time are computed anew by them.
struct Sweep;

impl Drop for Sweep {
    fn drop(&mut self) {
        comemo::evict(0);
    }
}

/// The pages. If one of its images turns out to be broken, the document has none of its kind: no pictures, or the name in
/// place of the logo.
fn typeset(report: &Report, facts: &PdfFacts, fonts: &PdfFonts) -> Result<PagedDocument, PdfError> {
    let set = fitted(report, facts, fonts);
    let logo = facts.brand.as_ref().and_then(|brand| brand.logo.as_ref());
    let has_images = logo.is_some() || !facts.pictures.is_empty();
    if set.is_ok() || !has_images {
        return set;
    }
    let mut without_pictures = facts.clone();
    without_pictures.pictures.clear();
    let set = fitted(report, &without_pictures, fonts);
    if set.is_ok() {
        return set;
    }
    let without_logo = |mut facts: PdfFacts| {
        if let Some(brand) = &mut facts.brand {
            brand.logo = None;
        }
        fitted(report, &facts, fonts)
    };
    let set = without_logo(facts.clone());
    if set.is_ok() {
        return set;
    }
    without_logo(without_pictures)
}

/// The pages: with as much detail as fits into [`limits::PAGES`], then the appendix, if one is wanted.
fn fitted(report: &Report, facts: &PdfFacts, fonts: &PdfFonts) -> Result<PagedDocument, PdfError> {
    let mut without = Without::These(BTreeSet::new());
    let mut last = None;
    for detail in DETAILS {
        let form = Form {
            detail,
            has_appendix: false,
        };
        let document = drawn(report, facts, fonts, form, &mut without)?;
        let fits = document.pages().len() <= limits::PAGES;
        last = Some((document, detail));
        if fits {
            break;
        }
    }
    let (document, detail) =
        last.ok_or_else(|| PdfError::Typeset("there is no form".to_owned()))?;
    if !facts.has_appendix {
        return Ok(document);
    }
    let form = Form {
        detail,
        has_appendix: true,
    };
    drawn(report, facts, fonts, form, &mut without)
}

/// How much a document shows.
#[derive(Debug, Clone, Copy)]
struct Form {
    detail: Detail,
    has_appendix: bool,
}

/// The pages with all characters that can be drawn; the others are added to `without`.
fn drawn(
    report: &Report,
    facts: &PdfFacts,
    fonts: &PdfFonts,
    form: Form,
    without: &mut Without,
) -> Result<PagedDocument, PdfError> {
    for attempt in 1.. {
        let document = pages(report, facts, fonts, form, without)?;
        // A font may have a character and still no glyph for it in this place.
        let undrawn = undrawn(&document);
        let Without::These(known) = without else {
            return Ok(document);
        };
        let found = known.len();
        known.extend(undrawn);
        if known.len() == found {
            return Ok(document);
        }
        if attempt == ATTEMPTS {
            *without = Without::AllButAscii;
        }
    }
    Err(PdfError::Typeset("no attempt succeeded".to_owned()))
}

fn pages(
    report: &Report,
    facts: &PdfFacts,
    fonts: &PdfFonts,
    form: Form,
    without: &Without,
) -> Result<PagedDocument, PdfError> {
    let inputs = data::inputs(report, facts, fonts, form, without);
    let world = world::TypstWorld::new(fonts, inputs);
    let warned = typst::compile::<PagedDocument>(&world);
    warned
        .output
        .map_err(|errors| PdfError::Typeset(messages(&errors)))
}

fn write(document: &PagedDocument, facts: &PdfFacts) -> Result<Vec<u8>, PdfError> {
    let standards = PdfStandards::new(&[PdfStandard::Ua_1]).unwrap_or_default();
    let options = PdfOptions {
        ident: Smart::Custom(facts.ident()),
        creator: Smart::Custom(Some(facts.product())),
        timestamp: facts.timestamp(),
        standards,
        ..PdfOptions::default()
    };
    if let Ok(bytes) = typst_pdf::pdf(document, &options) {
        return Ok(bytes);
    }
    let options = PdfOptions {
        standards: PdfStandards::default(),
        ..options
    };
    typst_pdf::pdf(document, &options).map_err(|errors| PdfError::Write(messages(&errors)))
}

/// The characters that were set as the sign for a missing glyph.
fn undrawn(document: &PagedDocument) -> BTreeSet<char> {
    let mut found = BTreeSet::new();
    for page in document.pages() {
        collect_undrawn(&page.frame, &mut found);
    }
    found
}

fn collect_undrawn(frame: &Frame, found: &mut BTreeSet<char>) {
    for (_, item) in frame.items() {
        match item {
            FrameItem::Group(group) => collect_undrawn(&group.frame, found),
            FrameItem::Text(text) => {
                let missing = text.glyphs.iter().filter(|glyph| glyph.id == 0);
                let texts = missing.filter_map(|glyph| text.text.get(glyph.range()));
                found.extend(texts.flat_map(str::chars).filter(|found| !found.is_ascii()));
            }
            _ => {}
        }
    }
}

fn messages(errors: &[SourceDiagnostic]) -> String {
    let messages: Vec<_> = errors.iter().map(|error| error.message.as_str()).collect();
    messages.join("; ")
}
