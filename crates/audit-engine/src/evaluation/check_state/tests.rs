use super::*;
use crate::bounds::MAX_OCCURRENCES_PER_PAGE;
use crate::checks::catalogue;

fn state() -> CheckState {
    let check = catalogue()
        .into_iter()
        .find(|check| check.id == "image-alt")
        .unwrap();
    CheckState::new(check, 0, [].into())
}

fn caused(key: &str) -> Evidence {
    Evidence::here()
        .message("Wrong.")
        .cause(key, format!("Wrong: {key}"))
}

/// Records failures on pages `/0`, `/1` and so on.
fn record(state: &mut CheckState, pages: impl IntoIterator<Item = Vec<Evidence>>) -> usize {
    let mut counts = IssueCounts::default();
    let mut cause_room = MAX_COUNTED_CAUSES;
    for (number, evidence) in pages.into_iter().enumerate() {
        let url = format!("https://example.com/{number}");
        let judged = Evaluated::Answered(Outcome::failed(evidence));
        state.record(&Address::new(&url), judged, &mut counts, &mut cause_room);
    }
    cause_room
}

fn occurrences(finding: &Finding) -> usize {
    let causes = finding.causes.iter();
    causes.map(|cause| cause.occurrences.len()).sum()
}

#[test]
fn totals_are_exact_and_stored_evidence_is_bounded() {
    let mut state = state();
    record(
        &mut state,
        (0..200).map(|page| {
            (0..30)
                .map(|number| caused(&format!("{page}-{number}")))
                .collect()
        }),
    );
    let finding = state.take_finding().unwrap();
    assert_eq!((finding.affected, finding.applicable), (200, 200));
    assert_eq!(finding.occurrences_total, 6_000);
    assert_eq!(finding.causes_total, 6_000);
    assert_eq!(finding.causes.len(), MAX_CAUSES);
    assert_eq!(occurrences(&finding), MAX_OCCURRENCES);
}

#[test]
fn every_stored_cause_has_an_occurrence() {
    let mut state = state();
    let often = (0..100).map(|_| (0..20).map(|_| caused("often")).collect());
    let late = (0..500).map(|number| vec![caused(&number.to_string())]);
    record(&mut state, often.chain(late));
    let finding = state.take_finding().unwrap();
    assert_eq!(finding.causes_total, 501);
    assert_eq!(finding.causes.len(), 501);
    assert!(
        finding
            .causes
            .iter()
            .all(|cause| !cause.occurrences.is_empty())
    );
    assert_eq!(occurrences(&finding), MAX_OCCURRENCES);
    let often = finding.causes.iter().find(|cause| cause.key == "often");
    let often = often.unwrap();
    assert_eq!((often.affected, often.occurrences_total), (100, 2_000));
    assert_eq!(often.occurrences.len(), 500);
}

#[test]
fn a_cause_that_is_only_counted_is_counted_once() {
    let mut state = state();
    let many = |page: usize| {
        (0..1_200)
            .map(move |n| caused(&format!("{n}")))
            .skip(page)
            .collect()
    };
    let room = record(&mut state, (0..3).map(many));
    let finding = state.take_finding().unwrap();
    assert_eq!(finding.causes_total, 1_200);
    assert_eq!(finding.occurrences_total, 1_200 + 1_199 + 1_198);
    assert_eq!(room, MAX_COUNTED_CAUSES - (1_200 - finding.causes.len()));
}

#[test]
fn causes_beyond_the_limit_are_reported() {
    let mut state = state();
    let (mut counts, mut room) = (IssueCounts::default(), 10);
    let evidence: Vec<_> = (0..2_000).map(|n| caused(&n.to_string())).collect();
    let judged = Evaluated::Answered(Outcome::failed(evidence));
    let page = Address::new("https://example.com/");
    state.record(&page, judged, &mut counts, &mut room);
    assert_eq!(room, 0);
    let unjudged = state.unjudged();
    assert!(
        unjudged
            .iter()
            .any(|part| matches!(&part.why, Unjudged::Limited(why) if why.contains("causes"))),
        "{unjudged:?}"
    );
}

#[test]
fn twenty_occurrences_of_a_page_are_kept() {
    let mut state = state();
    let page = || {
        (0..50)
            .map(|_| Evidence::here().message("Wrong."))
            .collect()
    };
    record(&mut state, (0..3).map(|_| page()));
    let finding = state.take_finding().unwrap();
    assert_eq!(finding.occurrences_total, 150);
    assert_eq!(occurrences(&finding), 3 * MAX_OCCURRENCES_PER_PAGE);
}

#[test]
fn bytes_of_evidence_are_bounded() {
    let mut state = state();
    let long = "x".repeat(2_000);
    record(
        &mut state,
        (0..2_000).map(|page| {
            let url = format!("https://example.com/{page}{long}");
            vec![caused(&page.to_string()).at(url)]
        }),
    );
    assert!(state.bytes <= MAX_CHECK_EVIDENCE_BYTES);
    let finding = state.take_finding().unwrap();
    assert_eq!(finding.occurrences_total, 2_000);
    assert_eq!(finding.causes_total, 2_000);
    assert!(occurrences(&finding) < 200);
}

#[test]
fn a_check_that_stopped_at_the_limit_is_reported() {
    let mut state = state();
    let endless = usize::try_from(MAX_FINDINGS_PER_SUBJECT).unwrap() + 1;
    record(&mut state, [vec![Evidence::here(); endless]]);
    let unjudged = state.unjudged();
    let [part] = unjudged.as_slice() else {
        panic!("{unjudged:?}");
    };
    assert!(matches!(part.why, Unjudged::Limited(_)));
    assert_eq!(part.count, 1);
}

#[test]
fn pages_of_evidence_are_bounded() {
    let mut state = state();
    record(&mut state, (0..1_500).map(|_| vec![Evidence::here()]));
    let finding = state.take_finding().unwrap();
    assert_eq!(finding.pages.len(), MAX_EVIDENCE_PAGES);
    assert_eq!(finding.affected, 1_500);
}

#[test]
fn pages_that_timed_out_are_reported() {
    let mut state = state();
    let (mut counts, mut room) = (IssueCounts::default(), 0);
    let page = Address::new("https://example.com/");
    state.record(&page, Evaluated::TimedOut, &mut counts, &mut room);
    let unjudged = state.unjudged();
    assert!(matches!(&unjudged[0].why, Unjudged::Limited(why) if why.contains("5 s")));
}

#[test]
fn subjects_that_could_not_be_judged_are_counted_beside_those_that_could() {
    let mut state = state();
    let (mut counts, mut room) = (IssueCounts::default(), 0);
    let page = Address::new("https://example.com/");
    let unknown = || Outcome::CannotTell("A style may hide it.");
    for outcome in [Outcome::Passed, unknown(), unknown()] {
        state.record(&page, Evaluated::Answered(outcome), &mut counts, &mut room);
    }
    let unjudged = state.unjudged();
    let [part] = unjudged.as_slice() else {
        panic!("{unjudged:?}");
    };
    assert_eq!(
        part.why,
        Unjudged::CannotTell("A style may hide it.".to_owned())
    );
    assert_eq!(part.count, 2);
}

#[test]
fn only_the_first_occurrences_get_the_precise_message() {
    let precise = |text: &str| Some(format!("Wrong, because of {text}."));
    let mut state = state();
    let evidence = move || {
        let evidence = Evidence::here().message("Wrong.");
        evidence.precise_message("this text", precise)
    };
    let pages = MAX_PRECISE_MESSAGES + 2;
    record(&mut state, (0..pages).map(|_| vec![evidence()]));
    let finding = state.take_finding().unwrap();
    let messages = finding.causes.iter().flat_map(|cause| &cause.occurrences);
    let messages: Vec<&str> = messages.map(|one| one.message.as_str()).collect();
    let (first, rest) = messages.split_at(MAX_PRECISE_MESSAGES);
    assert!(
        first
            .iter()
            .all(|message| *message == "Wrong, because of this text.")
    );
    assert_eq!(rest, ["Wrong.", "Wrong."]);
}
