//! Action items, and what is made of them.

use api_types::action::{ActionItem, ActionList, ActionStatus, BriefStatus, Priority};
use api_types::brief::{ActionBrief, BriefFormat, QueuedBrief};
use api_types::comment::{ActionComment, AuthorType, CommentAuthor, CommentList};
use api_types::dimension::Dimension;
use api_types::handoff::{Handoff, HandoffFormat};
use api_types::report::Severity;

use super::{REPORT, SITE};

const ACTION: &str = "act_01KAK2NB6HZ0B2D4F6H8KMPRTV";
const MEMBER: &str = "mem_01KAK0000073T9W4Y6A8CEGJMQ";

pub(in crate::routes) fn action() -> ActionItem {
    ActionItem {
        action_id: ACTION.to_owned(),
        title: "Pages have no description".to_owned(),
        description:
            "Search engines pick a passage themselves.\n\nHow to fix it: Write one or two \
                      sentences on what the page is for."
                .to_owned(),
        status: ActionStatus::InProgress,
        priority: Priority::Medium,
        assignee_id: Some(MEMBER.to_owned()),
        due_date: Some("2026-12-24".to_owned()),
        site_id: Some(SITE.to_owned()),
        check_id: Some("description-missing".to_owned()),
        dimension: Some(Dimension::Seo),
        severity: Some(Severity::Moderate),
        report_id: Some(REPORT.to_owned()),
        affected_pages: Some(1),
        comment_count: 1,
        brief_status: BriefStatus::Ready,
        created_at: "2026-11-21T12:00:39.512Z".to_owned(),
        updated_at: "2026-11-21T12:30:00.000Z".to_owned(),
        resolved_at: None,
        verified_at: None,
    }
}

pub(in crate::routes) fn own_action() -> ActionItem {
    ActionItem {
        action_id: "act_01KAK41S2V1C3E5G7J9MPRTWXZ".to_owned(),
        title: "Ask the agency for the fonts' licence".to_owned(),
        description: String::new(),
        status: ActionStatus::Open,
        check_id: None,
        dimension: None,
        severity: None,
        report_id: None,
        affected_pages: None,
        comment_count: 0,
        brief_status: BriefStatus::None,
        updated_at: "2026-11-21T12:00:39.512Z".to_owned(),
        ..action()
    }
}

pub(in crate::routes) fn actions() -> ActionList {
    ActionList {
        actions: vec![action()],
        next_cursor: None,
    }
}

pub(in crate::routes) fn comment() -> ActionComment {
    ActionComment {
        comment_id: "cmt_01KAK3Z0AB2D4F6H8KMPRTVXZ0".to_owned(),
        action_id: ACTION.to_owned(),
        body: "The texts are with the editors.".to_owned(),
        author: CommentAuthor {
            kind: AuthorType::Key,
            id: Some("key_01KAK0000062S8V3X5Z7B9DFHK".to_owned()),
            name: "continuous integration".to_owned(),
        },
        created_at: "2026-11-21T12:31:00.000Z".to_owned(),
    }
}

pub(in crate::routes) fn comments() -> CommentList {
    CommentList {
        comments: vec![comment()],
        next_cursor: None,
    }
}

pub(in crate::routes) fn brief() -> ActionBrief {
    ActionBrief {
        action_id: ACTION.to_owned(),
        status: BriefStatus::Ready,
        format: BriefFormat::Markdown,
        content: Some("# Brief: `description-missing`\n…".to_owned()),
        generated_at: Some("2026-11-21T12:32:01.000Z".to_owned()),
        error: None,
    }
}

pub(in crate::routes) fn queued_brief() -> QueuedBrief {
    QueuedBrief {
        action_id: ACTION.to_owned(),
        status: BriefStatus::Queued,
    }
}

pub(in crate::routes) fn handoff() -> Handoff {
    Handoff {
        format: HandoffFormat::Markdown,
        prompt: "# Handoff: 1 action item from a website audit\n…".to_owned(),
        action_ids: vec![ACTION.to_owned()],
    }
}
