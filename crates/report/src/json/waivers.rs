//! Waivers on the wire.

use api_types::waiver as wire;
use domain::waiver::{AppliedWaiver, WaiverAuthor, WaiverAuthorKind, WaiverState};

pub(super) fn applied(applied: &AppliedWaiver) -> wire::AppliedWaiver {
    let (waiver, terms) = (&applied.waiver, &applied.waiver.terms);
    wire::AppliedWaiver {
        waiver_id: waiver.id.to_string(),
        check_id: terms.check_id.clone(),
        path: terms.path.clone(),
        cause: terms.cause.clone(),
        reason: terms.reason.clone(),
        author: waiver_author(&waiver.author),
        created_at: waiver.created_at.map(|at| at.format(TIME).to_string()),
        expires_at: terms.expires_at.map(|at| at.format(TIME).to_string()),
        state: waiver_state(applied.state),
        occurrences: applied.occurrences,
    }
}

/// The author of a waiver on the wire.
#[must_use]
pub fn waiver_author(author: &WaiverAuthor) -> wire::WaiverAuthor {
    wire::WaiverAuthor {
        kind: match author.kind {
            WaiverAuthorKind::Key => wire::WaiverAuthorType::Key,
            WaiverAuthorKind::Member => wire::WaiverAuthorType::Member,
            WaiverAuthorKind::System => wire::WaiverAuthorType::System,
            WaiverAuthorKind::File => wire::WaiverAuthorType::File,
        },
        id: author.id.clone(),
        name: author.name.clone(),
    }
}

/// The state of a waiver on the wire.
#[must_use]
pub const fn waiver_state(state: WaiverState) -> wire::WaiverState {
    match state {
        WaiverState::Active => wire::WaiverState::Active,
        WaiverState::Expired => wire::WaiverState::Expired,
    }
}

/// Times as the wire has them.
const TIME: &str = "%Y-%m-%dT%H:%M:%S%.3fZ";
