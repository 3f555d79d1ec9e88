use rstest::rstest;
use testkit::sample;

use super::*;

#[rstest]
#[case("120", Some(120))]
#[case(" 0 ", Some(0))]
#[case("-5", None)]
#[case("soon", None)]
#[case("", None)]
#[case("99999999999999", None)]
fn a_wait_in_seconds_is_read(#[case] text: &str, #[case] seconds: Option<i64>) {
    let now = sample::noon();
    let read = retry_after(text, now).map(|wait| wait.num_seconds());
    assert_eq!(read, seconds);
}

#[test]
fn a_date_to_wait_for_is_read_and_one_that_has_passed_is_now() {
    let now = sample::noon();
    for (seconds, expected) in [(90, 90), (-90, 0)] {
        let date = now + TimeDelta::seconds(seconds);
        let text = date.format("%a, %d %b %Y %H:%M:%S GMT").to_string();
        let read = retry_after(&text, now).map(|wait| wait.num_seconds());
        assert_eq!(read, Some(expected), "{text}");
    }
}
