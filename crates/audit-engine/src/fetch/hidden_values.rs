//! Secrets that a site repeats.

use domain::run::{HIDDEN, RequestHeaders};

use crate::gather::{Headers, Response};

/// Shortest text that is taken for a secret. A shorter one may be any word of a page.
const SHORTEST: usize = 8;

/// Texts that are looked for in each answer at most, the longest first, so that looking takes a time
/// that no caller can choose.
const MOST: usize = 32;

/// What the name of a header has in it that says who asks. The values of others are words of many
/// pages: to take them out would change what is judged.
const SECRET: [&str; 10] = [
    "auth",
    "cookie",
    "credential",
    "jwt",
    "key",
    "pass",
    "secret",
    "session",
    "sig",
    "token",
];

/// The values of a run's headers, which a site may repeat in its pages, headers and redirects. They
/// are taken out of every answer before anybody reads it, so that no finding and no excerpt can quote
/// them, and nothing of them is left when the run has ended.
///
/// Known are whole values and their parts, such as the token behind `Bearer` and each cookie, of at
/// least eight characters, of headers whose names speak of secrets, as they were sent. A site that
/// encodes them in another way gives its secret away itself.
pub(crate) struct HiddenValues(Vec<String>);

impl HiddenValues {
    /// The values of these headers.
    pub(crate) fn of(headers: &RequestHeaders) -> Self {
        let mut values: Vec<String> = headers
            .expose()
            .iter()
            .filter(|(name, _)| SECRET.iter().any(|part| name.contains(part)))
            .flat_map(|(_, value)| parts(value))
            .filter(|part| part.len() >= SHORTEST)
            .map(str::to_owned)
            .collect();
        // A value goes before its parts, so that no rest of it stays.
        values.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        values.dedup();
        values.truncate(MOST);
        Self(values)
    }

    /// Takes the values out of an answer.
    pub(crate) fn hide(&self, response: &mut Response) {
        for value in &self.0 {
            if let Some(body) = without(&response.body, value.as_bytes()) {
                response.body = body.into();
            }
            let repeats = |(_, text): (&str, &str)| text.contains(value.as_str());
            if response.headers.iter().any(repeats) {
                let hidden = response.headers.iter();
                let hidden =
                    hidden.map(|(name, text)| (name.to_owned(), text.replace(value, HIDDEN)));
                response.headers = hidden.collect::<Headers>();
            }
        }
    }
}

/// A value, its words, and what stands behind the equals sign of each.
fn parts(value: &str) -> impl Iterator<Item = &str> {
    let words = value.split([' ', '\t', ',', ';']);
    let behind = words
        .clone()
        .filter_map(|word| Some(word.split_once('=')?.1));
    std::iter::once(value).chain(words).chain(behind)
}

/// The bytes with each occurrence of the value replaced; none where there is none.
fn without(bytes: &[u8], value: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut end = 0;
    // In linear time, whatever value and bytes are.
    for at in memchr::memmem::find_iter(bytes, value) {
        out.extend_from_slice(bytes.get(end..at).unwrap_or_default());
        out.extend_from_slice(HIDDEN.as_bytes());
        end = at.saturating_add(value.len());
    }
    if end == 0 {
        return None;
    }
    out.extend_from_slice(bytes.get(end..).unwrap_or_default());
    Some(out)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn hidden(name: &str, value: &str, text: &str) -> String {
        let headers = [(name.to_owned(), value.to_owned())];
        let values = HiddenValues::of(&RequestHeaders::parse(headers.into()).unwrap());
        let mut recording = crate::gather::Recording::default();
        let url: url::Url = "https://example.com/".parse().unwrap();
        let repeated = Headers::from_iter([("x-repeated", text)]);
        recording.add(&url, 200, repeated, text.to_owned());
        let request = crate::gather::Request::get(url, 10_000);
        let mut response = recording.answer(&request).unwrap();
        values.hide(&mut response);
        let body = String::from_utf8(response.body.to_vec()).unwrap();
        assert_eq!(response.headers.get("x-repeated"), Some(body.as_str()));
        body
    }

    #[rstest]
    #[case::whole("x-token", "s3cret-value", "a s3cret-value b", "a *** b")]
    #[case::often("x-token", "s3cret-value", "s3cret-values3cret-value", "******")]
    #[case::scheme(
        "authorization",
        "Bearer abcdefgh",
        "I got Bearer abcdefgh.",
        "I got ***."
    )]
    #[case::token("authorization", "Bearer abcdefgh", "t=abcdefgh", "t=***")]
    #[case::cookies("cookie", "a=1; session=abcdefgh", "session=abcdefgh", "***")]
    #[case::cookie("cookie", "a=1; session=abcdefgh", "<b>abcdefgh</b>", "<b>***</b>")]
    fn what_a_site_repeats_is_hidden(
        #[case] name: &str,
        #[case] value: &str,
        #[case] text: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(hidden(name, value, text), expected);
    }

    #[rstest]
    #[case::no_occurrence("x-token", "s3cret-value", "s3cret")]
    #[case::a_word("x-preview", "yes", "yes and no")]
    #[case::language("accept-language", "en-US,en;q=0.9", "en-US,en;q=0.9")]
    #[case::no_secret("x-forwarded-host", "example.com", "https://example.com/")]
    fn other_text_stays(#[case] name: &str, #[case] value: &str, #[case] text: &str) {
        assert_eq!(hidden(name, value, text), text);
    }
}
