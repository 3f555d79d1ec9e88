//! Reports, and the lists that belong to one.

use api_types::artifact::{Artifact, ArtifactKind, ArtifactList};
use api_types::dimension::Dimension;
use api_types::report::{
    Cause, CauseList, Changes, Confidence, Coverage, CrawlMode, Issue, IssueState, LabChange,
    LabChangeKind, LabMetric, LabPageDiff, LabProfile, Link, LinkList, LinkVerdict, Occurrence,
    OccurrenceList, Page, PageList, RedirectChain, RedirectHop, RedirectList, Report, ReportDiff,
    Severity, Summaries, Unjudged,
};
use api_types::scoring::{CheckScoring, DimensionScoring, PageScoring, Scoring};
use domain::report::Variant;

use super::{REPORT, RUN, SITE, URL, per_dimension, subscores, wire_variant};

pub(in crate::routes) fn report(variant: Variant) -> Report {
    Report {
        report_id: Some(REPORT.to_owned()),
        run_id: Some(RUN.to_owned()),
        site_id: Some(SITE.to_owned()),
        url: URL.to_owned(),
        created_at: "2026-11-21T12:00:39.512Z".to_owned(),
        variant: wire_variant(variant),
        overall_score: 87,
        subscores: subscores(variant),
        summaries: Summaries {
            overall: "Scored 87 of 100. Give every page a description first.".to_owned(),
            dimensions: per_dimension(variant, "Nothing to fix.".to_owned()),
        },
        issues: vec![issue()],
        unjudged: vec![Unjudged {
            check_id: "color-contrast".to_owned(),
            reason: "It needs a browser.".to_owned(),
            count: 44,
        }],
        changes: Some(Changes {
            against: "rep_01JD1X5KZT0000000000000000".to_owned(),
            score_change: -2,
            subscore_changes: per_dimension(variant, -2),
            scoring_version_changed: false,
            new_issues: 1,
            fixed_issues: 0,
            new_pages: 3,
            gone_pages: 0,
        }),
        coverage: Coverage {
            mode: CrawlMode::Static,
            complete: true,
            stopped_by: None,
            pages_discovered: 48,
            pages_fetched: 46,
            pages_audited: 44,
            pages_rendered: 0,
            pages_measured: 0,
            requests: 131,
            skipped: Vec::new(),
        },
        scoring: scoring(variant),
        lab: Vec::new(),
        waivers: Vec::new(),
    }
}

pub(in crate::routes) fn causes() -> CauseList {
    CauseList {
        causes: vec![cause()],
        causes_total: 1,
        causes_stored: 1,
        occurrences_total: 1,
        occurrences_stored: 1,
        next_cursor: None,
    }
}

pub(in crate::routes) fn occurrences() -> OccurrenceList {
    OccurrenceList {
        occurrences: vec![occurrence()],
        occurrences_total: 1,
        occurrences_stored: 1,
        next_cursor: None,
    }
}

pub(in crate::routes) fn pages(variant: Variant) -> PageList {
    PageList {
        pages: vec![Page {
            url: "https://example.com/tickets".to_owned(),
            status: Some(200),
            depth: Some(1),
            title: Some("Tickets".to_owned()),
            description: None,
            h1: Some("Tickets".to_owned()),
            canonical: Some("https://example.com/tickets".to_owned()),
            indexable: Some(true),
            language: Some("en".to_owned()),
            words: Some(412),
            bytes: Some(18_204),
            transfer_bytes: Some(5_120),
            response_ms: Some(84),
            links_in: Some(43),
            links_out: Some(27),
            issue_count: 1,
            scores: per_dimension(variant, Some(93.0)),
        }],
        next_cursor: Some("p0000000000764df39f".to_owned()),
    }
}

pub(in crate::routes) fn links() -> LinkList {
    LinkList {
        links: vec![Link {
            url: "https://example.com/prices".to_owned(),
            internal: true,
            verdict: LinkVerdict::Broken,
            status: Some(404),
            reason: Some("returns status 404".to_owned()),
            redirects: false,
            redirects_to: None,
            linking_pages: 2,
            pages: ["https://example.com/", "https://example.com/tickets"]
                .map(str::to_owned)
                .into(),
        }],
        links_total: Some(1),
        links_stored: 1,
        next_cursor: None,
    }
}

pub(in crate::routes) fn redirects() -> RedirectList {
    let hop = |url: &str, status| RedirectHop {
        url: url.to_owned(),
        status: Some(status),
    };
    RedirectList {
        redirects: vec![RedirectChain {
            hops: vec![
                hop("http://example.com/tickets", 301),
                hop("https://example.com/tickets", 200),
            ],
            is_loop: false,
            linking_pages: 3,
        }],
        redirects_total: Some(1),
        redirects_stored: 1,
        next_cursor: None,
    }
}

pub(in crate::routes) fn artifacts() -> ArtifactList {
    ArtifactList {
        artifacts: vec![Artifact {
            artifact_id: "art_1".to_owned(),
            kind: ArtifactKind::Viewport,
            url: URL.to_owned(),
            width: 412,
            height: 823,
            size_bytes: 31_204,
        }],
    }
}

pub(in crate::routes) fn diff(variant: Variant) -> ReportDiff {
    ReportDiff {
        report_id: REPORT.to_owned(),
        against: "rep_01KAJ0S5C8N2R4T6V8X0Z1B3D5".to_owned(),
        score_change: -1,
        subscore_changes: per_dimension(variant, -1),
        new: vec![issue()],
        fixed: Vec::new(),
        persisting: Vec::new(),
        catalogue_version_changed: false,
        scoring_version_changed: false,
        lab: vec![LabPageDiff {
            url: "https://example.com/".to_owned(),
            profile: LabProfile::MobileSlow4g,
            against_profile: LabProfile::MobileSlow4g,
            changes: vec![LabChange {
                metric: LabMetric::Lcp,
                before: 2_400.0,
                after: 2_450.0,
                kind: LabChangeKind::WithinSpread,
            }],
        }],
        performance_is_noise: false,
    }
}

fn occurrence() -> Occurrence {
    Occurrence {
        url: "https://example.com/tickets".to_owned(),
        selector: Some("head".to_owned()),
        snippet: None,
        line: Some(3),
        message: "There is no meta element named description.".to_owned(),
        artifact_id: None,
        waiver_id: None,
    }
}

fn cause() -> Cause {
    Cause {
        fingerprint: "24680937b262fa3f5604926f6291d7f9".to_owned(),
        message: "Pages have no description".to_owned(),
        affected_pages: 1,
        occurrences_total: 1,
        score_impact: 0.13,
        state: Some(IssueState::New),
        occurrences: vec![occurrence()],
        waived: 0,
    }
}

fn issue() -> Issue {
    Issue {
        issue_id: "iss_01KAK2NB6HV2X4Z6B8DFHKMQST".to_owned(),
        check_id: "description-missing".to_owned(),
        dimension: Dimension::Seo,
        severity: Severity::Moderate,
        confidence: Confidence::High,
        title: "Pages have no description".to_owned(),
        description: "On 1 of 44 pages. Search engines pick a passage themselves.".to_owned(),
        recommendation: "Write one or two sentences on what the page is for.".to_owned(),
        affected_pages: 1,
        occurrences_total: 1,
        causes_total: 1,
        causes: vec![cause()],
        score_impact: 0.13,
        state: Some(IssueState::New),
        waived: 0,
        help_url: "https://assay.example/checks/description-missing".to_owned(),
        references: vec!["HTML Standard, 4.2.5.1 Standard metadata names".to_owned()],
        action_id: None,
    }
}

fn scoring(variant: Variant) -> Scoring {
    let dimension = DimensionScoring {
        pages: PageScoring {
            count: 44,
            mean: 100.0,
        },
        cap: None,
        metrics: None,
        checks: vec![CheckScoring {
            check_id: "description-missing".to_owned(),
            scope: "page".to_owned(),
            severity: Severity::Moderate,
            penalty: 0.07,
            judged: 44,
            failed: 0,
            reach: 0.0,
            cost: 0.0,
        }],
    };
    Scoring {
        scoring_version: 2,
        engine_version: "0.1.0".to_owned(),
        catalogue_version: "2026.1".to_owned(),
        weights: per_dimension(variant, 1),
        dimensions: per_dimension(variant, dimension),
    }
}
