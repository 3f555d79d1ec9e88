//! The formats of reports on the command line.

use std::sync::LazyLock;

use api_types::report::ReportFormat;
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// The output format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For people, on a terminal.
    Text,
    /// For printing and sending.
    Pdf,
    /// An export in this format.
    Export(ReportFormat),
}

static ALL: LazyLock<Vec<Format>> = LazyLock::new(|| {
    let mut exports = ReportFormat::ALL;
    // JSON comes right after text, because `--json` switches between the two.
    exports.sort_by_key(|format| *format != ReportFormat::Json);
    let mut all = vec![Format::Text];
    all.extend(exports.map(Format::Export));
    all.push(Format::Pdf);
    all
});

impl Format {
    /// Whether reports in this format show pictures of pages.
    pub(crate) const fn has_pictures(self) -> bool {
        matches!(self, Self::Pdf | Self::Export(ReportFormat::Html))
    }

    /// The name used on the command line and in the client.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Pdf => "pdf",
            Self::Export(format) => format.as_str(),
        }
    }

    const fn description(self) -> &'static str {
        match self {
            Self::Text => "For people, on a terminal",
            Self::Pdf => "For printing and sending",
            Self::Export(format) => format.description(),
        }
    }
}

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        // clap removes the final full stop of doc comments in the same way.
        let help = self.description().trim_end_matches('.');
        Some(PossibleValue::new(self.as_str()).help(help))
    }
}

/// Parses a format that the service offers.
pub(super) fn document_format() -> impl TypedValueParser<Value = Format> {
    let exports = ReportFormat::ALL.map(Format::Export);
    let documents = std::iter::once(Format::Pdf).chain(exports);
    let values = documents.filter_map(|format| format.to_possible_value());
    PossibleValuesParser::new(values).try_map(|name| Format::from_str(&name, false))
}
