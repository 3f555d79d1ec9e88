//! Removes secret request header values that a site repeats in its responses.

#[cfg(feature = "browser")]
use std::borrow::Cow;

use domain::run::{HIDDEN, RequestHeaders};

use crate::gather::{Headers, Response};

/// The shortest text that counts as a secret. A shorter one may be any word of a page.
const MIN_SECRET_BYTES: usize = 8;

/// The most texts that are searched for in each response, the longest first, so that the caller cannot make the
/// search slow.
const MAX_VALUES: usize = 32;

/// Parts of the names of headers that carry credentials. Values of other headers occur as words on many pages:
/// removing them would change the evaluated content.
const SECRET_NAME_PARTS: [&str; 10] = [
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

/// The header values of a run, which a site may repeat in its pages, headers and redirects. They are removed
/// from every response before it is used, so that no finding and no excerpt can quote them, and none of them is
/// left when the run ends.
///
/// The set contains whole values and their parts, such as the token after `Bearer` and each cookie, of at least
/// eight characters, of headers whose names indicate secrets, as they were sent. Values that a site encodes in
/// another way are not found.
#[derive(Default)]
pub(crate) struct HiddenValues(Vec<String>);

impl HiddenValues {
    /// The values of these headers.
    pub(crate) fn from_headers(headers: &RequestHeaders) -> Self {
        let mut values: Vec<String> = headers
            .expose()
            .iter()
            .filter(|(name, _)| SECRET_NAME_PARTS.iter().any(|part| name.contains(part)))
            .flat_map(|(_, value)| parts(value))
            .filter(|part| part.len() >= MIN_SECRET_BYTES)
            .map(str::to_owned)
            .collect();
        // A value is removed before its parts, so that no remainder of it is left.
        values.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        values.dedup();
        values.truncate(MAX_VALUES);
        Self(values)
    }

    /// Removes the values from a response.
    pub(crate) fn hide(&self, response: &mut Response) {
        for value in &self.0 {
            if let Some(body) = without(&response.body, value.as_bytes()) {
                response.body = body.into();
            }
        }
        response.headers = self.hide_in_headers(std::mem::take(&mut response.headers));
    }

    /// The headers without the values.
    pub(crate) fn hide_in_headers(&self, mut headers: Headers) -> Headers {
        for value in &self.0 {
            let repeats = |(_, text): (&str, &str)| text.contains(value.as_str());
            if headers.iter().any(repeats) {
                let hidden = headers.iter();
                let hidden =
                    hidden.map(|(name, text)| (name.to_owned(), text.replace(value, HIDDEN)));
                headers = hidden.collect();
            }
        }
        headers
    }

    /// Removes the values from a text.
    #[cfg(feature = "browser")]
    pub(crate) fn hide_in_text(&self, text: &mut String) {
        for value in &self.0 {
            if text.contains(value.as_str()) {
                *text = text.replace(value, HIDDEN);
            }
        }
    }

    /// A JSON document without the values, as its strings contain them.
    #[cfg(feature = "browser")]
    pub(crate) fn hide_in_json<'j>(&self, json: &'j str) -> Cow<'j, str> {
        let mut text = Cow::Borrowed(json);
        for value in &self.0 {
            let written = serde_json::Value::from(value.as_str()).to_string();
            // Without the quotation marks around it.
            let written = written.get(1..written.len() - 1).unwrap_or_default();
            if text.contains(written) {
                text = Cow::Owned(text.replace(written, HIDDEN));
            }
        }
        text
    }
}

/// A value, its words, and the part after the equals sign of each word.
fn parts(value: &str) -> impl Iterator<Item = &str> {
    let words = value.split([' ', '\t', ',', ';']);
    let behind = words
        .clone()
        .filter_map(|word| Some(word.split_once('=')?.1));
    std::iter::once(value).chain(words).chain(behind)
}

/// The bytes with each occurrence of the value replaced; none if there is no occurrence.
fn without(bytes: &[u8], value: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut end = 0;
    // The search takes linear time for any value and bytes.
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
        let values = HiddenValues::from_headers(&RequestHeaders::parse(headers.into()).unwrap());
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
