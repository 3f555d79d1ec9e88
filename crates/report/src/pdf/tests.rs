use domain::report::{AuditResult, Occurrence, Report, Variant};
use domain::score::DimensionWeights;
use typst::layout::Abs;

use super::*;
use crate::brand::{Brand, Color, Logo};
use crate::sample::{self, Causes};

fn facts() -> PdfFacts {
    PdfFacts {
        site_name: "ferry.example".to_owned(),
        created_at: "2026-11-21T14:05:09Z".parse().unwrap(),
        report_id: Some("rep_01".to_owned()),
        product_name: "Assay".to_owned(),
        product_version: "0.1.0".to_owned(),
        help_base_url: "https://audit.example/".to_owned(),
        duration_ms: Some(8_260),
        brand: None,
        has_appendix: false,
        pictures: Vec::new(),
    }
}

fn document(report: &Report) -> PagedDocument {
    document_with(report, &facts())
}

fn document_with(report: &Report, facts: &PdfFacts) -> PagedDocument {
    typeset(report, facts, &PdfFonts::embedded()).unwrap()
}

fn with_appendix() -> PdfFacts {
    PdfFacts {
        has_appendix: true,
        ..facts()
    }
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
fn a_report_is_told_in_short_on_its_own() {
    let report = sample::report(&sample::bad());
    let document = document(&report);
    let text = text(&document);
    assert_contains(
        &text,
        &[
            "Assay 0.1.0Website audit",
            "Audit of ferry.example",
            "https://ferry.example/",
            "21 November 2026, 14:05 UTC · 12 pages in 8.2 s (static HTML)",
            "The crawl stopped at the page limit",
            "70Overall ◕fair",
            "SEO30○poorNo page may be indexed",
            "(limited by a cap)",
            "AI readiness100●goodnothing lost",
            "5 issues:",
            "Do first",
            "Discovered URLs1,430",
            "disallowed by robots.txt12on other sites1,204",
            "2. Images without a text alternative",
            "serious",
            "Accessibility · image-alt · small effort · +1.5 points",
            "On 9 of 12 pages, 31 times.",
            "A screen reader falls back to the file name, which says little.",
            "Leave it empty where the image only decorates.",
            "<img src=\"plan.png\" class=\"wide\">",
            "And 30 more occurrences.",
            "HTML Standard, 4.2.5.1 Standard metadata names",
            "https://audit.example/checks/image-alt",
            "Not runneeds a browser, and there is none",
            "orphan-page",
            "None: all characters of this report are shown.",
        ],
    );
    let order = [
        "Audit of ferry.example",
        "Do first",
        "Issues by score impact",
        "CoverageThe",
        "Checks that were not fully evaluatedWhat",
        "About this documentProperty",
    ];
    let places = order.map(|heading| text.find(heading).expect(heading));
    assert!(places.is_sorted(), "{places:?}");
    assert!(!text.contains("Appendix:"), "{text}");
    assert_nothing_runs_off(&document);
}

#[test]
fn an_appendix_has_the_evidence_and_the_sums() {
    let report = sample::report(&sample::bad());
    let document = document_with(&report, &with_appendix());
    let text = text(&document);
    assert_contains(
        &text,
        &[
            "Appendix: issues with their evidence",
            "https://ferry.example/tickets line\u{a0}9",
            "main > figure:nth-child(12) > img",
            "And 27 more occurrences.",
            "Appendix: score calculation",
            "6 / (1/100 + 1/85 + 1/30 + 1/100 + 1/97.67 + 1/100), rounded to 70.",
            "image-altpages0.21290.7515",
            "site-noindex caps the score at 30; it would be 55: no page can be indexed.",
        ],
    );
    assert_nothing_runs_off(&document);
}

#[test]
fn the_first_page_is_that_of_the_organization() {
    let mut report = sample::report(&sample::bad());
    report.changes = Some(domain::report::Changes {
        against: domain::id::ReportId::parse("rep_01KXZZ9Q80000000000000000C").unwrap(),
        score_change: -3,
        subscore_changes: [(domain::Dimension::Seo, 2)].into(),
        scoring_version_changed: false,
        new_issues: 1,
        fixed_issues: 4,
        new_pages: 0,
        gone_pages: 0,
    });
    let mut brand = Brand::new("Ferry & Co").unwrap();
    brand.color = Some(Color([200, 0, 80]));
    let facts = |brand: &Brand| PdfFacts {
        brand: Some(brand.clone()),
        ..facts()
    };
    let pages = texts(&document_with(&report, &facts(&brand)));
    let first = pages.first().unwrap().replace('\n', "");
    assert_contains(
        &first,
        &[
            "Ferry & CoWebsite audit",
            "−3 points",
            "1 issue new, 4 issues fixed since the last audit",
            "+2 since last; No page may be indexed",
            "Do first",
            "Images without a text alternative",
        ],
    );
    let svg =
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><path d='M0 0h9v9z'/></svg>";
    brand.logo = Some(Logo::parse(svg.as_bytes().to_vec()).unwrap());
    let with_logo = document_with(&report, &facts(&brand));
    let text = texts(&with_logo).concat();
    assert!(!text.contains("Ferry & Co"), "{text}");
    assert!(write(&with_logo, &facts(&brand)).is_ok());
}

#[test]
fn a_logo_that_cannot_be_drawn_leaves_its_name() {
    let report = sample::report(&sample::good());
    let mut brand = Brand::new("Ferry & Co").unwrap();
    let mut broken = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    broken.extend([0, 0, 0, 9, 0, 0, 0, 9]);
    brand.logo = Some(Logo::parse(broken).unwrap());
    let facts = PdfFacts {
        brand: Some(brand),
        ..facts()
    };
    assert_contains(
        &text(&document_with(&report, &facts)),
        &["Ferry & CoWebsite audit"],
    );
}

#[test]
fn any_report_has_at_most_so_many_pages() {
    let mut result = big(300);
    for finding in &mut result.findings {
        finding.title = "Long title ".repeat(60);
        finding.why = "Why it matters. ".repeat(120) + &"\n- A point of it.".repeat(40);
        finding.fix = finding.why.clone();
        finding.references = vec![finding.title.clone(); 30];
        for cause in &mut finding.causes {
            cause.title = finding.title.clone();
        }
    }
    result.coverage.skipped = (0..300)
        .map(|number| (format!("reason_{number}_{}", "long_".repeat(60)), 1))
        .collect();
    result.unjudged = (0..300)
        .map(|number| domain::report::UnjudgedCheck {
            check_id: format!("check-{number}"),
            dimension: domain::Dimension::Seo,
            why: domain::report::Unjudged::Errored(format!("{number} {}", "reason ".repeat(90))),
            count: 1,
        })
        .collect();
    let document = document(&sample::report(&result));
    let pages = document.pages().len();
    assert!((10..=limits::PAGES).contains(&pages), "{pages}");
    assert_contains(&text(&document), &["Further issues", "And 257 more"]);
    assert_nothing_runs_off(&document);
}

#[test]
fn the_older_variant_has_five_dimensions() {
    let result = sample::bad();
    let weights = DimensionWeights::default();
    let report = Report::assemble(&result, Variant::Legacy, &weights);
    let text = text(&document(&report));
    assert!(!text.contains("AI readiness"), "{text}");
    assert_contains(&text, &["Overall ◕fair", "4 issues:"]);
}

#[test]
fn nothing_found_is_said() {
    let report = sample::report(&sample::empty());
    let text = text(&document(&report));
    assert_contains(&text, &["No issues were found", "100Overall ●good"]);
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
                    waiver: None,
                    artifact: None,
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
    let [detail, ..] = DETAILS;
    let form = Form {
        detail,
        has_appendix: true,
    };
    let inputs = data::inputs(
        &report,
        &facts(),
        &PdfFonts::embedded(),
        form,
        &Without::These(BTreeSet::new()),
    );
    let text = format!("{inputs:?}");
    let shown = text.matches("Place ").count();
    let few = issues - limits::PLACES / limits::PLACES_OF_ONLY;
    assert_eq!(shown, detail.entries + limits::PLACES + few);
    assert!(text.len() < 20_000_000, "{}", text.len());
}

#[test]
fn causes_stand_within_their_issue() {
    let report = sample::report(&sample::bad());
    let text = text(&document_with(&report, &with_appendix()));
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
    let document = document_with(&report, &with_appendix());
    assert!(document.pages().len() <= 18, "{}", document.pages().len());
    assert_nothing_runs_off(&document);
}

#[test]
fn measured_pages_are_in_the_coverage() {
    let report = sample::report(&sample::measured());
    let text = text(&document(&report));
    assert_contains(
        &text,
        &[
            "A browser measured 2 pages on the profile mobile-slow4g",
            "https://ferry.example/tides",
            "2,310 to 2,520 ms",
            "the median of 3 loads",
            "not judged, because the speed of the machine changed",
        ],
    );
}

mod pictures {
    use domain::artifact::{Artifact, ArtifactId, ArtifactKind};

    use super::*;

    /// A blue window of 8 x 16 pixels.
    const WINDOW: &[u8] = include_bytes!("testdata/window.jpg");

    fn picture(number: u8, kind: ArtifactKind, jpeg: &[u8]) -> Artifact {
        Artifact {
            id: ArtifactId::new(number).unwrap(),
            kind,
            url: format!("https://ferry.example/{number}"),
            width: 8,
            height: 16,
            jpeg: jpeg.to_vec(),
        }
    }

    fn images(frame: &Frame) -> usize {
        let items = frame.items().map(|(_, item)| match item {
            FrameItem::Group(group) => images(&group.frame),
            FrameItem::Image(..) => 1,
            _ => 0,
        });
        items.sum()
    }

    fn images_of(document: &PagedDocument) -> usize {
        let pages = document.pages().iter();
        pages.map(|page| images(&page.frame)).sum()
    }

    /// Issues whose places have the pictures with these numbers, one each.
    fn report_with(numbers: std::ops::Range<u8>) -> Report {
        let mut result = big(usize::from(numbers.end));
        let places = (result.findings.iter_mut())
            .flat_map(|finding| &mut finding.causes)
            .filter_map(|cause| cause.occurrences.first_mut());
        for (place, number) in places.zip(numbers) {
            place.artifact = ArtifactId::new(number);
        }
        sample::report(&result)
    }

    #[test]
    fn pages_and_elements_are_shown_as_far_as_there_is_room() {
        let windows = (1..9).map(|number| picture(number, ArtifactKind::Viewport, WINDOW));
        let elements = (9..29).map(|number| picture(number, ArtifactKind::Element, WINDOW));
        let facts = PdfFacts {
            pictures: windows.chain(elements).collect(),
            ..with_appendix()
        };
        let document = document_with(&report_with(9..29), &facts);
        let most = limits::PAGE_PICTURES + limits::ELEMENT_PICTURES;
        assert_eq!(images_of(&document), most);
        assert_contains(&text(&document), &["Pictures", "https://ferry.example/6"]);
        // Each has a text alternative, without which PDF/UA-1 could not be written.
        let file = write(&document, &facts).unwrap();
        assert!(String::from_utf8_lossy(&file).contains("pdfuaid:part"));
    }

    #[test]
    fn a_picture_that_cannot_be_drawn_leaves_the_others_out_too() {
        let facts = PdfFacts {
            pictures: vec![
                picture(1, ArtifactKind::Viewport, WINDOW),
                picture(2, ArtifactKind::Viewport, &WINDOW[..40]),
            ],
            ..facts()
        };
        let document = document_with(&report_with(1..2), &facts);
        assert_eq!(images_of(&document), 0);
        assert!(write(&document, &facts).is_ok());
    }
}
