use domain::waiver::{Waiver, WaiverAuthor, WaiverAuthorKind, WaiverTerms};
use proptest::prelude::*;
use rstest::rstest;

use super::*;

const PAGE: &str = "https://e.com/docs/a?b=c";
const FILE: &str = "https://cdn.e.com/files/x.js";

fn applied(
    number: usize,
    check: &str,
    path: Option<&str>,
    cause: Option<&str>,
    state: WaiverState,
) -> AppliedWaiver {
    AppliedWaiver {
        waiver: Waiver {
            id: WaiverId::parse(&format!("wvr_{number:026}")).unwrap(),
            terms: WaiverTerms {
                check_id: check.to_owned(),
                path: path.map(str::to_owned),
                cause: cause.map(|cause| fingerprint(check, cause)),
                reason: "Accepted.".to_owned(),
                expires_at: None,
            },
            author: WaiverAuthor {
                kind: WaiverAuthorKind::File,
                id: None,
                name: "the file".to_owned(),
            },
            created_at: None,
        },
        state,
        occurrences: 0,
    }
}

fn rule(path: Option<&str>, cause: Option<&str>) -> Arc<[Rule]> {
    rules_of("a", &[applied(1, "a", path, cause, WaiverState::Active)])
}

/// Two failures on the page, one with each cause, and one at a file.
fn failures() -> Failures {
    let caused = |key: &str| Evidence::here().message("x.").cause(key, key);
    [caused("one"), caused("two"), caused("one").at(FILE)]
        .into_iter()
        .collect()
}

#[rstest]
#[case::check_alone(None, None, 3)]
#[case::page(Some("/docs/"), None, 2)]
#[case::query(Some("/docs/*b=c$"), None, 2)]
#[case::file(Some("*.js$"), None, 1)]
#[case::elsewhere(Some("/blog/"), None, 0)]
#[case::cause(None, Some("one"), 2)]
#[case::unknown_cause(None, Some("three"), 0)]
#[case::cause_on_page(Some("/docs/"), Some("one"), 1)]
fn a_waiver_accepts_what_matches_all_of_it(
    #[case] path: Option<&str>,
    #[case] cause: Option<&str>,
    #[case] expected: u64,
) {
    let rules = rule(path, cause);
    assert_eq!(
        Accepted::new(&rules, "a", PAGE, &failures()).total(),
        expected
    );
}

#[test]
fn only_active_waivers_of_the_check_apply() {
    let waivers = [
        applied(1, "a", None, None, WaiverState::Expired),
        applied(2, "b", None, None, WaiverState::Active),
        applied(3, "a", Some("/docs/"), None, WaiverState::Active),
    ];
    let rules = rules_of("a", &waivers);
    let failures = failures();
    let accepted = Accepted::new(&rules, "a", PAGE, &failures);
    assert_eq!(accepted.by_waiver(), &BTreeMap::from([(2, 2)]));
    assert_eq!(accepted.waiver_of(0, None), Some(&waivers[2].waiver.id));
    assert_eq!(accepted.waiver_of(0, Some(FILE)), None);
    assert_eq!((accepted.of_cause(0), accepted.of_cause(1)), (1, 1));
}

#[test]
fn addresses_with_something_left_are_open() {
    let open = |path| {
        let (rules, failures) = (rule(path, None), failures());
        let accepted = Accepted::new(&rules, "a", PAGE, &failures);
        accepted.open_addresses(&failures).collect::<Vec<_>>()
    };
    let file = PageKey::from_url(FILE);
    assert_eq!(open(Some("/docs/")), [Some(file)]);
    assert_eq!(open(Some("*.js$")), [None]);
    assert_eq!(open(Some("/blog/")), [None, Some(file)]);
    assert_eq!(open(None), []);
}

#[test]
fn occurrences_without_stored_evidence_are_accepted_by_their_page_and_cause() {
    let caused = || Evidence::here().message("x.").cause("one", "One");
    let failures: Failures = std::iter::repeat_with(caused).take(500).collect();
    assert!(failures.len() < 100);
    for rules in [rule(Some("/docs/"), None), rule(None, Some("one"))] {
        assert_eq!(Accepted::new(&rules, "a", PAGE, &failures).total(), 500);
    }
}

#[test]
fn causes_beyond_the_stored_ones_are_accepted_by_check_and_page_alone() {
    let caused = |number: usize| {
        Evidence::here()
            .message("x.")
            .cause(number.to_string(), "x")
    };
    let failures: Failures = (0..1_500).map(caused).collect();
    assert!(failures.len() < 1_500);
    let total = |rules: &[Rule]| Accepted::new(rules, "a", PAGE, &failures).total();
    assert_eq!(total(&rule(None, None)), 1_500);
    assert_eq!(total(&rule(Some("/docs/"), None)), 1_500);
    assert_eq!(total(&rule(None, Some("0"))), 1);
    assert_eq!(total(&rule(None, Some("1499"))), 0);
}

proptest! {
    /// What is accepted is never more than what there is, and all counts agree.
    #[test]
    fn counts_add_up(
        found in prop::collection::vec((0..4_usize, 0..4_usize), 1..60),
        path in prop::option::of(prop::sample::select(vec!["/docs/", "/1", "*", "/x"])),
        cause in prop::option::of(prop::sample::select(vec!["0", "1", "9"])),
    ) {
        let failures: Failures = found
            .iter()
            .map(|&(cause, place)| {
                let evidence = Evidence::here().message("x.").cause(cause.to_string(), "x");
                if place == 0 { evidence } else { evidence.at(format!("https://e.com/{place}")) }
            })
            .collect();
        let counts = failures.groups().map(|(_, _, count)| count);
        prop_assert_eq!(counts.sum::<u64>(), failures.total());
        let rules = rule(path, cause);
        let accepted = Accepted::new(&rules, "a", PAGE, &failures);
        let expected = found.iter().filter(|(key, place)| {
            let url = if *place == 0 { PAGE.to_owned() } else { format!("https://e.com/{place}") };
            let url = Url::parse(&url).unwrap();
            let matches = path.is_none_or(|path| Pattern::new(path).matches(&RobotsPath::from(&url)));
            matches && cause.is_none_or(|cause| cause == key.to_string())
        });
        prop_assert_eq!(accepted.total(), u64::try_from(expected.count()).unwrap());
        let causes = 0..failures.causes().len();
        prop_assert_eq!(causes.map(|cause| accepted.of_cause(cause)).sum::<u64>(), accepted.total());
        prop_assert_eq!(accepted.by_waiver().values().sum::<u64>(), accepted.total());
        let nothing_is_open = accepted.total() == failures.total();
        prop_assert_eq!(accepted.open_addresses(&failures).next().is_none(), nothing_is_open);
    }
}
