//! Action items for tests, with what reports say of them.

use std::collections::BTreeSet;

use domain::action::{
    ActionItem, ActionStatus, AuditFacts, BriefStatus, Description, Dossier, DueDate, Priority,
    Title,
};
use domain::id::{ActionId, OrgId, ReportId, SiteId};
use domain::ports::CheckGuide;
use domain::report::{Finding, FindingCause, Occurrence, SubjectKind};
use domain::score::CheckTally;
use domain::{Confidence, Dimension, Severity};

use crate::sample::{empty, report};

const ULID: &str = "01JD2Y3Z4A5B6C7D8E9F0GHJK";

/// Images without a text, on two kinds of pages, in one template.
pub(crate) fn image_alt() -> (Dossier, CheckGuide) {
    let image = |page: &str, line, file: &str| Occurrence {
        url: format!("https://ferry.example{page}"),
        selector: Some("main > figure.hero > img".to_owned()),
        snippet: Some(format!("<img src=\"/img/{file}\" class=\"hero-image\">")),
        line: Some(line),
        message: "The image has no alt attribute.".to_owned(),
    };
    let finding = Finding {
        affected: 9,
        severity: Severity::Critical,
        ..finding("image-alt", Dimension::Accessibility)
    };
    let places = [
        image("/", 12, "plan.png"),
        image("/", 40, "deck.jpg"),
        image("/tickets", 9, "map.png"),
        image("/times?day=1", 9, "map.png"),
    ];
    let finding = with_causes(
        finding,
        vec![FindingCause {
            affected: 9,
            sole_lost_hundredths: 900,
            occurrences_total: 31,
            ..cause("", "What image-alt finds", &places)
        }],
    );
    let docs = CheckGuide {
        title: "Images without a text alternative".to_owned(),
        what: "Every `img` that assistive technology meets has an accessible name or is marked as \
               decoration."
            .to_owned(),
        why: "A screen reader falls back to the file name. What the image shows is lost."
            .to_owned(),
        fix: "Say in `alt` what the image tells in its place: `alt=\"Floor plan\"`. Give an image \
              that is only decoration an empty one: `alt=\"\"`."
            .to_owned(),
        limits: "Whether the text describes the image is not judged.".to_owned(),
        references: vec!["WCAG 2.2, success criterion 1.1.1 Non-text Content (A)".to_owned()],
    };
    (dossier('A', Some(finding)), docs)
}

/// Broken links with two causes, the texts of which come from the site.
pub(crate) fn broken_link() -> (Dossier, CheckGuide) {
    let link = |page: &str, target: &str| Occurrence {
        url: format!("https://ferry.example{page}"),
        selector: None,
        snippet: Some(format!("<a href=\"{target}\">Times</a>")),
        line: Some(31),
        message: format!("https://ferry.example{target} answers 404."),
    };
    let cause = |target: &str, pages: &[&str]| {
        let places: Vec<_> = pages.iter().map(|page| link(page, target)).collect();
        let url = format!("https://ferry.example{target}");
        cause(&url, &format!("Broken link to {url}"), &places)
    };
    let docs = CheckGuide {
        title: "Broken links within the site".to_owned(),
        what: "Every link to a page of the same site leads to an answer that is not an error."
            .to_owned(),
        why: "People who follow the link end at an error message.".to_owned(),
        fix: "Correct the address, or remove the link. If the page has moved, redirect the old \
              address to the new one."
            .to_owned(),
        limits: "Timeouts are not judged.".to_owned(),
        references: vec!["RFC 9110, HTTP Semantics, section 15.5".to_owned()],
    };
    let causes = [
        cause("/tmies", &["/", "/tickets"]),
        cause("/old", &["/news"]),
    ];
    let finding = Finding {
        affected: 3,
        ..finding("link-broken-internal", Dimension::Seo)
    };
    (
        dossier('B', Some(with_causes(finding, causes.into()))),
        docs,
    )
}

/// A header that the server does not send; a hint more than a certainty.
pub(crate) fn hsts() -> (Dossier, CheckGuide) {
    let finding = Finding {
        subject: SubjectKind::Origin,
        confidence: Confidence::Low,
        affected: 1,
        applicable: 1,
        ..finding("hsts-missing", Dimension::Security)
    };
    let place = Occurrence {
        url: "https://ferry.example/".to_owned(),
        selector: None,
        snippet: None,
        line: None,
        message: "There is no Strict-Transport-Security header.".to_owned(),
    };
    let finding = with_causes(
        finding,
        vec![cause("", "What hsts-missing finds", &[place])],
    );
    let docs = CheckGuide {
        title: "No Strict-Transport-Security".to_owned(),
        what: "The server tells browsers to come by HTTPS alone.".to_owned(),
        why: "The first request of a visit can be rerouted.".to_owned(),
        fix: "Send `Strict-Transport-Security: max-age=31536000`.".to_owned(),
        ..CheckGuide::default()
    };
    (dossier('C', Some(finding)), docs)
}

/// An item that a person made.
pub(crate) fn of_a_person() -> Dossier {
    let mut dossier = dossier('D', None);
    dossier.item.audit = None;
    dossier.item.priority = Priority::Low;
    dossier.item.title = Title::parse("Say when the office is open").unwrap();
    dossier.item.description =
        Description::parse("On the contact page:\n\n- Monday to Friday, 9 to 17\n").unwrap();
    dossier.item.due_date = DueDate::parse("2026-12-24").ok();
    dossier
}

fn finding(check_id: &str, dimension: Dimension) -> Finding {
    Finding {
        check_id: check_id.to_owned(),
        dimension,
        severity: Severity::Serious,
        confidence: Confidence::High,
        effort: "small".to_owned(),
        title: format!("What {check_id} finds"),
        why: "It hinders people.".to_owned(),
        fix: "Repair it.".to_owned(),
        references: Vec::new(),
        affected: 1,
        applicable: 12,
        subject: SubjectKind::Page,
        pages: BTreeSet::new(),
        occurrences_total: 0,
        causes_total: 0,
        causes: Vec::new(),
    }
}

/// A cause on these places, each on a page of its own.
fn cause(key: &str, title: &str, places: &[Occurrence]) -> FindingCause {
    let number = u64::try_from(places.len()).unwrap();
    FindingCause {
        key: key.to_owned(),
        title: title.to_owned(),
        affected: number,
        sole_lost_hundredths: number * 100,
        occurrences_total: number,
        occurrences: places.to_vec(),
    }
}

fn with_causes(finding: Finding, causes: Vec<FindingCause>) -> Finding {
    Finding {
        occurrences_total: causes.iter().map(|cause| cause.occurrences_total).sum(),
        causes_total: u64::try_from(causes.len()).unwrap(),
        causes,
        ..finding
    }
}

fn dossier(last: char, finding: Option<Finding>) -> Dossier {
    let mut result = empty();
    result
        .tallies
        .extend(finding.iter().map(|finding| CheckTally {
            check_id: finding.check_id.clone(),
            dimension: finding.dimension,
            weight: finding.severity.weight(),
            applicable: 12,
            affected: finding.affected,
            lost_hundredths: finding.affected * 100,
        }));
    result.findings.extend(finding);
    let issue = report(&result).issues.into_iter().next();
    let (title, description) = issue.as_ref().map_or_else(
        || (Title::of_finding("x"), Description::default()),
        |issue| {
            (
                Title::of_finding(&issue.title),
                Description::of_issue(issue),
            )
        },
    );
    let audit = issue.as_ref().map(|issue| AuditFacts {
        check_id: issue.check_id.clone(),
        dimension: issue.dimension,
        severity: issue.severity,
        report_id: ReportId::parse(&format!("rep_{ULID}R")).unwrap(),
        affected_pages: issue.affected_pages,
    });
    Dossier {
        item: ActionItem {
            id: ActionId::parse(&format!("act_{ULID}{last}")).unwrap(),
            org_id: OrgId::parse(&format!("org_{ULID}Z")).unwrap(),
            title,
            description,
            status: ActionStatus::Open,
            priority: Priority::High,
            assignee: None,
            due_date: None,
            site_id: SiteId::parse(&format!("site_{ULID}Z")),
            audit,
            comment_count: 0,
            brief_status: BriefStatus::None,
            created_at: Default::default(),
            updated_at: Default::default(),
            resolved_at: None,
            verified_at: None,
        },
        site_url: Some("https://ferry.example/".to_owned()),
        issue,
    }
}
