use chrono::{TimeZone, Timelike, Weekday};
use proptest::prelude::*;
use rstest::rstest;

use super::*;
use crate::schedule::Frequency::{Custom, Daily, Monthly, Weekly};

const ZONES: [&str; 8] = [
    "Europe/Berlin",
    "America/New_York",
    // Half an hour forward and back.
    "Australia/Lord_Howe",
    "UTC",
    // Forward at midnight.
    "Africa/Cairo",
    "Asia/Kathmandu",
    // Two hours.
    "Antarctica/Troll",
    "America/St_Johns",
];

fn site(number: u32) -> SiteId {
    SiteId::parse(&format!("site_01JD2Y3Z4A5B6C7D8E9F{number:06}")).unwrap()
}

fn cron(text: &str, zone: &str) -> Timetable {
    Timetable::new(Custom(text.to_owned()), zone).unwrap()
}

fn at(text: &str) -> DateTime<Utc> {
    DateTime::parse_from_rfc3339(text).unwrap().to_utc()
}

/// The times after one, as RFC 3339 in the zone.
fn following(timetable: &Timetable, from: &str, count: usize) -> Vec<String> {
    let zone: Tz = timetable.timezone().parse().unwrap();
    let mut now = at(from);
    std::iter::repeat_with(|| {
        now = timetable.next_after(&site(1), now).unwrap();
        now.with_timezone(&zone).to_rfc3339()
    })
    .take(count)
    .collect()
}

#[rstest]
#[case::berlin("Europe/Berlin", "2026-03-28T12:00:00Z", "30 2 * * *", [
    // 02:30 does not exist on the 29th.
    "2026-03-29T03:00:00+02:00", "2026-03-30T02:30:00+02:00",
])]
#[case::new_york("America/New_York", "2026-03-07T12:00:00Z", "30 2 * * *", [
    "2026-03-08T03:00:00-04:00", "2026-03-09T02:30:00-04:00",
])]
#[case::lord_howe("Australia/Lord_Howe", "2026-10-03T12:00:00Z", "15 2 * * *", [
    "2026-10-04T02:30:00+11:00", "2026-10-05T02:15:00+11:00",
])]
#[case::cairo("Africa/Cairo", "2026-04-23T12:00:00Z", "0 0 * * *", [
    "2026-04-24T01:00:00+03:00", "2026-04-25T00:00:00+03:00",
])]
fn a_time_that_a_day_does_not_have_is_the_first_moment_after_the_gap(
    #[case] zone: &str,
    #[case] from: &str,
    #[case] text: &str,
    #[case] expected: [&str; 2],
) {
    assert_eq!(following(&cron(text, zone), from, 2), expected);
}

#[rstest]
#[case::berlin("Europe/Berlin", "2026-10-24T12:00:00Z", "30 2 * * *", [
    "2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00",
])]
#[case::new_york("America/New_York", "2026-10-31T12:00:00Z", "30 1 * * *", [
    "2026-11-01T01:30:00-04:00", "2026-11-02T01:30:00-05:00",
])]
#[case::lord_howe("Australia/Lord_Howe", "2026-04-04T12:00:00Z", "45 1 * * *", [
    "2026-04-05T01:45:00+11:00", "2026-04-06T01:45:00+10:30",
])]
fn a_time_that_a_day_has_twice_is_the_first_of_the_two(
    #[case] zone: &str,
    #[case] from: &str,
    #[case] text: &str,
    #[case] expected: [&str; 2],
) {
    assert_eq!(following(&cron(text, zone), from, 2), expected);
}

#[test]
fn the_second_pass_of_an_hour_has_no_times_of_its_own() {
    let quarters = cron("*/15 * * * *", "Europe/Berlin");
    assert_eq!(
        following(&quarters, "2026-10-25T00:40:00Z", 3),
        [
            "2026-10-25T02:45:00+02:00",
            "2026-10-25T03:00:00+01:00",
            "2026-10-25T03:15:00+01:00",
        ]
    );
}

#[test]
fn a_day_that_a_place_never_had_is_made_up_for_once() {
    // Samoa crossed the date line at the end of 29 December 2011.
    let noons = cron("0 12 * * *", "Pacific/Apia");
    assert_eq!(
        following(&noons, "2011-12-29T12:00:00Z", 3),
        [
            "2011-12-29T12:00:00-10:00",
            "2011-12-31T00:00:00+14:00",
            "2011-12-31T12:00:00+14:00",
        ]
    );
}

#[rstest]
#[case::last_day("0 0 31 * *", "2026-01-31T00:00:00Z", ["2026-03-31T00:00:00+00:00", "2026-05-31T00:00:00+00:00"])]
#[case::leap_day("0 0 29 2 *", "2026-01-01T00:00:00Z", ["2028-02-29T00:00:00+00:00", "2032-02-29T00:00:00+00:00"])]
#[case::either_day("0 0 13 * 5", "2026-02-01T00:00:00Z", ["2026-02-06T00:00:00+00:00", "2026-02-13T00:00:00+00:00"])]
#[case::sunday_is_seven("0 0 * * 7", "2026-11-22T00:00:00Z", ["2026-11-29T00:00:00+00:00", "2026-12-06T00:00:00+00:00"])]
#[case::names("5 4 * feb MON-wed", "2026-11-22T00:00:00Z", ["2027-02-01T04:05:00+00:00", "2027-02-02T04:05:00+00:00"])]
#[case::list("0,30 9-10/1 1 1 *", "2026-11-22T00:00:00Z", ["2027-01-01T09:00:00+00:00", "2027-01-01T09:30:00+00:00"])]
fn cron_expressions(#[case] text: &str, #[case] from: &str, #[case] expected: [&str; 2]) {
    assert_eq!(following(&cron(text, "UTC"), from, 2), expected);
}

#[rstest]
#[case("", InvalidSchedule::CronFields(0))]
#[case("* * * *", InvalidSchedule::CronFields(4))]
#[case("0 * * * * *", InvalidSchedule::CronFields(6))]
#[case("@daily", InvalidSchedule::CronFields(1))]
#[case("60 * * * *", InvalidSchedule::Cron)]
#[case("* 24 * * *", InvalidSchedule::Cron)]
#[case("* * 0 * *", InvalidSchedule::Cron)]
#[case("* * * 13 *", InvalidSchedule::Cron)]
#[case("* * * * 8", InvalidSchedule::Cron)]
#[case("5-1 * * * *", InvalidSchedule::Cron)]
#[case("*/0 * * * *", InvalidSchedule::Cron)]
#[case("0 0 30 2 *", InvalidSchedule::CronNever)]
#[case("0 0 31 4,6,9,11 *", InvalidSchedule::CronNever)]
#[case("JAN * * * *", InvalidSchedule::CronField("minute"))]
#[case("* * L * *", InvalidSchedule::CronField("day of the month"))]
#[case("* * ? * *", InvalidSchedule::CronField("day of the month"))]
#[case("* * * * MON#2", InvalidSchedule::CronField("day of the week"))]
#[case("* * * MONDAY *", InvalidSchedule::CronField("month"))]
#[case("1, * * * *", InvalidSchedule::CronField("minute"))]
#[case("1 +1 * * *", InvalidSchedule::CronField("hour"))]
fn what_is_no_cron_expression_is_refused(#[case] text: &str, #[case] expected: InvalidSchedule) {
    let refused = Timetable::new(Custom(text.to_owned()), "UTC").unwrap_err();
    assert_eq!(refused, expected, "{refused}");
    assert_eq!(refused.field(), "cron");
}

#[rstest]
#[case("Europe/Berlin", true)]
#[case("UTC", true)]
#[case("Etc/GMT+5", true)]
#[case("Berlin", false)]
#[case("europe/berlin", false)]
#[case("+01:00", false)]
#[case("", false)]
fn time_zones_have_iana_names(#[case] zone: &str, #[case] is_one: bool) {
    match Timetable::new(Daily, zone) {
        Ok(timetable) => assert!(is_one && timetable.timezone() == zone),
        Err(error) => assert!(!is_one && error == InvalidSchedule::TimeZone),
    }
}

#[test]
fn an_expression_is_kept_with_single_blanks() {
    let timetable = cron("  0  3 * *\t1 ", "UTC");
    assert_eq!(timetable.frequency().cron(), Some("0 3 * * 1"));
}

#[test]
fn a_thousand_sites_are_spread_over_the_hour() {
    let daily = Timetable::new(Daily, "UTC").unwrap();
    let mut starts: Vec<_> = (0..1_000)
        .map(|number| {
            daily
                .next_after(&site(number), at("2026-11-22T00:00:00Z"))
                .unwrap()
        })
        .collect();
    assert!(starts.iter().all(|start| start.hour() == 3));
    for minutes in 0..6 {
        let tens = starts.iter().filter(|start| start.minute() / 10 == minutes);
        assert!((100..240).contains(&tens.count()));
    }
    starts.sort();
    starts.dedup();
    assert!(starts.len() > 800, "{}", starts.len());
}

fn any_timetable() -> impl Strategy<Value = Timetable> {
    let crons = [
        "* * * * *",
        "*/7 * * * *",
        "30 2 * * *",
        "0 0 31 * *",
        "15 1 29 2 *",
        "59 23 * * 0",
        "0 0 1 1 *",
        "30 1-3 * * *",
    ];
    let custom = (0..crons.len()).prop_map(move |index| Custom(crons[index].to_owned()));
    let frequency = prop_oneof![Just(Daily), Just(Weekly), Just(Monthly), custom];
    (frequency, 0..ZONES.len())
        .prop_map(|(frequency, zone)| Timetable::new(frequency, ZONES[zone]).unwrap())
}

fn any_moment() -> impl Strategy<Value = DateTime<Utc>> {
    // 2020 to 2040, to the millisecond.
    (1_577_836_800_000_i64..2_208_988_800_000)
        .prop_map(|millis| DateTime::from_timestamp_millis(millis).unwrap())
}

/// Moments around the changes of clocks of 2026 in the zones above.
fn near_a_change() -> impl Strategy<Value = DateTime<Utc>> {
    let changes = [
        "2026-03-08T07:00:00Z",
        "2026-03-29T01:00:00Z",
        "2026-04-04T15:00:00Z",
        "2026-04-23T22:00:00Z",
        "2026-10-03T15:30:00Z",
        "2026-10-25T01:00:00Z",
        "2026-10-29T21:00:00Z",
        "2026-11-01T06:00:00Z",
    ];
    (0..changes.len(), -10_800_i64..10_800)
        .prop_map(move |(index, seconds)| at(changes[index]) + TimeDelta::seconds(seconds))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_next_time_is_later_and_nothing_of_the_timetable_lies_between(
        timetable in any_timetable(),
        now in prop_oneof![any_moment(), near_a_change()],
        number in 0_u32..1_000,
        part in 0.0_f64..1.0,
    ) {
        let next = timetable.next_after(&site(number), now).unwrap();
        prop_assert!(next > now);
        // From anywhere before it, it is the next one.
        let length = (next - now).num_milliseconds();
        #[allow(clippy::as_conversions, reason = "a moment somewhere between two others")]
        let between = now + TimeDelta::milliseconds((length as f64 * part) as i64);
        if between < next {
            prop_assert_eq!(timetable.next_after(&site(number), between), Some(next));
        }
    }

    #[test]
    fn a_daily_run_is_once_on_every_day_of_the_zone(
        zone in 0..ZONES.len(),
        start in any_moment(),
        number in 0_u32..1_000,
    ) {
        let zone: Tz = ZONES[zone].parse().unwrap();
        let daily = Timetable::new(Daily, zone.name()).unwrap();
        let first = daily.next_after(&site(number), start).unwrap();
        let mut now = first;
        let mut day = first.with_timezone(&zone).date_naive();
        for _ in 0..370 {
            now = daily.next_after(&site(number), now).unwrap();
            day = day.succ_opt().unwrap();
            let local = now.with_timezone(&zone);
            prop_assert_eq!(local.date_naive(), day);
            prop_assert_eq!(local.hour(), BASE_HOUR);
        }
    }

    #[test]
    fn weekly_is_on_mondays_and_monthly_on_the_first(
        zone in 0..ZONES.len(),
        now in any_moment(),
        number in 0_u32..1_000,
    ) {
        let zone: Tz = ZONES[zone].parse().unwrap();
        let next = |frequency| {
            let timetable = Timetable::new(frequency, zone.name()).unwrap();
            let next = timetable.next_after(&site(number), now).unwrap();
            (next - now, next.with_timezone(&zone))
        };
        let (wait, monday) = next(Weekly);
        prop_assert_eq!(monday.weekday(), Weekday::Mon);
        prop_assert!(wait <= TimeDelta::hours(7 * 24 + 2));
        let (wait, first) = next(Monthly);
        prop_assert_eq!(first.day(), 1);
        prop_assert!(wait <= TimeDelta::hours(31 * 24 + 2));
        // The same time of the day for all three.
        let (_, daily) = next(Daily);
        prop_assert_eq!(monday.time(), first.time());
        prop_assert_eq!(daily.time(), first.time());
    }

    #[test]
    fn any_text_is_an_expression_or_refused(text in "[-0-9*,/ A-Za-z#?+@]{0,20}") {
        let _ = Timetable::new(Custom(text), "Europe/Berlin");
    }

    #[test]
    fn five_fields_of_signs_are_an_expression_or_refused(
        fields in proptest::collection::vec("([0-9]{1,2}|\\*)([-,/][0-9]{1,2}){0,2}", 5),
    ) {
        if let Ok(timetable) = Timetable::new(Custom(fields.join(" ")), "America/New_York") {
            let now = Utc.with_ymd_and_hms(2026, 11, 22, 3, 4, 5).unwrap();
            let next = timetable.next_after(&site(1), now);
            prop_assert!(next.is_none_or(|next| next > now));
        }
    }
}
