use chrono::TimeDelta;
use proptest::prelude::*;
use rstest::rstest;

use super::*;
use crate::action::Author;

fn now() -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::days(20_000)
}

fn request() -> WaiverRequest {
    WaiverRequest {
        check_id: "csp-missing".to_owned(),
        reason: " A static site. ".to_owned(),
        ..WaiverRequest::default()
    }
}

fn validated(request: WaiverRequest) -> Result<WaiverTerms, Vec<(&'static str, WaiverProblem)>> {
    let terms = request.validate(|check| check == "csp-missing", Some(now()));
    terms.map_err(|invalid| {
        let invalid = invalid.into_iter();
        invalid.map(|wrong| (wrong.field, wrong.problem)).collect()
    })
}

fn waiver(number: usize, expires_at: Option<DateTime<Utc>>) -> Waiver {
    Waiver {
        id: WaiverId::parse(&format!("wvr_{number:026}")).unwrap(),
        terms: WaiverTerms {
            expires_at,
            ..validated(request()).unwrap()
        },
        author: WaiverAuthor::from(&Author::System),
        created_at: None,
    }
}

#[test]
fn a_check_and_a_reason_are_enough() {
    let terms = validated(request()).unwrap();
    assert_eq!(terms.reason, "A static site.");
    assert_eq!(
        (terms.path, terms.cause, terms.expires_at),
        (None, None, None)
    );
}

#[test]
fn all_wrong_fields_are_reported() {
    let wrong = WaiverRequest {
        check_id: "unknown".to_owned(),
        path: Some("docs/".to_owned()),
        cause: Some("x".to_owned()),
        reason: " \n".to_owned(),
        expires_at: Some(now()),
    };
    assert_eq!(
        validated(wrong),
        Err(vec![
            ("checkId", WaiverProblem::UnknownCheck),
            ("path", WaiverProblem::Path),
            ("cause", WaiverProblem::Cause),
            ("reason", WaiverProblem::NoReason),
            ("expiresAt", WaiverProblem::Past),
        ])
    );
}

#[rstest]
#[case::prefix("/docs/", true)]
#[case::wildcard("*.pdf$", true)]
#[case::relative("docs/", false)]
#[case::empty("", false)]
#[case::white_space("/a b", false)]
#[case::nul("/a\0", false)]
#[case::longest(&"/".repeat(MAX_PATH_CHARS), true)]
#[case::too_long(&"/".repeat(MAX_PATH_CHARS + 1), false)]
fn paths(#[case] path: &str, #[case] is_allowed: bool) {
    let request = WaiverRequest {
        path: Some(path.to_owned()),
        ..request()
    };
    assert_eq!(validated(request).is_ok(), is_allowed);
}

#[rstest]
#[case::longest(&"ä".repeat(MAX_REASON_CHARS), None)]
#[case::too_long(&"ä".repeat(MAX_REASON_CHARS + 1), Some(WaiverProblem::ReasonTooLong))]
#[case::lines("One.\r\n\tTwo.", None)]
#[case::nul("a\0", Some(WaiverProblem::ReasonControl))]
#[case::escape("a\u{1b}[2J", Some(WaiverProblem::ReasonControl))]
fn reasons(#[case] reason: &str, #[case] problem: Option<WaiverProblem>) {
    let request = WaiverRequest {
        reason: reason.to_owned(),
        ..request()
    };
    let expected = problem.map(|problem| vec![("reason", problem)]);
    assert_eq!(validated(request).err(), expected);
}

#[test]
fn a_file_may_list_waivers_that_have_expired() {
    let request = WaiverRequest {
        expires_at: Some(now() - TimeDelta::days(1)),
        ..request()
    };
    assert!(request.validate(|_| true, None).is_ok());
}

#[test]
fn waivers_beyond_the_bound_are_ignored() {
    let waivers = (0..=MAX_WAIVERS).map(|number| waiver(number, None));
    assert_eq!(
        AuditWaivers::at(waivers, now()).as_slice().len(),
        MAX_WAIVERS
    );
}

#[test]
fn occurrences_are_counted_by_place() {
    let waivers = AuditWaivers::at([waiver(1, None), waiver(2, None)], now());
    let applied = waivers.with_occurrences(&BTreeMap::from([(1, 5), (7, 9)]));
    let counts: Vec<_> = applied.iter().map(|applied| applied.occurrences).collect();
    assert_eq!(counts, [0, 5]);
}

proptest! {
    #[test]
    fn a_waiver_applies_until_it_expires(seconds in -1_000_000..1_000_000_i64) {
        let expires_at = now() + TimeDelta::seconds(seconds);
        let state = waiver(1, Some(expires_at)).state(now());
        prop_assert_eq!(state == WaiverState::Active, seconds > 0);
        prop_assert_eq!(waiver(1, None).state(now()), WaiverState::Active);
    }

    #[test]
    fn what_is_valid_is_within_the_bounds(path in any::<String>(), reason in any::<String>()) {
        let request = WaiverRequest { path: Some(path), reason, ..request() };
        if let Ok(terms) = validated(request) {
            let path = terms.path.unwrap_or_default();
            prop_assert!(path.chars().count() <= MAX_PATH_CHARS && !path.contains(char::is_whitespace));
            prop_assert!((1..=MAX_REASON_CHARS).contains(&terms.reason.chars().count()));
        }
    }
}
