//! Reports for tests.

use std::collections::BTreeSet;

use domain::report::{
    AuditResult, Coverage, CrawlMode, Finding, FindingCause, Occurrence, Report, StoppedBy,
    SubjectKind, Unjudged, UnjudgedCheck, Variant,
};
use domain::score::{Cap, CheckTally, DimensionWeights};
use domain::{Confidence, Dimension, Severity};

pub(crate) fn report(result: &AuditResult) -> Report {
    Report::assemble(result, Variant::Current, &DimensionWeights::default())
}

/// Twelve pages on which nothing was found.
pub(crate) fn empty() -> AuditResult {
    let tallies = Dimension::ALL.map(|dimension| CheckTally {
        check_id: format!("{}-basics", dimension.folder()),
        dimension,
        weight: 10,
        applicable: 12,
        affected: 0,
        lost_hundredths: 0,
    });
    AuditResult {
        requested_url: "https://ferry.example/".to_owned(),
        url: "https://ferry.example/".to_owned(),
        coverage: Coverage {
            mode: CrawlMode::Static,
            complete: true,
            stopped_by: None,
            pages_discovered: 12,
            pages_fetched: 12,
            pages_audited: 12,
            requests: 31,
            skipped: Vec::new(),
        },
        tallies: tallies.to_vec(),
        caps: Vec::new(),
        findings: Vec::new(),
        unjudged: Vec::new(),
        pages: Vec::new(),
        catalogue: Vec::new(),
        engine_version: "0.1.0".to_owned(),
        catalogue_version: "2026.1".to_owned(),
    }
}

/// One small thing.
pub(crate) fn good() -> AuditResult {
    with(empty(), vec![meta_description()])
}

/// Much of everything, on a site that was not seen whole.
pub(crate) fn bad() -> AuditResult {
    let noindex = Finding {
        check_id: "site-noindex".to_owned(),
        dimension: Dimension::Seo,
        severity: Severity::Critical,
        title: "No page may be indexed".to_owned(),
        why: "Search engines leave the whole site out.".to_owned(),
        fix: "Remove `noindex` from the X-Robots-Tag header of the server.".to_owned(),
        affected: 1,
        applicable: 1,
        subject: SubjectKind::Site,
        ..meta_description()
    }
    .at(vec![Occurrence {
        snippet: Some("x-robots-tag: noindex".to_owned()),
        ..place("/", "Every answer says noindex.")
    }]);
    let mut result = with(
        empty(),
        vec![
            image_alt(),
            broken_links(),
            meta_description(),
            noindex,
            note(),
        ],
    );
    result.caps.push(Cap {
        dimension: Dimension::Seo,
        maximum: 30,
        check_id: "site-noindex".to_owned(),
        reason: "no page can be indexed".to_owned(),
    });
    result.coverage = Coverage {
        complete: false,
        stopped_by: Some(StoppedBy::PageCap),
        pages_discovered: 1430,
        requests: 2210,
        skipped: vec![
            ("robots_disallowed".to_owned(), 12),
            ("external".to_owned(), 1204),
        ],
        ..result.coverage
    };
    let browser = Unjudged::NotRun("needs a browser, and there is none".to_owned());
    result.unjudged = [
        "contrast",
        "focus-order",
        "layout-shift",
        "long-tasks",
        "tap-target",
    ]
    .into_iter()
    .chain(["unused-css", "unused-js"])
    .map(|check_id| unjudged(check_id, browser.clone()))
    .collect();
    let cannot_tell = Unjudged::CannotTell("the crawl is not complete".to_owned());
    result.unjudged.push(unjudged("orphan-page", cannot_tell));
    let limited = Unjudged::Limited("only the first 1,000 links of a page are judged".to_owned());
    result.unjudged.push(UnjudgedCheck {
        dimension: Dimension::Content,
        count: 12_345,
        ..unjudged("link-broken-internal", limited)
    });
    result
}

fn unjudged(check_id: &str, why: Unjudged) -> UnjudgedCheck {
    UnjudgedCheck {
        check_id: check_id.to_owned(),
        dimension: Dimension::Seo,
        why,
        count: 1,
    }
}

/// A report whose every text comes from a hostile page.
pub(crate) fn hostile(text: &str) -> AuditResult {
    let mut finding = meta_description();
    finding.title = text.to_owned();
    finding.why = text.to_owned();
    finding.fix = text.to_owned();
    finding.check_id = text.to_owned();
    finding.effort = text.to_owned();
    let place = Occurrence {
        url: text.to_owned(),
        selector: Some(text.to_owned()),
        snippet: Some(text.to_owned()),
        line: Some(1),
        message: text.to_owned(),
    };
    let finding = finding.with_causes(&[(text, 1), ("other", 1)], &[place]);
    let mut result = with(empty(), vec![finding]);
    result.url = text.to_owned();
    result.coverage.skipped = vec![(text.to_owned(), 1)];
    result.unjudged = vec![unjudged(text, Unjudged::Errored(text.to_owned()))];
    result.caps.push(Cap {
        dimension: Dimension::Seo,
        maximum: 1,
        check_id: text.to_owned(),
        reason: text.to_owned(),
    });
    result
}

/// Adds findings and a tally for each.
fn with(mut result: AuditResult, findings: Vec<Finding>) -> AuditResult {
    result
        .tallies
        .extend(findings.iter().map(|finding| CheckTally {
            check_id: finding.check_id.clone(),
            dimension: finding.dimension,
            weight: finding.severity.weight(),
            applicable: finding.applicable,
            affected: finding.affected,
            lost_hundredths: finding.affected * 100,
        }));
    result.findings.extend(findings);
    result
}

fn place(path: &str, message: &str) -> Occurrence {
    Occurrence {
        url: format!("https://ferry.example{path}"),
        selector: None,
        snippet: None,
        line: None,
        message: message.to_owned(),
    }
}

fn meta_description() -> Finding {
    Finding {
        check_id: "meta-description".to_owned(),
        dimension: Dimension::Seo,
        severity: Severity::Minor,
        confidence: Confidence::High,
        effort: "small".to_owned(),
        title: "Pages without a description".to_owned(),
        why: "Search engines pick a passage themselves. It is often a menu.".to_owned(),
        fix: "Write one or two sentences on what the page is for.".to_owned(),
        references: vec!["HTML Standard, 4.2.5.1 Standard metadata names".to_owned()],
        affected: 1,
        applicable: 12,
        subject: SubjectKind::Page,
        pages: BTreeSet::new(),
        occurrences_total: 0,
        causes_total: 0,
        causes: Vec::new(),
    }
    .at(vec![place(
        "/tickets",
        "There is no meta element named description.",
    )])
}

/// Changes of findings in tests.
pub(crate) trait Causes {
    /// The finding with one cause, which has these places.
    fn at(self, places: Vec<Occurrence>) -> Finding;
    /// The finding that occurs so often, by its only cause.
    fn in_all(self, total: u64) -> Finding;
    /// The finding with these causes instead: a headline, and how often it occurs. Each has the same
    /// places.
    fn with_causes(self, causes: &[(&str, u64)], places: &[Occurrence]) -> Finding;
}

impl Causes for Finding {
    fn at(self, places: Vec<Occurrence>) -> Finding {
        let total = u64::try_from(places.len()).unwrap();
        Finding {
            occurrences_total: total,
            causes_total: 1,
            causes: vec![FindingCause {
                key: String::new(),
                title: self.title.clone(),
                affected: self.affected,
                sole_lost_hundredths: self.affected * 100,
                occurrences_total: total,
                occurrences: places,
            }],
            ..self
        }
    }

    fn in_all(mut self, total: u64) -> Finding {
        self.occurrences_total = total;
        for cause in &mut self.causes {
            cause.occurrences_total = total;
        }
        self
    }

    fn with_causes(self, causes: &[(&str, u64)], places: &[Occurrence]) -> Finding {
        let causes = causes.iter().map(|&(title, total)| FindingCause {
            key: title.to_owned(),
            title: title.to_owned(),
            affected: self.affected.min(total),
            sole_lost_hundredths: 0,
            occurrences_total: total,
            occurrences: places.to_vec(),
        });
        let causes: Vec<_> = causes.collect();
        Finding {
            occurrences_total: causes.iter().map(|cause| cause.occurrences_total).sum(),
            causes_total: u64::try_from(causes.len()).unwrap(),
            causes,
            ..self
        }
    }
}

fn image_alt() -> Finding {
    let image = |path: &str, line, file: &str| Occurrence {
        selector: Some(format!("main > figure:nth-child({line}) > img")),
        snippet: Some(format!("<img src=\"{file}\" class=\"wide\">")),
        line: Some(line),
        ..place(path, "The image has no alt attribute.")
    };
    Finding {
        check_id: "image-alt".to_owned(),
        dimension: Dimension::Accessibility,
        severity: Severity::Serious,
        title: "Images without a text alternative".to_owned(),
        why: "A screen reader falls back to the file name, which says little.".to_owned(),
        fix: "Add an `alt` attribute that says what the image shows. Leave it empty where the \
              image only decorates."
            .to_owned(),
        affected: 9,
        ..meta_description()
    }
    .at(vec![
        image("/", 12, "plan.png"),
        image("/", 40, "deck.jpg"),
        image("/tickets", 9, "map.png"),
        image("/times", 9, "map.png"),
    ])
    .in_all(31)
}

/// Links with three causes, of which the last is not kept.
fn broken_links() -> Finding {
    let link = |path: &str, target: &str| Occurrence {
        snippet: Some(format!("<a href=\"{target}\">")),
        line: Some(31),
        ..place(path, &format!("{target} answers 404."))
    };
    let mut finding = Finding {
        check_id: "link-broken-internal".to_owned(),
        dimension: Dimension::Content,
        severity: Severity::Moderate,
        title: "Broken links within the site".to_owned(),
        why: "People who follow the link end at an error message.".to_owned(),
        fix: "Correct the address, or remove the link.".to_owned(),
        affected: 4,
        ..meta_description()
    }
    .with_causes(
        &[("Broken link to /tmies", 4), ("Broken link to /old", 1)],
        &[],
    );
    finding.causes[0].occurrences = vec![link("/", "/tmies"), link("/tickets", "/tmies")];
    finding.causes[0].sole_lost_hundredths = 300;
    finding.causes[1].occurrences = vec![link("/news", "/old")];
    (finding.causes_total, finding.occurrences_total) = (3, 6);
    finding
}

fn note() -> Finding {
    Finding {
        check_id: "llms-txt".to_owned(),
        dimension: Dimension::AiReadiness,
        severity: Severity::Info,
        title: "The site has no llms.txt".to_owned(),
        why: "Few assistants read it.".to_owned(),
        fix: "Leave it, or offer one.".to_owned(),
        affected: 1,
        applicable: 1,
        subject: SubjectKind::Origin,
        ..meta_description()
    }
    .at(vec![place("/llms.txt", "The answer was 404.")])
}
