//! The export formats of reports.

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

macro_rules! report_formats {
    ($($variant:ident, $name:literal, $extension:literal, $media_type:literal, $description:literal;)*) => {
        /// A file format of reports.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ReportFormat {
            $(#[doc = $description] $variant,)*
        }

        impl ReportFormat {
            /// All formats.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// The name in the HTTP API and on the command line.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The file extension, without the dot.
            #[must_use]
            pub const fn extension(self) -> &'static str {
                match self { $(Self::$variant => $extension,)* }
            }

            /// The media type with its parameters.
            #[must_use]
            pub const fn media_type(self) -> &'static str {
                match self { $(Self::$variant => $media_type,)* }
            }

            /// The purpose, in one sentence.
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self { $(Self::$variant => $description,)* }
            }
        }
    };
}

// The one list of formats; `report::export` has a renderer for each.
report_formats! {
    Html, "html", "html", "text/html; charset=utf-8", "One self-contained page.";
    Markdown, "markdown", "md", "text/markdown; charset=utf-8", "For pull requests, wikis and mail.";
    Sarif, "sarif", "sarif", "application/sarif+json", "SARIF 2.1.0, for code scanning.";
    Junit, "junit", "junit.xml", "application/xml", "For tools that show test results.";
    Csv, "csv", "csv", "text/csv; charset=utf-8; header=present", "One row per occurrence, for spreadsheets.";
    Json, "json", "json", "application/json", "The report as the HTTP API returns it.";
    Llm, "llm", "llm.md", "text/markdown; charset=utf-8", "A short list of what to fix, for language models.";
}

impl ReportFormat {
    /// Parses the name of a format.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.as_str() == name)
    }
}

impl std::fmt::Display for ReportFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The value of the parameter `format`: an alternative representation of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RequestedFormat {
    /// A link to the report as PDF.
    PdfUrl,
    /// The report as a file.
    File(ReportFormat),
}

impl RequestedFormat {
    /// All values of the parameter.
    pub fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Self::PdfUrl).chain(ReportFormat::ALL.map(Self::File))
    }

    /// The value of the parameter.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PdfUrl => "pdf_url",
            Self::File(format) => format.as_str(),
        }
    }
}

impl PartialSchema for RequestedFormat {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("An alternative representation of a report."))
            .enum_values(Some(Self::all().map(Self::as_str)))
            .into()
    }
}

impl ToSchema for RequestedFormat {}
