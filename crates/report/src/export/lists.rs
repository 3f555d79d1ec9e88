//! The lists of a report as tables for spreadsheets: pages, links and redirect chains. Each is written as its rows are
//! read.

use domain::Dimension;
use domain::report::{LinkTarget, PageVisit, RedirectChain, Variant};

use super::csv::CsvTable;
use super::{ExportError, limits};
use crate::text::shown;

/// The pages of a report, one row each.
pub struct PagesCsv {
    table: CsvTable,
    variant: Variant,
}

impl PagesCsv {
    /// The columns before the scores.
    const HEADER: [&str; 16] = [
        "url",
        "status",
        "depth",
        "title",
        "description",
        "h1",
        "canonical",
        "indexable",
        "language",
        "words",
        "bytes",
        "transferBytes",
        "responseMs",
        "linksIn",
        "linksOut",
        "issueCount",
    ];

    /// A table without pages; it has a column for the score in each dimension of the variant.
    ///
    /// # Errors
    /// If the table cannot be written, which memory alone can cause.
    pub fn new(variant: Variant) -> Result<Self, ExportError> {
        let scores = variant.dimensions().iter().copied().map(score_column);
        let header: Vec<_> = Self::HEADER.into_iter().chain(scores).collect();
        let table = CsvTable::new(&header)?;
        Ok(Self { table, variant })
    }

    /// Adds a page.
    ///
    /// # Errors
    /// If the table cannot be written, which memory alone can cause.
    pub fn push(&mut self, visit: &PageVisit) -> Result<(), ExportError> {
        let details = &visit.details;
        let facts = [
            address(&visit.url),
            number(visit.status),
            number(visit.depth),
            text(visit.title.as_deref()),
            text(details.description.as_deref()),
            text(details.h1.as_deref()),
            details
                .canonical
                .as_deref()
                .map_or_else(String::new, address),
            number(details.indexable),
            text(details.language.as_deref()),
            number(details.words),
            number(visit.bytes),
            number(details.transfer_bytes),
            number(details.response_ms),
            number(details.links_in),
            number(details.links_out),
            visit.issues_in(self.variant).to_string(),
        ];
        let scores = self.variant.dimensions().iter();
        let scores = scores.map(|&dimension| {
            let score = visit.scores.get(dimension);
            score.map_or_else(String::new, |score| score.to_points().to_string())
        });
        let row: Vec<_> = facts.into_iter().chain(scores).collect();
        self.table.push(&row)
    }

    /// The table.
    ///
    /// # Errors
    /// If the table cannot be written, which memory alone can cause.
    pub fn finish(self) -> Result<Vec<u8>, ExportError> {
        self.table.finish()
    }
}

const fn score_column(dimension: Dimension) -> &'static str {
    match dimension {
        Dimension::Performance => "performanceScore",
        Dimension::Accessibility => "accessibilityScore",
        Dimension::Seo => "seoScore",
        Dimension::Security => "securityScore",
        Dimension::Content => "contentScore",
        Dimension::AiReadiness => "aiReadinessScore",
    }
}

/// The links of a report, one row for each URL.
pub struct LinksCsv(CsvTable);

impl LinksCsv {
    /// A table without links.
    ///
    /// # Errors
    /// If the table cannot be written, which memory alone can cause.
    pub fn new() -> Result<Self, ExportError> {
        let header = [
            "url",
            "internal",
            "verdict",
            "status",
            "reason",
            "redirects",
            "redirectsTo",
            "linkingPages",
            "pages",
        ];
        CsvTable::new(&header).map(Self)
    }

    /// Adds a link target, with the URLs of the first pages that link to it, which share a cell.
    ///
    /// # Errors
    /// If the table cannot be written, which memory alone can cause.
    pub fn push(&mut self, target: &LinkTarget, pages: &[String]) -> Result<(), ExportError> {
        let pages: Vec<_> = pages.iter().map(|page| address(page)).collect();
        self.0.push(&[
            address(&target.url),
            target.internal.to_string(),
            target.verdict.to_string(),
            number(target.status),
            target.reason.as_deref().map_or_else(String::new, address),
            target.redirects.to_string(),
            target.leads_to.as_deref().map_or_else(String::new, address),
            target.linking_pages.to_string(),
            pages.join(" "),
        ])
    }

    /// The table.
    ///
    /// # Errors
    /// If the table cannot be written, which memory alone can cause.
    pub fn finish(self) -> Result<Vec<u8>, ExportError> {
        self.0.finish()
    }
}

/// The redirect chains of a report, one row for each URL of a chain.
pub struct RedirectsCsv {
    table: CsvTable,
    chains: u64,
}

impl RedirectsCsv {
    /// A table without chains.
    ///
    /// # Errors
    /// If the table cannot be written, which memory alone can cause.
    pub fn new() -> Result<Self, ExportError> {
        let header = ["chain", "hop", "url", "status", "isLoop", "linkingPages"];
        let table = CsvTable::new(&header)?;
        Ok(Self { table, chains: 0 })
    }

    /// Adds a chain. Chains and their URLs are numbered from 1.
    ///
    /// # Errors
    /// If the table cannot be written, which memory alone can cause.
    pub fn push(&mut self, chain: &RedirectChain) -> Result<(), ExportError> {
        self.chains += 1;
        for (place, hop) in (1_u32..).zip(&chain.hops) {
            self.table.push(&[
                self.chains.to_string(),
                place.to_string(),
                address(&hop.url),
                number(hop.status),
                chain.is_loop.to_string(),
                chain.linking_pages.to_string(),
            ])?;
        }
        Ok(())
    }

    /// The table.
    ///
    /// # Errors
    /// If the table cannot be written, which memory alone can cause.
    pub fn finish(self) -> Result<Vec<u8>, ExportError> {
        self.table.finish()
    }
}

fn address(url: &str) -> String {
    shown(url, limits::ADDRESS)
}

fn text(text: Option<&str>) -> String {
    text.map_or_else(String::new, |text| shown(text, limits::TEXT))
}

fn number<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use domain::report::{LinkVerdict, PageDetails, PageScores, RedirectHop};
    use domain::score::Share;

    use super::*;

    fn page() -> PageVisit {
        PageVisit {
            url: "https://ferry.example/a".to_owned(),
            status: Some(200),
            depth: None,
            title: Some("=cmd|' /C calc'!A0".to_owned()),
            bytes: Some(9),
            audited: true,
            leads_to: None,
            details: PageDetails {
                description: Some("one,\n\"two\"".to_owned()),
                indexable: Some(false),
                words: Some(7),
                ..PageDetails::default()
            },
            scores: PageScores([
                Some(Share::from_hundredths(80)),
                None,
                None,
                None,
                None,
                None,
            ]),
            issues: 3,
            issues_legacy: 2,
        }
    }

    #[test]
    fn pages_have_the_facts_of_the_variant() {
        let tables = Variant::ALL.map(|variant| {
            let mut table = PagesCsv::new(variant).unwrap();
            table.push(&page()).unwrap();
            String::from_utf8(table.finish().unwrap()).unwrap()
        });
        insta::assert_snapshot!(tables.join("\n"));
    }

    #[test]
    fn links_and_chains_are_written_row_by_row() {
        let mut links = LinksCsv::new().unwrap();
        let target = LinkTarget {
            url: "https://ferry.example/gone".to_owned(),
            internal: true,
            verdict: LinkVerdict::Broken,
            status: Some(404),
            reason: Some("returns status 404".to_owned()),
            redirects: false,
            leads_to: None,
            linking_pages: 2,
            first_pages: vec![0, 4],
        };
        let pages = ["https://ferry.example/", "https://ferry.example/b"].map(str::to_owned);
        links.push(&target, &pages).unwrap();
        let mut redirects = RedirectsCsv::new().unwrap();
        let hop = |path: &str, status| RedirectHop {
            url: format!("https://ferry.example{path}"),
            status,
        };
        for is_loop in [true, false] {
            let chain = RedirectChain {
                hops: vec![hop("/old", Some(301)), hop("/new", None)],
                is_loop,
                linking_pages: 1,
            };
            redirects.push(&chain).unwrap();
        }
        let tables = [links.finish().unwrap(), redirects.finish().unwrap()];
        let tables = tables.map(|table| String::from_utf8(table).unwrap());
        insta::assert_snapshot!(tables.join("\n"));
    }
}
