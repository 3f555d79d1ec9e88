//! The meta description has a length that fits search results.

use crate::check::{Evidence, Outcome};
use crate::common::text::text_width::{described_width, text_width};
use crate::declare_check;
use crate::dom::normalize_space;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The meta description has between 50 and 160 characters. A Chinese, Japanese or Korean
    /// character counts as two.
    ///
    /// ## Why it matters
    /// Search results show about 160 characters and truncate the rest. A description of a few words
    /// wastes the space that could convince a reader.
    ///
    /// ## How to fix it
    /// Write one or two full sentences of 50 to 160 characters with the most important fact first.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferry times – Island Line</title><meta name="description" content="Ferry times."><h1>Ferry times</h1></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferry times – Island Line</title><meta name="description" content="Departure times of all ferries to the islands, with prices and holiday changes."><h1>Ferry times</h1></html>
    /// ```
    ///
    /// ## Limits
    /// The limits are rules of thumb: search engines publish no limits and truncate by width in
    /// pixels. `description-missing` reports pages without a description.
    ///
    /// ## Also known as
    /// - Screaming Frog: Meta Description: Below X Characters
    /// - Screaming Frog: Meta Description: Over X Characters
    ///
    /// ## References
    /// - Google Search Central, Control your snippets in search results
    DESCRIPTION_LENGTH {
        id: "description-length",
        title: "Meta description too short or too long",
        dimension: Seo,
        scope: Page,
        severity: Minor,
        confidence: Medium,
        effort: Small,
        needs: [Dom, Indexable],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const MIN_WIDTH: usize = 50;
const MAX_WIDTH: usize = 160;

fn evaluate(page: &Page) -> Outcome {
    let described = page.metas("description").find_map(|meta| {
        let text = normalize_space(meta.attr("content")?);
        (!text.is_empty()).then_some((meta, text))
    });
    let Some((meta, text)) = described else {
        return Outcome::NotApplicable;
    };
    let width = text_width(&text);
    Outcome::pass_if((MIN_WIDTH..=MAX_WIDTH).contains(&width), || {
        Evidence::node(meta).message(format!(
            "The meta description has {}; expected {MIN_WIDTH} to {MAX_WIDTH}.",
            described_width(&text)
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    fn description_of(length: usize) -> String {
        format!("<meta name=description content='{}'>", "x".repeat(length))
    }

    #[test]
    fn the_minimum_and_maximum_length_pass() {
        assert_passes(&DESCRIPTION_LENGTH, &description_of(50));
        assert_passes(&DESCRIPTION_LENGTH, &description_of(160));
    }

    #[test]
    fn shorter_and_longer_fail() {
        assert_fails(&DESCRIPTION_LENGTH, &description_of(49), 1);
        assert_fails(&DESCRIPTION_LENGTH, &description_of(161), 1);
    }

    #[test]
    fn line_breaks_in_the_source_count_as_one_space() {
        let html = format!(
            "<meta name=description content='{}'>",
            "word\n        ".repeat(30)
        );
        assert_passes(&DESCRIPTION_LENGTH, &html);
    }

    #[test]
    fn an_empty_description_is_not_applicable() {
        assert_not_applicable(&DESCRIPTION_LENGTH, &description_of(0));
    }
}
