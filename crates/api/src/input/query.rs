//! The query of a request.

use serde::de::DeserializeOwned;

use super::json;
use httpkit::problem::Problem;

/// The parameters of a query: all known, unique and not empty.
#[derive(Debug, Default)]
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    /// Parses a form-encoded query with these known parameters.
    pub(crate) fn parse(text: &str, known: &[String]) -> Result<Self, Problem> {
        let mut parameters: Vec<(String, String)> = Vec::new();
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let name = decode(name).ok_or_else(|| {
                wrong(name, "The parameter name has an invalid percent-encoding.")
            })?;
            if !known.contains(&name) {
                return Err(wrong(&name, &unknown(known)));
            }
            if parameters.iter().any(|(earlier, _)| *earlier == name) {
                return Err(wrong(&name, "The parameter occurs more than once."));
            }
            let value = decode(value)
                .ok_or_else(|| wrong(&name, "The value has an invalid percent-encoding."))?;
            if value.is_empty() {
                return Err(wrong(&name, "The value is empty; omit the parameter."));
            }
            if value.contains('\0') {
                return Err(wrong(&name, "NUL characters are not allowed."));
            }
            parameters.push((name, value));
        }
        Ok(Self(parameters))
    }

    /// The parameters as the query of an operation; an error names the parameter.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        json::from_texts(&self.0)
    }
}

fn wrong(name: &str, message: &str) -> Problem {
    // The message contains the unknown name as sent, but truncated.
    Problem::field(name.chars().take(100).collect::<String>(), message)
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
