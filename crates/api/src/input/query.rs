//! The query of a request.

use serde::de::DeserializeOwned;

use super::json::MAX_NAME_CHARS;
use super::{InvalidFields, json};
use api_types::problem::FieldError;
use httpkit::problem::{FieldCode, MAX_FIELD_ERRORS, Problem, field_error};

/// The parameters of a query that are known, unique and not empty, and the errors of the others.
#[derive(Debug, Default)]
pub(crate) struct Query {
    parameters: Vec<(String, String)>,
    errors: Vec<FieldError>,
    /// The names of all parameters in order, as errors show them.
    names: Vec<String>,
}

impl Query {
    /// Parses a form-encoded query with these known parameters, at most [`MAX_FIELD_ERRORS`] of which are invalid.
    pub(crate) fn parse(text: &str, known: &[String]) -> Self {
        let mut query = Self::default();
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            match parameter(pair, known, &query.parameters) {
                Ok(parameter) => {
                    query.names.push(parameter.0.clone());
                    query.parameters.push(parameter);
                }
                Err(error) => {
                    query.names.push(error.field.clone());
                    query.refuse(error);
                }
            }
            if query.errors.len() == MAX_FIELD_ERRORS {
                break;
            }
        }
        query
    }

    /// Adds an error, unless one of the same parameter is known.
    fn refuse(&mut self, error: FieldError) {
        if self.errors.iter().all(|known| known.field != error.field) {
            self.errors.push(error);
        }
    }

    /// Adds the errors of a header.
    pub(crate) fn refuse_header(&mut self, problem: Problem) {
        for error in problem.into_fields() {
            self.refuse(error);
        }
    }

    /// The errors so far.
    pub(crate) fn errors(&self) -> &[FieldError] {
        &self.errors
    }

    /// The parameters as the query of an operation, validated. One problem names all that are invalid.
    pub(crate) fn read<T: DeserializeOwned, V>(
        &self,
        validate: impl FnOnce(T, &mut InvalidFields) -> Option<V>,
    ) -> Result<V, Problem> {
        let errors = self.errors.clone();
        json::from_texts(&self.parameters, &self.names, errors, validate)
    }
}

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
    let name: String = name.chars().take(MAX_NAME_CHARS).collect();
    field_error(code, name, message)
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

    fn judged(names: Names, invalid: &mut InvalidFields) -> Option<Names> {
        if names.name.as_deref() == Some("bad") {
            invalid.add(Problem::coded(FieldCode::TooLong, "name", "Too long."));
        }
        Some(names)
    }

    fn parse(text: &str) -> Result<Names, Problem> {
        Query::parse(text, &["limit".to_owned(), "name".to_owned()]).read(judged)
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

    #[rstest]
    #[case::each_with_its_code("nam=a&limit=&name=a&name=b", &["nam unknown", "limit required", "name repeated"])]
    #[case::a_wrong_value_beside_them("nam=a&name=bad&limit=", &["nam unknown", "name too_long", "limit required"])]
    #[case::a_repeated_one_once("name=bad&name=bad&name=bad", &["name repeated"])]
    fn all_invalid_parameters_are_named_in_order(#[case] text: &str, #[case] expected: &[&str]) {
        let errors = parse(text).unwrap_err().into_fields().into_iter();
        let found: Vec<_> = errors
            .map(|error| format!("{} {}", error.field, error.code))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn the_list_of_errors_is_bounded() {
        let many: Vec<String> = (0..MAX_FIELD_ERRORS + 5)
            .map(|number| format!("x{number}=1"))
            .collect();
        let problem = parse(&many.join("&")).unwrap_err();
        assert_eq!(problem.into_fields().len(), MAX_FIELD_ERRORS);
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
