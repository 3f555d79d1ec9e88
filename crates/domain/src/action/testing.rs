//! Items for tests.

use chrono::DateTime;

use super::*;

pub(crate) const ULID: &str = "01JD2Y3Z4A5B6C7D8E9F0GHJKM";

pub(crate) fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(seconds, 0).unwrap()
}

/// An open item of a check of accessibility, made at 100 s.
pub(crate) fn item() -> ActionItem {
    ActionItem {
        id: ActionId::parse(&format!("act_{ULID}")).unwrap(),
        org_id: OrgId::parse(&format!("org_{ULID}")).unwrap(),
        title: Title::parse("Give images a text").unwrap(),
        description: Description::default(),
        status: ActionStatus::Open,
        priority: Priority::High,
        assignee: None,
        due_date: None,
        site_id: SiteId::parse(&format!("site_{ULID}")),
        audit: Some(AuditFacts {
            check_id: "image-alt".to_owned(),
            dimension: Dimension::Accessibility,
            severity: Severity::Serious,
            report_id: ReportId::parse(&format!("rep_{ULID}")).unwrap(),
            affected_pages: 3,
        }),
        comment_count: 0,
        brief_status: BriefStatus::None,
        created_at: at(100),
        updated_at: at(100),
        resolved_at: None,
        verified_at: None,
    }
}
