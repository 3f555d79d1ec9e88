//! The URL of the page is not too long.

use crate::check::{Evidence, Outcome};
use crate::common::measures::numbers::grouped;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The URL of the page has no more than 100 characters. A percent-encoded character counts as
    /// one.
    ///
    /// ## Why it matters
    /// Search results and emails truncate long URLs, and people cannot read them aloud or retype
    /// them.
    ///
    /// ## How to fix it
    /// Remove path segments that do not identify the page: repeated section names, dates, file
    /// extensions and parameters. Redirect the old URL to the new one.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Island Line ferries</title><a href="/timetables/islands/north/spring-and-summer/all-departures-and-arrivals/with-prices-and-holiday-changes/">Times</a></html>
    /// === /timetables/islands/north/spring-and-summer/all-departures-and-arrivals/with-prices-and-holiday-changes/
    /// <!doctype html><html lang="en"><title>Ferry times – Island Line</title></html>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Island Line ferries</title><a href="/timetables/north/">Times</a></html>
    /// === /timetables/north/
    /// <!doctype html><html lang="en"><title>Ferry times – Island Line</title></html>
    /// ```
    ///
    /// ## Limits
    /// One hundred characters is a rule of thumb. Generated reference documentation, whose URLs
    /// repeat names from the code, exceeds it for good reasons.
    ///
    /// ## Also known as
    /// - Screaming Frog: URL: Over 115 Characters
    ///
    /// ## References
    /// - Google Search Central, URL structure best practices for Google
    URL_TOO_LONG {
        id: "url-too-long",
        title: "URL is too long",
        dimension: Seo,
        scope: Page,
        severity: Minor,
        confidence: High,
        effort: Small,
        needs: [Indexable],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const MAX_CHARS: usize = 100;

fn evaluate(page: &Page) -> Outcome {
    let length = readable_length(page.url().as_str());
    Outcome::pass_if(length <= MAX_CHARS, || {
        Evidence::here().message(format!(
            "The URL has {} characters; expected no more than {MAX_CHARS}.",
            grouped(length)
        ))
    })
}

/// The length in characters after percent-decoding UTF-8.
fn readable_length(url: &str) -> usize {
    let mut bytes = url.bytes();
    let mut length = 0;
    while let Some(byte) = bytes.next() {
        let decoded = if byte == b'%' {
            decode_escape(&mut bytes)
        } else {
            byte
        };
        // UTF-8 continuation bytes are part of the previous character.
        length += usize::from(decoded & 0b1100_0000 != 0b1000_0000);
    }
    length
}

fn decode_escape(bytes: &mut std::str::Bytes<'_>) -> u8 {
    let mut ahead = bytes.clone();
    let digits = [ahead.next(), ahead.next()]
        .map(|byte| byte.and_then(|byte| char::from(byte).to_digit(16)));
    match digits {
        [Some(high), Some(low)] => {
            *bytes = ahead;
            u8::try_from(high * 16 + low).unwrap_or(b'%')
        }
        _ => b'%',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::outcome_of;

    fn at(url: &str) -> Outcome {
        outcome_of(&URL_TOO_LONG, &Page::builder().url(url).html("x"))
    }

    #[test]
    fn one_hundred_characters_pass_and_one_more_fails() {
        let eighty = "x".repeat(80);
        assert_eq!(
            at(&format!("https://example.com/{eighty}")),
            Outcome::Passed
        );
        assert!(matches!(
            at(&format!("https://example.com/{eighty}x")),
            Outcome::Failed(_)
        ));
    }

    #[test]
    fn percent_encoded_characters_count_once() {
        assert_eq!(
            at(&format!("https://example.com/{}", "ж".repeat(60))),
            Outcome::Passed
        );
        assert_eq!(readable_length("%D0%B6%zz%"), 5);
    }
}
