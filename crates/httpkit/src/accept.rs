//! The header `Accept` (RFC 9110, section 12.5.1), as far as errors depend on it.

use actix_web::http::header::{self, HeaderMap};

/// Media ranges that are read at most; a browser sends fewer than ten.
const MAX_RANGES: usize = 32;

/// Whether a client accepts HTML and prefers it to JSON: it names `text/html`, as browsers do. Programs that name
/// nothing or accept anything are not meant.
pub fn prefers_page(headers: &HeaderMap) -> bool {
    let mut page: f32 = 0.0;
    let mut json: f32 = 0.0;
    let values = headers.get_all(header::ACCEPT);
    let ranges = values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    for range in ranges.take(MAX_RANGES) {
        let mut parts = range.split(';').map(str::trim);
        let kind = parts.next().unwrap_or_default().to_ascii_lowercase();
        let quality = quality(parts);
        match kind.as_str() {
            "text/html" => page = page.max(quality),
            "application/json" | "application/problem+json" => json = json.max(quality),
            _ => {}
        }
    }
    page > 0.0 && page >= json
}

/// The quality among the parameters of a range; 1 if there is none, and 0 if it is not a number.
fn quality<'a>(mut parameters: impl Iterator<Item = &'a str>) -> f32 {
    let value = parameters.find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("q").then_some(value)
    });
    value.map_or(1.0, |value| value.trim().parse().unwrap_or(0.0))
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::browser(
        "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        true
    )]
    #[case::upper_case("Text/HTML", true)]
    #[case::both("application/json, text/html", true)]
    #[case::rather_html("application/json;q=0.5, text/html;q=0.6", true)]
    #[case::rather_json("application/json, text/html;q=0.9", false)]
    #[case::rather_problem("text/html;q=0.1, application/problem+json;q=0.2", false)]
    #[case::refused("text/html;q=0", false)]
    #[case::no_number("text/html;q=x", false)]
    #[case::anything("*/*", false)]
    #[case::text("text/*", false)]
    #[case::json("application/json, text/plain, */*", false)]
    #[case::another_type("text/html2", false)]
    #[case::empty("", false)]
    fn pages_are_for_clients_that_name_html(#[case] accept: &str, #[case] expected: bool) {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, HeaderValue::from_str(accept).unwrap());
        assert_eq!(prefers_page(&headers), expected);
    }

    #[test]
    fn several_headers_are_one_list_of_bounded_length() {
        let mut headers = HeaderMap::new();
        assert!(!prefers_page(&headers));
        for _ in 1..MAX_RANGES {
            headers.append(header::ACCEPT, HeaderValue::from_static("image/png"));
        }
        headers.append(header::ACCEPT, HeaderValue::from_static("text/html"));
        assert!(prefers_page(&headers));
        headers.append(header::ACCEPT, HeaderValue::from_static("application/json"));
        assert!(
            prefers_page(&headers),
            "the range beyond the limit is not read"
        );
        headers.insert(header::ACCEPT, HeaderValue::from_static("image/png"));
        for _ in 1..MAX_RANGES {
            headers.append(header::ACCEPT, HeaderValue::from_static("image/png"));
        }
        headers.append(header::ACCEPT, HeaderValue::from_static("text/html"));
        assert!(!prefers_page(&headers));
    }
}
