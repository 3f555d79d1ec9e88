//! The query of a request.

use serde::de::DeserializeOwned;

use super::json;
use api_types::problem::FieldError;
use httpkit::problem::{FieldCode, Problem, field_error};

/// The parameters of a query: all known, unique and not empty.
#[derive(Debug, Default)]
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    /// Parses a form-encoded query with these known parameters. A problem names all that are invalid.
    pub(crate) fn parse(text: &str, known: &[String]) -> Result<Self, Problem> {
        let mut parameters: Vec<(String, String)> = Vec::new();
        let mut errors = Vec::new();
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            match parameter(pair, known, &parameters) {
                Ok(parameter) => parameters.push(parameter),
                Err(error) => errors.push(error),
            }
            if errors.len() == MOST_ERRORS {
                break;
            }
        }
        match errors.is_empty() {
            true => Ok(Self(parameters)),
            false => Err(Problem::fields(errors)),
        }
    }

    /// The parameters as the query of an operation; an error names the parameter.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        json::from_texts(&self.0)
    }
}

/// The most invalid parameters that one response names.
const MOST_ERRORS: usize = 20;

/// A parameter with its value; `earlier` are those before it.
fn parameter(
    pair: &str,
    known: &[String],
    earlier: &[(String, String)],
) -> Result<(String, String), FieldError> {
    let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
    let Some(name) = decode(name) else {
        let message = "The parameter name has an invalid percent-encoding.";
        return Err(wrong(FieldCode::Invalid, name, message));
    };
    if !known.contains(&name) {
        return Err(FieldError {
            allowed: known.to_vec(),
            ..wrong(FieldCode::Unknown, &name, &unknown(known))
        });
    }
    if earlier.iter().any(|(earlier, _)| *earlier == name) {
        let message = "The parameter occurs more than once.";
        return Err(wrong(FieldCode::Repeated, &name, message));
    }
    match decode(value) {
        None => {
            let message = "The value has an invalid percent-encoding.";
            Err(wrong(FieldCode::Invalid, &name, message))
        }
        Some(value) if value.is_empty() => {
            let message = "The value is empty; omit the parameter.";
            Err(wrong(FieldCode::Required, &name, message))
        }
        Some(value) if value.contains('\0') => {
            let message = "NUL characters are not allowed.";
            Err(wrong(FieldCode::Invalid, &name, message))
        }
        Some(value) => Ok((name, value)),
    }
}

/// The error has the unknown name as sent, but truncated.
fn wrong(code: FieldCode, name: &str, message: &str) -> FieldError {
    field_error(code, name.chars().take(100).collect::<String>(), message)
}

fn unknown(known: &[String]) -> String {
    if known.is_empty() {
        "Unknown parameter; this path has no parameters.".to_owned()
    } else {
        format!("Unknown parameter; known parameters: {}.", known.join(", "))
    }
}

/// Decodes percent-encoding and `+`; `None` if the encoding is invalid or not UTF-8.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let high = hexadecimal(rest.next()?)?;
                let low = hexadecimal(rest.next()?)?;
                high << 4 | low
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

fn hexadecimal(digit: u8) -> Option<u8> {
    let value = char::from(digit).to_digit(16)?;
    u8::try_from(value).ok()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    struct Names {
        name: Option<String>,
    }

    fn parse(text: &str) -> Result<Names, Problem> {
        Query::parse(text, &["limit".to_owned(), "name".to_owned()])?.read()
    }

    #[rstest]
    #[case::none("", None)]
    #[case::separators_alone("&&", None)]
    #[case::plain("name=a", Some("a"))]
    #[case::encoded("n%61me=a%20b+c%c3%a9", Some("a b cé"))]
    #[case::an_equals_sign_in_the_value("name=a=b", Some("a=b"))]
    fn values(#[case] text: &str, #[case] expected: Option<&str>) {
        assert_eq!(parse(text).unwrap().name.as_deref(), expected);
    }

    #[test]
    fn all_invalid_parameters_are_named() {
        let problem = parse("nam=a&limit=&name=a&name=b").unwrap_err();
        let errors = problem.into_fields().into_iter();
        let found: Vec<_> = errors.map(|error| (error.field, error.code)).collect();
        let expected = [
            ("nam", "unknown"),
            ("limit", "required"),
            ("name", "repeated"),
        ];
        let found: Vec<_> = found
            .iter()
            .map(|(a, b)| (a.as_str(), b.as_str()))
            .collect();
        assert_eq!(found, expected);
        let many: Vec<String> = (0..MOST_ERRORS + 5)
            .map(|number| format!("x{number}=1"))
            .collect();
        let problem = parse(&many.join("&")).unwrap_err();
        assert_eq!(problem.into_fields().len(), MOST_ERRORS);
    }

    #[rstest]
    #[case::unknown("nam=a", "nam")]
    #[case::case_matters("Name=a", "Name")]
    #[case::twice("name=a&name=a", "name")]
    #[case::twice_in_disguise("name=a&n%61me=a", "name")]
    #[case::empty("name=", "name")]
    #[case::no_value("name", "name")]
    #[case::no_name("=a", "")]
    #[case::cut_off("name=%4", "name")]
    #[case::no_digits("name=%zz", "name")]
    #[case::no_utf8("name=%ff", "name")]
    #[case::nul("name=a%00", "name")]
    #[case::broken_name("%zz=a", "%zz")]
    fn what_is_wrong_is_named(#[case] text: &str, #[case] field: &str) {
        let problem = parse(text).unwrap_err().to_wire("", "");
        assert_eq!(problem.errors[0].field, field, "{problem:?}");
    }
}
