//! Sample results of audits.

use std::collections::BTreeSet;

use domain::action::PageKey;
use domain::report::{
    AuditResult, Coverage, CrawlMode, Finding, FindingCause, LinkCounts, LinkTarget, LinkVerdict,
    MAX_OCCURRENCES, MAX_OCCURRENCES_PER_PAGE, Occurrence, PageDetails, PageScores, PageVisit,
    RedirectChain, RedirectHop, SiteLinks, StoppedBy, Unjudged, UnjudgedCheck, Variant,
};
use domain::score::{Cap, Share, Tallies};
use domain::{Confidence, Dimension, Severity, SubjectKind};

/// Pages of the sample.
const PAGES: u64 = 60;

/// The checks in the sample that failed, or have no verdict.
const CHECKS: [&str; 9] = [
    "agent-access",
    "broken-link",
    "cache-lifetime",
    "contrast",
    "csp",
    "image-alt",
    "language-mix",
    "llms-txt",
    "noindex",
];

/// A result with findings of every severity in five dimensions, a cap, checks without a verdict and a crawl
/// that ended early.
///
/// `image-alt` has more occurrences than are kept per check, and on its first page more than are kept per page.
/// `broken-link` has two causes on a common page.
#[must_use]
pub fn audit_result() -> AuditResult {
    let findings = vec![
        images_without_a_text(),
        broken_links(),
        noindex(),
        llms_txt(),
        cache_hint(),
        language_note(),
    ];
    let tallies = tallies_of(&findings);
    AuditResult {
        coverage: Coverage {
            mode: CrawlMode::Static,
            complete: false,
            stopped_by: Some(StoppedBy::PageCap),
            pages_discovered: 215,
            pages_fetched: PAGES + 2,
            pages_audited: PAGES,
            pages_rendered: 0,
            measured: Vec::new(),
            requests: 331,
            skipped: vec![("robots".to_owned(), 4), ("not_html".to_owned(), 2)],
        },
        pages: visits(&findings),
        links: links(),
        tallies,
        caps: vec![Cap {
            dimension: Dimension::Seo,
            maximum: 40,
            check_id: "noindex".to_owned(),
            reason: "the start page cannot be indexed".to_owned(),
        }],
        findings,
        unjudged: vec![
            unjudged(
                "contrast",
                Dimension::Accessibility,
                Unjudged::NotRun("it needs a browser".to_owned()),
            ),
            unjudged(
                "agent-access",
                Dimension::AiReadiness,
                Unjudged::CannotTell("robots.txt did not answer".to_owned()),
            ),
            unjudged(
                "csp",
                Dimension::Security,
                Unjudged::Errored("it failed".to_owned()),
            ),
            UnjudgedCheck {
                count: 1_204,
                ..unjudged(
                    "broken-link",
                    Dimension::Content,
                    Unjudged::Limited("only the first links of a page are judged".to_owned()),
                )
            },
        ],
        ..clean_audit_result()
    }
}

/// A result of a complete crawl without findings.
#[must_use]
pub fn clean_audit_result() -> AuditResult {
    AuditResult {
        requested_url: "https://example.com/".to_owned(),
        url: "https://www.example.com/".to_owned(),
        coverage: Coverage {
            mode: CrawlMode::Static,
            complete: true,
            stopped_by: None,
            pages_discovered: PAGES,
            pages_fetched: PAGES,
            pages_audited: PAGES,
            pages_rendered: 0,
            measured: Vec::new(),
            requests: PAGES + 3,
            skipped: Vec::new(),
        },
        tallies: tallies_of(&[]),
        caps: Vec::new(),
        findings: Vec::new(),
        unjudged: Vec::new(),
        pages: audited_pages(&[]),
        links: SiteLinks::default(),
        catalogue: catalogue(),
        engine_version: "0.1.0".to_owned(),
        catalogue_version: "1".to_owned(),
        waivers: Vec::new(),
        artifacts: Vec::new(),
    }
}

/// The pages of the site, with the number of these findings on each.
fn audited_pages(findings: &[Finding]) -> Vec<PageVisit> {
    (0..PAGES)
        .map(|page| {
            let url = page_url(page);
            let found_on = |dimensions: &[Dimension]| {
                let shown = findings.iter().filter(|finding| {
                    dimensions.contains(&finding.dimension)
                        && finding.pages.contains(&PageKey::from_url(&url))
                });
                u32::try_from(shown.count()).unwrap_or(u32::MAX)
            };
            PageVisit {
                status: Some(200),
                depth: Some(u32::from(page > 0)),
                title: Some(format!("Page {page}")),
                bytes: Some(1_256 + page),
                audited: true,
                leads_to: None,
                details: details(page),
                scores: PageScores([Some(Share::from_hundredths(98)); 6]),
                issues: found_on(Variant::Current.dimensions()),
                issues_legacy: found_on(Variant::Legacy.dimensions()),
                url,
            }
        })
        .collect()
}

/// What else is known about a page of the site.
fn details(page: u64) -> PageDetails {
    let small = u32::try_from(page).unwrap_or(u32::MAX);
    PageDetails {
        description: Some(format!("What page {page} is about.")),
        h1: Some(format!("Heading {page}")),
        canonical: Some(page_url(page)),
        indexable: Some(page != 2),
        language: Some("en".to_owned()),
        words: Some(300 + small % 7),
        transfer_bytes: Some(640 + page),
        response_ms: Some(20 + small % 5),
        links_in: Some(u32::from(page != 3)),
        links_out: Some(4),
    }
}

/// The links of the site: one to a missing page, one to a redirect, one to another site, and one to a page.
fn links() -> SiteLinks {
    let fine = |url: String, internal| LinkTarget {
        url,
        internal,
        verdict: LinkVerdict::Ok,
        status: Some(200),
        reason: None,
        redirects: false,
        leads_to: None,
        linking_pages: 1,
        first_pages: vec![0],
    };
    let targets = vec![
        LinkTarget {
            verdict: LinkVerdict::Broken,
            status: Some(404),
            reason: Some("returns status 404".to_owned()),
            linking_pages: 2,
            first_pages: vec![0, 1],
            ..fine("https://www.example.com/gone".to_owned(), true)
        },
        LinkTarget {
            status: Some(301),
            redirects: true,
            leads_to: Some(page_url(1)),
            ..fine("https://www.example.com/old".to_owned(), true)
        },
        fine("https://example.org/".to_owned(), false),
        fine(page_url(1), true),
    ];
    let hop = |url: &str, status| RedirectHop {
        url: url.to_owned(),
        status: Some(status),
    };
    let chains = vec![RedirectChain {
        hops: vec![
            hop("https://www.example.com/old", 301),
            hop(&page_url(1), 200),
        ],
        is_loop: false,
        linking_pages: 1,
    }];
    let mut counts = LinkCounts::default();
    for target in &targets {
        counts.add(target, true);
    }
    counts.chains.add(true);
    SiteLinks {
        targets,
        chains,
        counts,
    }
}

/// The pages of the site, a missing page and a redirect.
fn visits(findings: &[Finding]) -> Vec<PageVisit> {
    let unread = |path: &str, status| PageVisit {
        url: format!("https://www.example.com/{path}"),
        status: Some(status),
        depth: Some(1),
        title: None,
        bytes: None,
        audited: false,
        leads_to: None,
        details: PageDetails::default(),
        scores: PageScores::default(),
        issues: 0,
        issues_legacy: 0,
    };
    let mut visits = audited_pages(findings);
    visits.push(unread("gone", 404));
    visits.push(PageVisit {
        leads_to: Some(page_url(1)),
        ..unread("old", 301)
    });
    visits
}

fn catalogue() -> Vec<String> {
    let clean = tallies_of(&[])
        .checks
        .into_iter()
        .map(|tally| tally.check_id);
    clean.chain(CHECKS.map(str::to_owned)).collect()
}

/// The address of a page; that of the first is the root.
fn page_url(page: u64) -> String {
    match page {
        0 => "https://www.example.com/".to_owned(),
        _ => format!("https://www.example.com/{page}"),
    }
}

/// One check without findings in each dimension, and one tally for each finding.
fn tallies_of(findings: &[Finding]) -> Tallies {
    let tallies = Tallies::of_findings(PAGES, findings);
    Dimension::ALL
        .into_iter()
        .rev()
        .fold(tallies, |tallies, dimension| {
            let check_id = format!("{}-base", dimension.as_str().to_lowercase());
            tallies.with_passed(&check_id, dimension, PAGES)
        })
}

fn unjudged(check_id: &str, dimension: Dimension, why: Unjudged) -> UnjudgedCheck {
    UnjudgedCheck {
        check_id: check_id.to_owned(),
        dimension,
        why,
        count: 1,
    }
}

/// A finding with one cause at these occurrences, one of them a page.
fn finding(
    check_id: &str,
    dimension: Dimension,
    severity: Severity,
    occurrences: Vec<Occurrence>,
) -> Finding {
    let title = format!("A finding of {check_id}");
    Finding {
        check_id: check_id.to_owned(),
        dimension,
        severity,
        confidence: Confidence::High,
        effort: "small".to_owned(),
        why: "Some people are kept out.".to_owned(),
        fix: format!("Repair what {check_id} names. Then audit again."),
        references: vec!["WCAG 2.2, success criterion 1.1.1".to_owned()],
        affected: number(occurrences.len()).min(PAGES),
        applicable: PAGES,
        subject: SubjectKind::Page,
        pages: pages_of(&occurrences),
        occurrences_total: number(occurrences.len()),
        causes_total: 1,
        causes: vec![cause("", &title, occurrences)],
        title,
        waived: 0,
    }
}

fn cause(key: &str, title: &str, occurrences: Vec<Occurrence>) -> FindingCause {
    let affected = number(occurrences.len()).min(PAGES);
    FindingCause {
        key: key.to_owned(),
        title: title.to_owned(),
        affected,
        occurrences_total: number(occurrences.len()),
        occurrences,
        waived: 0,
    }
}

fn number(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

fn pages_of(occurrences: &[Occurrence]) -> BTreeSet<PageKey> {
    let occurrences = occurrences.iter();
    occurrences
        .map(|found| PageKey::from_url(&found.url))
        .collect()
}

fn place(page: u64, message: &str) -> Occurrence {
    Occurrence {
        url: page_url(page),
        selector: None,
        snippet: None,
        line: None,
        message: message.to_owned(),
        waiver: None,
        artifact: None,
    }
}

fn images_without_a_text() -> Finding {
    let image = |page, number| Occurrence {
        selector: Some(format!("main > img:nth-of-type({number})")),
        snippet: Some(format!("<img src=\"{number}.png\">")),
        line: Some(number),
        ..place(page, &format!("Image {number} has no text alternative."))
    };
    let on_page = |page: u64| if page == 0 { 35 } else { 20 };
    let total = (0..PAGES).map(|page| u64::from(on_page(page))).sum();
    let images = (0..PAGES).flat_map(|page| (1..=on_page(page)).map(move |image| (page, image)));
    let kept = images.filter(|&(_, number)| {
        usize::try_from(number).is_ok_and(|number| number <= MAX_OCCURRENCES_PER_PAGE)
    });
    let kept: Vec<_> = kept
        .take(MAX_OCCURRENCES)
        .map(|(page, number)| image(page, number))
        .collect();
    let title = "Images without a text alternative";
    Finding {
        title: title.to_owned(),
        pages: (0..PAGES)
            .map(|page| PageKey::from_url(&page_url(page)))
            .collect(),
        occurrences_total: total,
        causes: vec![FindingCause {
            occurrences_total: total,
            ..cause("", title, kept.clone())
        }],
        ..finding(
            "image-alt",
            Dimension::Accessibility,
            Severity::Serious,
            kept,
        )
    }
}

/// Broken links to two URLs on three pages; one page has links to both.
fn broken_links() -> Finding {
    let places = |pages: u64| {
        let places = (0..pages).map(|page| place(page, "The link leads nowhere."));
        places.collect::<Vec<_>>()
    };
    let to = |target: &str, pages| {
        let key = format!("https://www.example.com{target}");
        cause(
            &key,
            &format!("Links that lead nowhere: {target}"),
            places(pages),
        )
    };
    Finding {
        title: "Links that lead nowhere".to_owned(),
        effort: "medium".to_owned(),
        confidence: Confidence::Medium,
        occurrences_total: 4,
        causes_total: 2,
        causes: vec![
            FindingCause { ..to("/gone", 3) },
            FindingCause {
                ..to("/moved?to=\"nowhere\"", 1)
            },
        ],
        ..finding(
            "broken-link",
            Dimension::Content,
            Severity::Moderate,
            places(3),
        )
    }
}

fn noindex() -> Finding {
    finding(
        "noindex",
        Dimension::Seo,
        Severity::Critical,
        vec![place(0, "The page asks not to be indexed.")],
    )
}

fn llms_txt() -> Finding {
    Finding {
        subject: SubjectKind::Site,
        pages: BTreeSet::new(),
        applicable: 1,
        references: Vec::new(),
        ..finding(
            "llms-txt",
            Dimension::AiReadiness,
            Severity::Minor,
            vec![place(0, "There is no llms.txt.")],
        )
    }
}

fn cache_hint() -> Finding {
    let files = (0..7).map(|file| place(file, "The file is kept for an hour."));
    let finding = finding(
        "cache-lifetime",
        Dimension::Performance,
        Severity::Minor,
        files.collect(),
    );
    Finding {
        subject: SubjectKind::Resource,
        pages: BTreeSet::new(),
        applicable: 12,
        confidence: Confidence::Low,
        effort: "large".to_owned(),
        ..finding
    }
}

fn language_note() -> Finding {
    finding(
        "language-mix",
        Dimension::Content,
        Severity::Info,
        vec![place(4, "Zwei Sprachen — “deux langues” — 二つの言語 🦀")],
    )
}
