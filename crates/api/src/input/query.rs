//! The query of a request.

use std::ops::RangeInclusive;

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

    /// The value of a parameter.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        let mut parameters = self.0.iter();
        parameters
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// A parameter as a number in a range.
    pub(crate) fn number(
        &self,
        name: &str,
        range: RangeInclusive<u32>,
    ) -> Result<Option<u32>, Problem> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        let has_digits_alone = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text
            .parse()
            .ok()
            .filter(|number| has_digits_alone && range.contains(number));
        let (least, most) = (range.start(), range.end());
        number.map(Some).ok_or_else(|| {
            wrong(
                name,
                &format!("Must be a whole number from {least} to {most}."),
            )
        })
    }

    /// A parsed parameter; `needed` describes the allowed values.
    pub(crate) fn read<T>(
        &self,
        name: &str,
        parse: impl Fn(&str) -> Option<T>,
        needed: impl Fn() -> String,
    ) -> Result<Option<T>, Problem> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        let value = parse(text).ok_or_else(|| wrong(name, &needed()))?;
        Ok(Some(value))
    }

    /// The position of the parameter `cursor`.
    pub(crate) fn cursor<T>(
        &self,
        decode: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, Problem> {
        self.read("cursor", decode, || {
            "Must be the unchanged `nextCursor` of a page of this list.".to_owned()
        })
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

    use super::*;

    fn parse(text: &str) -> Result<Query, Problem> {
        Query::parse(text, &["limit".to_owned(), "name".to_owned()])
    }

    #[rstest]
    #[case::none("", None)]
    #[case::separators_alone("&&", None)]
    #[case::plain("name=a", Some("a"))]
    #[case::encoded("n%61me=a%20b+c%c3%a9", Some("a b cé"))]
    #[case::an_equals_sign_in_the_value("name=a=b", Some("a=b"))]
    fn values(#[case] text: &str, #[case] expected: Option<&str>) {
        assert_eq!(parse(text).unwrap().text("name"), expected);
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

    #[rstest]
    #[case("1", Some(1))]
    #[case("100", Some(100))]
    #[case("0", None)]
    #[case("101", None)]
    #[case("-1", None)]
    #[case("%2B1", None)]
    #[case("1.0", None)]
    #[case("1e1", None)]
    #[case("%201", None)]
    #[case("٣", None)]
    #[case("99999999999999999999", None)]
    fn numbers(#[case] text: &str, #[case] expected: Option<u32>) {
        let query = parse(&format!("limit={text}")).unwrap();
        match query.number("limit", 1..=100) {
            Ok(number) => assert_eq!(number, expected),
            Err(problem) => {
                assert_eq!(expected, None);
                assert_eq!(problem.to_wire("", "").errors[0].field, "limit");
            }
        }
    }
}
