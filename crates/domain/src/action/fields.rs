//! The texts and the date of an action item.

use std::fmt;

use chrono::NaiveDate;

use super::{FieldProblem, InvalidAction};
use crate::report::Issue;

/// The most characters of a title.
pub const MAX_TITLE_CHARS: usize = 200;
/// The most characters of a description.
pub const MAX_DESCRIPTION_CHARS: usize = 10_000;

/// What is to be done, in a line: 1 to 200 characters, no white space around, no control characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Title(String);

impl Title {
    /// The title in a request, without the white space around it.
    ///
    /// # Errors
    /// When nothing is left, or it is too long, or holds control characters; the error names the
    /// field `title`.
    pub fn parse(text: &str) -> Result<Self, InvalidAction> {
        let wrong = |problem| InvalidAction::new("title", problem);
        let text = text.trim();
        if text.is_empty() {
            return Err(wrong(FieldProblem::Empty));
        }
        if text.chars().any(char::is_control) {
            return Err(wrong(FieldProblem::ControlCharacter));
        }
        bounded("title", text, MAX_TITLE_CHARS)?;
        Ok(Self(text.to_owned()))
    }

    /// A title made of what an audit found: on one line, cut where it is too long.
    #[must_use]
    pub fn of_finding(text: &str) -> Self {
        let line = text
            .split(|c: char| c.is_whitespace() || c.is_control())
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join(" ");
        if line.is_empty() {
            return Self("Something to fix".to_owned());
        }
        Self(cut(&line, MAX_TITLE_CHARS))
    }

    /// The title as it is shown.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What is to be done, in full: at most 10,000 characters, no NUL. May be empty.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Description(String);

impl Description {
    /// The description in a request, as it stands.
    ///
    /// # Errors
    /// When it is too long or holds a NUL; the error names the field `description`.
    pub fn parse(text: &str) -> Result<Self, InvalidAction> {
        without_nul("description", text)?;
        bounded("description", text, MAX_DESCRIPTION_CHARS)?;
        Ok(Self(text.to_owned()))
    }

    /// The description of an item that an audit makes: why the worst issue matters and how to fix
    /// it, in our words. Where it was found and how often stands in the evidence, which is kept
    /// fresh; here it would grow old.
    #[must_use]
    pub fn of_issue(issue: &Issue) -> Self {
        let text = format!("{}\n\nHow to fix it: {}", issue.why, issue.recommendation);
        Self(cut(&text.replace('\0', "\u{fffd}"), MAX_DESCRIPTION_CHARS))
    }

    /// The description as it is shown.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Until when something is to be done: a day of the calendar, the years 1 to 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DueDate(NaiveDate);

impl DueDate {
    /// The date in a request, `2026-12-24` for example.
    ///
    /// # Errors
    /// When it has another form, or no calendar has the day; the error names the field `dueDate`.
    pub fn parse(text: &str) -> Result<Self, InvalidAction> {
        let has_form = text.len() == "YYYY-MM-DD".len()
            && text.bytes().enumerate().all(|(index, byte)| match index {
                4 | 7 => byte == b'-',
                _ => byte.is_ascii_digit(),
            });
        if !has_form {
            return Err(InvalidAction::new("dueDate", FieldProblem::NotADate));
        }
        NaiveDate::parse_from_str(text, "%Y-%m-%d")
            .ok()
            .filter(|_| !text.starts_with("0000"))
            .map(Self)
            .ok_or(InvalidAction::new("dueDate", FieldProblem::NoSuchDate))
    }

    /// The day.
    #[must_use]
    pub const fn day(self) -> NaiveDate {
        self.0
    }
}

impl fmt::Display for DueDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.format("%Y-%m-%d"))
    }
}

/// Refuses a text that is too long.
pub(super) fn bounded(field: &'static str, text: &str, most: usize) -> Result<(), InvalidAction> {
    if text.chars().count() > most {
        return Err(InvalidAction::new(field, FieldProblem::TooLong { most }));
    }
    Ok(())
}

/// Refuses a text with a NUL, which no database need keep.
pub(super) fn without_nul(field: &'static str, text: &str) -> Result<(), InvalidAction> {
    if text.contains('\0') {
        return Err(InvalidAction::new(field, FieldProblem::ControlCharacter));
    }
    Ok(())
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars()
        .take(most.saturating_sub(1))
        .chain(['…'])
        .collect()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::score::DimensionWeights;

    #[test]
    fn titles_are_trimmed_and_bounded() {
        assert_eq!(Title::parse("  Fix it \n").unwrap().as_str(), "Fix it");
        assert!(Title::parse(&"ä".repeat(200)).is_ok());
        for wrong in ["", " \t", "a\nb", "a\0b", &"ä".repeat(201)] {
            assert_eq!(Title::parse(wrong).unwrap_err().field(), Some("title"));
        }
    }

    #[test]
    fn descriptions_keep_their_lines() {
        let text = "a\r\n\tb ";
        assert_eq!(Description::parse(text).unwrap().as_str(), text);
        assert!(Description::parse("").is_ok());
        assert!(Description::parse(&"ä".repeat(10_000)).is_ok());
        for wrong in ["a\0b", &"ä".repeat(10_001)] {
            let error = Description::parse(wrong).unwrap_err();
            assert_eq!(error.field(), Some("description"));
        }
    }

    #[rstest]
    #[case("A link\r\nto\u{85}\0nowhere", "A link to nowhere")]
    #[case("\0", "Something to fix")]
    fn what_is_found_becomes_a_valid_title(#[case] text: &str, #[case] expected: &str) {
        let title = Title::of_finding(text);
        assert_eq!(title.as_str(), expected);
        assert_eq!(Title::parse(title.as_str()), Ok(title));
    }

    #[test]
    fn what_is_found_is_cut_to_length() {
        let long = "ä\0".repeat(20_000);
        assert!(Title::parse(Title::of_finding(&long).as_str()).is_ok());
        let finding = crate::report::Finding {
            fix: long,
            ..crate::report::testing::finding("image-alt")
        };
        let result = crate::report::testing::result(vec![finding]);
        let pair = crate::report::ReportPair::assemble(&result, &DimensionWeights::default());
        let description = Description::of_issue(&pair.current.issues[0]);
        assert!(Description::parse(description.as_str()).is_ok());
    }

    #[rstest]
    #[case("2026-12-24", true)]
    #[case("2024-02-29", true)]
    #[case("9999-12-31", true)]
    #[case::no_such_day("2026-02-29", false)]
    #[case::no_such_month("2026-13-01", false)]
    #[case::year_zero("0000-01-01", false)]
    #[case::short("2026-1-01", false)]
    #[case::spaces("2026- 1- 1", false)]
    #[case::sign("+026-01-01", false)]
    #[case::time("2026-12-24T00:00:00Z", false)]
    #[case::other_digits("２０２６-01-01", false)]
    #[case::empty("", false)]
    fn dates_are_days_of_the_calendar(#[case] text: &str, #[case] valid: bool) {
        match DueDate::parse(text) {
            Ok(date) => {
                assert!(valid);
                assert_eq!(date.to_string(), text);
            }
            Err(error) => {
                assert!(!valid);
                assert_eq!(error.field(), Some("dueDate"));
            }
        }
    }
}
