use domain::report::{AuditResult, Occurrence, Report, Variant};
use domain::score::DimensionWeights;
use typst::layout::Abs;

use super::*;
use crate::sample::{self, Causes};

fn facts() -> PdfFacts {
    PdfFacts {
        site_name: "ferry.example".to_owned(),
        created_at: "2026-11-21T14:05:09Z".parse().unwrap(),
        report_id: Some("rep_01".to_owned()),
        product_name: "Assay".to_owned(),
        product_version: "0.1.0".to_owned(),
        help_base_url: "https://audit.example/".to_owned(),
    }
}

fn document(report: &Report) -> PagedDocument {
    typeset(report, &facts(), &PdfFonts::embedded()).unwrap()
}

/// The text of each page, items one a line.
fn texts(document: &PagedDocument) -> Vec<String> {
    let pages = document.pages().iter();
    pages
        .map(|page| {
            let mut items = Vec::new();
            collect(&page.frame, Abs::zero(), &mut items);
            items.into_iter().map(|item| item.text + "\n").collect()
        })
        .collect()
}

fn text(document: &PagedDocument) -> String {
    texts(document).concat().replace('\n', "")
}

struct Item {
    text: String,
    right: Abs,
}

fn collect(frame: &Frame, left: Abs, items: &mut Vec<Item>) {
    for (at, item) in frame.items() {
        match item {
            FrameItem::Group(group) => collect(&group.frame, left + at.x, items),
            FrameItem::Text(text) => items.push(Item {
                text: text.text.to_string(),
                right: left + at.x + text.width(),
            }),
            _ => {}
        }
    }
}

/// No text reaches into the right margin or beyond.
fn assert_nothing_runs_off(document: &PagedDocument) {
    for page in document.pages() {
        let mut items = Vec::new();
        collect(&page.frame, Abs::zero(), &mut items);
        let edge = page.frame.width() - Abs::mm(19.9);
        for item in items {
            let text = item.text.trim_end();
            assert!(item.right <= edge || text.is_empty(), "{text}");
        }
    }
}

fn assert_contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
}

#[test]
fn a_report_is_told_whole() {
    let report = sample::report(&sample::bad());
    let document = document(&report);
    let text = text(&document);
    assert_contains(
        &text,
        &[
            "Assay 0.1.0 · website audit",
            "Audit of ferry.example",
            "https://ferry.example/",
            "21 November 2026, 14:05 UTC. Audited 12 pages (static HTML).",
            "The crawl stopped at the page limit.",
            "70Overallfair",
            "30SEOpoor, limited by a cap",
            "100AI readinessgood",
            "5 issues:",
            "Discovered URLs1,430",
            "disallowed by robots.txt12on other sites1,204",
            "2. Images without a text alternative",
            "serious",
            "Accessibility · image-alt · small effort · +1.5 points",
            "On 9 of 12 pages, 31 times.",
            "A screen reader falls back to the file name, which says little.",
            "Leave it empty where the image only decorates.",
            "https://ferry.example/tickets line\u{a0}9",
            "main > figure:nth-child(12) > img",
            "<img src=\"plan.png\" class=\"wide\">",
            "And 27 more occurrences.",
            "HTML Standard, 4.2.5.1 Standard metadata names",
            "https://audit.example/checks/image-alt",
            "6 / (1/100 + 1/85 + 1/30 + 1/100 + 1/97.67 + 1/100), rounded to 70.",
            "image-altpages0.21290.7515",
            "site-noindex caps the score at 30; it would be 55: no page can be indexed.",
            "Not runneeds a browser, and there is none",
            "orphan-page",
            "None: all characters of this report are shown.",
            "Page 1 of 4",
        ],
    );
    let order = [
        "Dimension by dimensionPerformance",
        "CoverageThe",
        "Issues by score impactNo.",
        "Score calculationA",
        "Checks that were not fully evaluatedWhat",
        "About this documentProperty",
    ];
    let places = order.map(|heading| text.find(heading).expect(heading));
    assert!(places.is_sorted(), "{places:?}");
    assert_nothing_runs_off(&document);
}

#[test]
fn the_older_variant_has_five_dimensions() {
    let result = sample::bad();
    let weights = DimensionWeights::default();
    let report = Report::assemble(&result, Variant::Legacy, &weights);
    let text = text(&document(&report));
    assert!(!text.contains("AI readiness"), "{text}");
    assert_contains(&text, &["Overallfair", "Contentgood", "4 issues:"]);
}

#[test]
fn nothing_found_is_said() {
    let report = sample::report(&sample::empty());
    let text = text(&document(&report));
    assert_contains(&text, &["No issues were found", "100Overallgood"]);
}

#[test]
fn a_file_is_tagged_and_always_the_same() {
    let report = sample::report(&sample::good());
    let fonts = PdfFonts::embedded();
    let (one, other) = std::thread::scope(|scope| {
        let render = || render(&report, &facts(), &fonts).unwrap();
        let threads = [scope.spawn(render), scope.spawn(render)];
        let [one, other] = threads.map(|thread| thread.join().unwrap());
        (one, other)
    });
    assert_eq!(one, other);
    assert!(one.starts_with(b"%PDF-1.7"));
    assert!(one.trim_ascii_end().ends_with(b"%%EOF"));
    let has = |part: &str| one.windows(part.len()).any(|at| at == part.as_bytes());
    for part in [
        "/MarkInfo",
        "/StructTreeRoot",
        "/Outlines",
        "pdfuaid:part",
        "/Lang",
    ] {
        assert!(has(part), "{part}");
    }
    assert!(has("D:20261121140509Z"));
}

#[test]
fn markup_of_a_page_is_text() {
    let words =
        "#import \"x\" $a$ @b \\ *c* _d_ [e] `f` ```g``` #read(\"/etc/passwd\") <h> = i // j";
    let report = sample::report(&sample::hostile(words));
    let document = document(&report);
    let text = text(&document);
    assert_contains(
        &text,
        &["#import \"x\" $a$ @b \\ *c* _d_ [e] `f` ```g``` #read(\"/etc/passwd\") <h> = i // j"],
    );
    assert_nothing_runs_off(&document);
}

#[test]
fn text_without_spaces_stays_on_the_page() {
    // A report takes a while without optimization, so that several kinds share one.
    let mut result = sample::hostile(&"W".repeat(2_000));
    for sign in ["Ж", "ש", "%41", "x\u{301}", "\u{202e}"] {
        let mut finding = sample::hostile(&sign.repeat(900)).findings.remove(0);
        finding.references = vec![format!("https://{}", sign.repeat(900))];
        result.findings.push(finding);
    }
    assert_nothing_runs_off(&document(&sample::report(&result)));
}

#[test]
fn scripts_without_a_font_are_named_on_the_last_page() {
    let report = sample::report(&sample::hostile("時刻表 🚢"));
    let pages = texts(&document(&report));
    let last = pages.last().unwrap().replace('\n', "");
    assert_contains(
        &last,
        &[
            "Scripts without a font",
            "Han3 charactersU+523B U+6642 U+8868",
            "Symbols and emoji1 characterU+1F6A2",
        ],
    );
    assert!(!pages.concat().contains('時'));
}

#[test]
fn only_our_documentation_and_web_references_are_links() {
    let mut result = sample::hostile("https://evil.example/");
    let finding = result.findings.first_mut().unwrap();
    finding.check_id = "image-alt".to_owned();
    finding.references = [
        "The file, https://standard.example/x",
        "javascript:alert(1)",
        "https://other.example/é",
    ]
    .map(str::to_owned)
    .to_vec();
    let report = sample::report(&result);
    let bytes = render(&report, &facts(), &PdfFonts::embedded()).unwrap();
    let uris: BTreeSet<_> = String::from_utf8_lossy(&bytes)
        .split("/URI(")
        .skip(1)
        .map(|rest| rest.split(')').next().unwrap_or_default().to_owned())
        .collect();
    let expected = [
        "https://audit.example/checks/image-alt",
        "https://standard.example/x",
    ];
    assert_eq!(uris, expected.map(str::to_owned).into());
}

/// Many issues with as much evidence as is kept.
fn big(issues: usize) -> AuditResult {
    let mut result = sample::good();
    let first = result.findings.first().unwrap().clone();
    result.findings = (0..issues)
        .map(|number| {
            let mut finding = first.clone();
            finding.check_id = format!("check-{number:03}");
            let places = (0..20)
                .map(|place| Occurrence {
                    url: format!("https://ferry.example/{place}"),
                    selector: Some("div > ".repeat(500)),
                    snippet: Some("<div class=\"wide\">".repeat(600)),
                    line: Some(place),
                    message: format!("Place {place} is wrong."),
                })
                .collect();
            finding.at(places).in_all(5_000)
        })
        .collect();
    result
}

#[test]
fn what_is_shown_is_bounded() {
    let issues = 250;
    let report = sample::report(&big(issues));
    let inputs = data::inputs(
        &report,
        &facts(),
        &PdfFonts::embedded(),
        &Without::These(BTreeSet::new()),
    );
    let text = format!("{inputs:?}");
    let shown = text.matches("Place ").count();
    let few = issues - limits::PLACES / limits::PLACES_OF_ONLY;
    assert_eq!(shown, limits::PLACES + few);
    assert!(text.len() < 20_000_000, "{}", text.len());
}

#[test]
fn causes_stand_within_their_issue() {
    let report = sample::report(&sample::bad());
    let text = text(&document(&report));
    assert_contains(
        &text,
        &[
            "Broken links within the site",
            "Broken link to /tmies · 4 pages",
            "And 2 more occurrences.",
            "Broken link to /old · 1 page",
            "And 1 more cause.",
            "Partially evaluated",
            "link-broken-internal (12,345 times)",
        ],
    );
}

#[test]
fn pages_are_few_for_what_they_hold() {
    let report = sample::report(&big(4));
    let document = document(&report);
    assert!(document.pages().len() <= 16, "{}", document.pages().len());
    assert_nothing_runs_off(&document);
}
