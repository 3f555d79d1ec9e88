//! The file of waivers of a local audit.

use std::io::Read as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use domain::waiver::{
    AuditWaivers, MAX_WAIVERS, Waiver, WaiverAuthor, WaiverAuthorKind, WaiverProblem, WaiverRequest,
};
use report::plain::plain;
use serde::Deserialize;
use toml::Spanned;
use toml::value::Datetime;

use crate::parser_message::Notation;
use crate::unreadable;

/// The file that is used if it exists.
pub(crate) const DEFAULT_FILE: &str = "assay.waivers.toml";
/// The maximum size of the file in bytes.
const MAX_BYTES: u64 = 1024 * 1024;
/// The maximum number of characters of an author.
const MAX_AUTHOR_CHARS: usize = 200;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    waiver: Vec<Spanned<Entry>>,
}

/// A waiver, as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    check: Spanned<String>,
    path: Option<Spanned<String>>,
    cause: Option<Spanned<String>>,
    reason: Spanned<String>,
    expires: Option<Spanned<Expiry>>,
    author: Option<Spanned<String>>,
}

/// A date or a time, as TOML has it or as text.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "must be a date or a time in UTC, for example 2027-01-31"
)]
enum Expiry {
    Datetime(Datetime),
    Text(String),
}

/// The waivers of the file, as they are at this time: of `--waivers`, or of the default file if it exists.
pub(super) fn waivers(file: Option<&Path>, now: DateTime<Utc>) -> Result<AuditWaivers, String> {
    let default = PathBuf::from(DEFAULT_FILE);
    let path = match file {
        Some(path) => path,
        None if default.is_file() => &default,
        None => return Ok(AuditWaivers::default()),
    };
    let text = read(path)?;
    let waivers = parse(&text, path).map_err(|wrong| {
        let name = path.display().to_string();
        format!("{}: {wrong}", plain(&name))
    })?;
    Ok(AuditWaivers::at(waivers, now))
}

fn read(path: &Path) -> Result<String, String> {
    let name = plain(&path.display().to_string());
    let failed = |error: std::io::Error| {
        let why = unreadable::in_words(&error);
        format!("{name}: cannot read the waivers: {why}")
    };
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(failed)?;
    let read = file.take(MAX_BYTES + 1).read_to_string(&mut text);
    read.map_err(failed)?;
    if u64::try_from(text.len()).unwrap_or(u64::MAX) > MAX_BYTES {
        return Err(format!(
            "{name}: a file of waivers has at most {MAX_BYTES} bytes"
        ));
    }
    Ok(text)
}

/// Parses the file. An error names the line and the key.
fn parse(text: &str, path: &Path) -> Result<Vec<Waiver>, String> {
    let at = |span: Range<usize>| {
        let before = text.get(..span.start).unwrap_or(text);
        format!("line {}", before.matches('\n').count() + 1)
    };
    let file: File = toml::from_str(text).map_err(|error| {
        let place = error
            .span()
            .map_or_else(String::new, |span| at(span) + ": ");
        format!(
            "{place}{}",
            plain(&Notation::Toml.in_words(error.message()))
        )
    })?;
    if let Some(entry) = file.waiver.get(MAX_WAIVERS) {
        return Err(format!(
            "{}: at most {MAX_WAIVERS} waivers are allowed",
            at(entry.span())
        ));
    }
    let name = path.file_name().map_or_else(
        || path.display().to_string(),
        |name| name.display().to_string(),
    );
    let entries = file.waiver.into_iter();
    let waivers = entries.map(|entry| {
        let place = at(entry.span());
        waiver(entry.get_ref(), &name).map_err(|(key, span, problem)| {
            let place = span.map_or(place, &at);
            format!("{place}: {key}: {problem}")
        })
    });
    waivers.collect()
}

/// What is wrong: the key, its place and the problem.
type Wrong = (&'static str, Option<Range<usize>>, String);

fn waiver(entry: &Entry, file: &str) -> Result<Waiver, Wrong> {
    let author = match &entry.author {
        None => file.to_owned(),
        Some(author) => {
            let name = author.get_ref().trim();
            let is_wrong = name.is_empty()
                || name.chars().count() > MAX_AUTHOR_CHARS
                || name.contains(char::is_control);
            if is_wrong {
                let problem = format!("must be 1 to {MAX_AUTHOR_CHARS} characters on one line");
                return Err(("author", Some(author.span()), problem));
            }
            name.to_owned()
        }
    };
    let expires_at = match &entry.expires {
        None => None,
        Some(expires) => {
            let wrong = || {
                let problem = "must be a date or a time in UTC, for example 2027-01-31".to_owned();
                ("expires", Some(expires.span()), problem)
            };
            Some(time(expires.get_ref()).ok_or_else(wrong)?)
        }
    };
    let optional =
        |text: &Option<Spanned<String>>| text.as_ref().map(|text| text.get_ref().clone());
    let span = |field: &str| match field {
        "checkId" => ("check", Some(entry.check.span())),
        "path" => ("path", entry.path.as_ref().map(Spanned::span)),
        "cause" => ("cause", entry.cause.as_ref().map(Spanned::span)),
        "expiresAt" => ("expires", entry.expires.as_ref().map(Spanned::span)),
        _ => ("reason", Some(entry.reason.span())),
    };
    let request = WaiverRequest {
        check_id: entry.check.get_ref().clone(),
        path: optional(&entry.path),
        cause: optional(&entry.cause),
        reason: entry.reason.get_ref().clone(),
        expires_at,
    };
    let is_check = |id: &str| audit_engine::checks::find(id).is_some();
    let terms = request.validate(is_check, None).map_err(|wrong| {
        let first = wrong.first();
        let (key, span) = span(first.map_or("", |wrong| wrong.field));
        let problem = match first.map(|wrong| wrong.problem) {
            None => String::new(),
            Some(problem @ WaiverProblem::UnknownCheck) => {
                format!("{problem}; `assay checks` lists them")
            }
            Some(problem) => problem.to_string(),
        };
        (key, span, problem)
    })?;
    Ok(Waiver::of_file(
        terms,
        WaiverAuthor {
            kind: WaiverAuthorKind::File,
            id: None,
            name: author,
        },
    ))
}

/// The time; a date is its beginning in UTC.
fn time(expiry: &Expiry) -> Option<DateTime<Utc>> {
    let text = match expiry {
        Expiry::Datetime(at) => at.to_string(),
        Expiry::Text(text) => text.clone(),
    };
    crate::times::parse_time(&text)
}

#[cfg(test)]
mod tests {
    use domain::waiver::WaiverState;
    use rstest::rstest;

    use super::*;

    fn parsed(text: &str) -> Result<Vec<Waiver>, String> {
        parse(text, Path::new("some/assay.waivers.toml"))
    }

    #[test]
    fn every_key_is_read() {
        let text = "[[waiver]]\ncheck = \"csp-missing\"\npath = \"/archive/\"\n\
                    cause = \"24680937b262fa3f5604926f6291d7f9\"\nreason = \"Static.\"\n\
                    expires = 2027-01-31\nauthor = \"Anna\"\n\n\
                    [[waiver]]\ncheck = \"image-alt\"\nreason = \"Decoration.\"\n";
        let waivers = parsed(text).unwrap();
        let [one, two] = waivers.as_slice() else {
            panic!("{waivers:?}");
        };
        assert_eq!(one.terms.path.as_deref(), Some("/archive/"));
        assert_eq!(one.author.name, "Anna");
        let expires = one.terms.expires_at.unwrap().to_rfc3339();
        assert_eq!(expires, "2027-01-31T00:00:00+00:00");
        assert_eq!(two.author.name, "assay.waivers.toml");
        assert_ne!(one.id, two.id);
        assert_eq!(parsed(text).unwrap()[0].id, one.id);
    }

    #[rstest]
    #[case("2027-01-31T12:00:00Z", "2027-01-31T12:00:00+00:00")]
    #[case("2027-01-31T12:00:00+02:00", "2027-01-31T10:00:00+00:00")]
    #[case("2027-01-31T12:00:00", "2027-01-31T12:00:00+00:00")]
    #[case("\"2027-01-31\"", "2027-01-31T00:00:00+00:00")]
    fn times(#[case] written: &str, #[case] expected: &str) {
        let text = format!("[[waiver]]\ncheck=\"csp-missing\"\nreason=\"x\"\nexpires={written}\n");
        let expires = parsed(&text).unwrap()[0].terms.expires_at.unwrap();
        assert_eq!(expires.to_rfc3339(), expected);
    }

    #[rstest]
    #[case::unknown_check("[[waiver]]\ncheck = \"nonsense\"\nreason = \"x\"", "line 2: check: ")]
    #[case::empty_reason(
        "[[waiver]]\ncheck = \"csp-missing\"\nreason = \" \"",
        "line 3: reason: "
    )]
    #[case::path(
        "[[waiver]]\ncheck = \"csp-missing\"\nreason = \"x\"\npath = \"docs\"",
        "line 4: path: "
    )]
    #[case::cause(
        "[[waiver]]\ncheck = \"csp-missing\"\ncause = \"x\"\nreason = \"x\"",
        "line 3: cause: "
    )]
    #[case::expires(
        "[[waiver]]\ncheck = \"csp-missing\"\nreason = \"x\"\nexpires = \"soon\"",
        "line 4: expires: "
    )]
    #[case::author(
        "[[waiver]]\ncheck = \"csp-missing\"\nreason = \"x\"\nauthor = \"\"",
        "line 4: author: "
    )]
    #[case::missing_reason(
        "\n[[waiver]]\ncheck = \"csp-missing\"\n",
        "line 2: the key `reason` is missing"
    )]
    #[case::a_number_for_a_text(
        "[[waiver]]\ncheck = \"csp-missing\"\nreason = 3",
        "line 3: expected a text in quotes, found 3"
    )]
    #[case::a_number_for_a_time(
        "[[waiver]]\ncheck = \"csp-missing\"\nreason = \"x\"\nexpires = 3",
        "line 4: must be a date or a time in UTC"
    )]
    #[case::a_table_for_a_list("[waiver]\ncheck = \"csp-missing\"", "line 1: expected a list")]
    #[case::unknown_key(
        "[[waiver]]\ncheck = \"csp-missing\"\nwhy = \"x\"",
        "line 3: unknown field `why`"
    )]
    #[case::no_toml("[[waiver]\n", "line 1: ")]
    fn an_error_names_the_line_and_the_key(#[case] text: &str, #[case] expected: &str) {
        let error = parsed(text).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
    }

    #[test]
    fn the_number_of_waivers_is_bounded() {
        let one = "[[waiver]]\ncheck = \"csp-missing\"\nreason = \"x\"\n";
        assert_eq!(parsed(&one.repeat(MAX_WAIVERS)).unwrap().len(), MAX_WAIVERS);
        let error = parsed(&one.repeat(MAX_WAIVERS + 1)).unwrap_err();
        assert!(error.contains("at most 200 waivers"), "{error}");
    }

    #[test]
    fn waivers_that_have_expired_are_known_as_such() {
        let text = "[[waiver]]\ncheck=\"csp-missing\"\nreason=\"x\"\nexpires=2020-01-31\n";
        let waivers = AuditWaivers::at(
            parsed(text).unwrap(),
            DateTime::from_timestamp(1_700_000_000, 0).unwrap(),
        );
        assert_eq!(waivers.as_slice()[0].state, WaiverState::Expired);
    }
}
