//! Waivers.

use api_types::waiver::{Waiver, WaiverAuthor, WaiverAuthorType, WaiverList, WaiverState};

pub(in crate::routes) fn waiver() -> Waiver {
    Waiver {
        waiver_id: "wvr_01KAK2S9D2F4H6K8M0P2R4T6V8".to_owned(),
        site_id: super::SITE.to_owned(),
        check_id: "csp-missing".to_owned(),
        path: Some("/archive/".to_owned()),
        cause: None,
        reason: "The archive is static and has no scripts.".to_owned(),
        author: WaiverAuthor {
            kind: WaiverAuthorType::Key,
            id: Some("key_01KAK2J5M7P9R1T3V5X7Z9BDFH".to_owned()),
            name: "CI".to_owned(),
        },
        created_at: "2026-11-21T11:50:00.000Z".to_owned(),
        expires_at: Some("2027-05-31T00:00:00.000Z".to_owned()),
        state: WaiverState::Active,
    }
}

pub(in crate::routes) fn waivers() -> WaiverList {
    WaiverList {
        waivers: vec![waiver()],
    }
}
