//! Headers and credentials for the audited site. Messages never contain their values.

use std::collections::BTreeMap;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::run::{InvalidOption, MAX_HEADERS, RequestHeaders};

const AUTHORIZATION: &str = "Authorization";

/// Parses the headers of `--header` and `--basic-auth`.
pub(super) fn headers(
    headers: &[String],
    basic_auth: Option<&str>,
) -> Result<RequestHeaders, String> {
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    let mut add = |name: &str, value: String| {
        let is_known = found.keys().any(|known| known.eq_ignore_ascii_case(name));
        found.insert(name.to_owned(), value);
        if is_known {
            return Err(format!(
                "header {} is given twice",
                name.to_ascii_lowercase()
            ));
        }
        Ok(())
    };
    for (number, header) in (1_usize..).zip(headers) {
        for line in lines(header, "--header")? {
            let (name, value) = line.split_once(':').ok_or_else(|| wrong(number))?;
            let name = name.trim();
            let is_token = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic());
            if !is_token {
                return Err(wrong(number));
            }
            add(name, value.trim().to_owned())?;
        }
    }
    if let Some(login) = basic_auth {
        let lines = lines(login, "--basic-auth")?;
        let [login] = lines.as_slice() else {
            return Err("--basic-auth: expected one line USER:PASSWORD".to_owned());
        };
        if !login.contains(':') || login.starts_with(':') {
            return Err(
                "--basic-auth: expected USER:PASSWORD, or @FILE that contains it".to_owned(),
            );
        }
        add(AUTHORIZATION, format!("Basic {}", STANDARD.encode(login)))?;
    }
    RequestHeaders::parse(found).map_err(|wrong| {
        let mut lines: Vec<String> = wrong.iter().map(in_words).collect();
        lines.dedup();
        lines.join("; ")
    })
}

fn in_words(error: &InvalidOption) -> String {
    match error {
        InvalidOption::TooManyHeaders => {
            format!("--header: at most {MAX_HEADERS} headers are allowed")
        }
        InvalidOption::ReservedHeader { name } => format!(
            "--header: {} cannot be set, because the connection or the crawler sets it",
            name.to_ascii_lowercase()
        ),
        _ => "--header: a name consists of letters, digits and hyphens, a value of visible \
              ASCII characters; the value is not shown because it may be secret"
            .to_owned(),
    }
}

fn wrong(number: usize) -> String {
    format!(
        "--header number {number}: expected NAME: VALUE, or @FILE with one header per line; the \
         argument is not shown because it may be secret"
    )
}

/// The text itself, or the lines of the file named after `@`.
fn lines(text: &str, flag: &str) -> Result<Vec<String>, String> {
    let Some(path) = text.strip_prefix('@') else {
        // An environment variable often ends with a line break.
        let line = Some(text).filter(|text| !text.trim().is_empty());
        return Ok(line.map(str::to_owned).into_iter().collect());
    };
    let held = std::fs::read_to_string(Path::new(path)).map_err(|error| {
        // A user name can also begin with `@`; then a password follows it.
        let named = if path.contains(':') {
            "named after `@`"
        } else {
            path
        };
        format!("{flag}: cannot read the file {named}: {error}")
    })?;
    let lines = held.lines().map(str::trim_end);
    Ok(lines
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn parsed(given: &[&str], login: Option<&str>) -> Result<RequestHeaders, String> {
        let given: Vec<_> = given.iter().map(|&text| text.to_owned()).collect();
        headers(&given, login)
    }

    #[test]
    fn a_login_is_a_header() {
        let headers = parsed(&["X-Preview: open: sesame "], Some("ada:love:lace")).unwrap();
        assert_eq!(parsed(&["", " "], None).unwrap(), RequestHeaders::default());
        let expected = [
            ("authorization", "Basic YWRhOmxvdmU6bGFjZQ=="),
            ("x-preview", "open: sesame"),
        ];
        let found: Vec<_> = headers
            .expose()
            .iter()
            .map(|(n, v)| (n.as_str(), v.as_str()))
            .collect();
        assert_eq!(found, expected);
    }

    #[rstest]
    #[case::no_colon(&["Bearer hunter2"], None)]
    #[case::a_name_with_spaces(&["Authorization Bearer hunter2: x"], None)]
    #[case::no_name(&[": hunter2"], None)]
    #[case::not_ascii(&["X-A: hunter2ü"], None)]
    #[case::reserved(&["Host: hunter2"], None)]
    #[case::twice(&["X-A: hunter2", "x-a: hunter2"], None)]
    #[case::two_logins(&["Authorization: hunter2"], Some("a:hunter2"))]
    #[case::no_password(&[], Some("hunter2"))]
    #[case::no_user(&[], Some(":hunter2"))]
    fn what_is_wrong_is_said_without_the_value(
        #[case] given: &[&str],
        #[case] login: Option<&str>,
    ) {
        let error = parsed(given, login).unwrap_err();
        assert!(!error.contains("hunter2"), "{error}");
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let error = parsed(&["@/nonexistent/headers"], None).unwrap_err();
        assert!(error.contains("/nonexistent/headers"), "{error}");
    }

    #[test]
    fn a_user_whose_name_begins_as_a_file_does_is_not_shown() {
        let error = parsed(&[], Some("@ada:hunter2")).unwrap_err();
        assert!(!error.contains("hunter2"), "{error}");
    }
}
