//! Facts in a PDF that are not part of the report.

use chrono::{DateTime, Datelike, Timelike, Utc};
use domain::artifact::Artifact;
use typst::foundations::Datetime;
use typst_pdf::Timestamp;

use crate::brand::Brand;

/// What a report does not know of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PdfFacts {
    /// The name of the site, often its host.
    pub site_name: String,
    /// When the report was made. It is also the date of the file.
    pub created_at: DateTime<Utc>,
    /// Id of the report; none for an audit without a server.
    pub report_id: Option<String>,
    /// The name of the product.
    pub product_name: String,
    /// Its version.
    pub product_version: String,
    /// What `/checks/{id}` is appended to. Links are made only where it begins with `http://` or
    /// `https://`.
    pub help_base_url: String,
    /// How long the audit took.
    pub duration_ms: Option<u64>,
    /// Who the report comes from; none where the product's name stands there.
    pub brand: Option<Brand>,
    /// Whether an appendix follows: all issues with their evidence, and the calculation of the scores.
    pub has_appendix: bool,
    /// Pictures of the run, in the order of their ids; the document has the first of them.
    pub pictures: Vec<Artifact>,
}

impl PdfFacts {
    /// What stays the same when the same report is rendered again, and differs for others.
    pub(super) fn ident(&self) -> String {
        let report_id = self.report_id.as_deref().unwrap_or_default();
        let (product, at) = (&self.product_name, self.created_at.to_rfc3339());
        format!("{product} {report_id} {at} {}", self.site_name)
    }

    /// The product with its version.
    pub(super) fn product(&self) -> String {
        format!("{} {}", self.product_name, self.product_version)
    }

    /// "21 November 2026, 14:05 UTC"
    pub(super) fn date(&self) -> String {
        self.created_at.format("%-d %B %Y, %H:%M UTC").to_string()
    }

    pub(super) fn timestamp(&self) -> Option<Timestamp> {
        let at = self.created_at;
        let number = |part: u32| u8::try_from(part).unwrap_or_default();
        Datetime::from_ymd_hms(
            at.year(),
            number(at.month()),
            number(at.day()),
            number(at.hour()),
            number(at.minute()),
            number(at.second()),
        )
        .map(Timestamp::new_utc)
    }
}
