//! HTML that is too large for a language model, or contains too little text.

use crate::check::{Evidence, Outcome};
use crate::common::measures::numbers::grouped;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The HTML has at most about 100,000 tokens, counted as four characters each. If it has more
    /// than 1,000 tokens, visible text is at least 5 % of it; if it has more than 10,000, at least
    /// 15 %.
    ///
    /// ## Why it matters
    /// Many AI assistants read the raw HTML and stop when their context window is full. Markup,
    /// inline styles and data then displace the text that contains the answer.
    ///
    /// ## How to fix it
    /// Move inline style sheets, scripts, images and data from the HTML into separate files, and remove markup that
    /// only serves a page builder. Split very long pages at their chapters.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title>
    /// <style>
    /// .mt-1 { margin-top: 4px; } .mr-1 { margin-right: 4px; } .mb-1 { margin-bottom: 4px; } .ml-1 { margin-left: 4px; }
    /// .mt-2 { margin-top: 8px; } .mr-2 { margin-right: 8px; } .mb-2 { margin-bottom: 8px; } .ml-2 { margin-left: 8px; }
    /// .mt-3 { margin-top: 12px; } .mr-3 { margin-right: 12px; } .mb-3 { margin-bottom: 12px; } .ml-3 { margin-left: 12px; }
    /// .mt-4 { margin-top: 16px; } .mr-4 { margin-right: 16px; } .mb-4 { margin-bottom: 16px; } .ml-4 { margin-left: 16px; }
    /// .mt-5 { margin-top: 20px; } .mr-5 { margin-right: 20px; } .mb-5 { margin-bottom: 20px; } .ml-5 { margin-left: 20px; }
    /// .pt-1 { padding-top: 4px; } .pr-1 { padding-right: 4px; } .pb-1 { padding-bottom: 4px; } .pl-1 { padding-left: 4px; }
    /// .pt-2 { padding-top: 8px; } .pr-2 { padding-right: 8px; } .pb-2 { padding-bottom: 8px; } .pl-2 { padding-left: 8px; }
    /// .pt-3 { padding-top: 12px; } .pr-3 { padding-right: 12px; } .pb-3 { padding-bottom: 12px; } .pl-3 { padding-left: 12px; }
    /// .pt-4 { padding-top: 16px; } .pr-4 { padding-right: 16px; } .pb-4 { padding-bottom: 16px; } .pl-4 { padding-left: 16px; }
    /// .pt-5 { padding-top: 20px; } .pr-5 { padding-right: 20px; } .pb-5 { padding-bottom: 20px; } .pl-5 { padding-left: 20px; }
    /// .bt-1 { border-top: 4px solid; } .br-1 { border-right: 4px solid; } .bb-1 { border-bottom: 4px solid; } .bl-1 { border-left: 4px solid; }
    /// .bt-2 { border-top: 8px solid; } .br-2 { border-right: 8px solid; } .bb-2 { border-bottom: 8px solid; } .bl-2 { border-left: 8px solid; }
    /// .bt-3 { border-top: 12px solid; } .br-3 { border-right: 12px solid; } .bb-3 { border-bottom: 12px solid; } .bl-3 { border-left: 12px solid; }
    /// .bt-4 { border-top: 16px solid; } .br-4 { border-right: 16px solid; } .bb-4 { border-bottom: 16px solid; } .bl-4 { border-left: 16px solid; }
    /// .bt-5 { border-top: 20px solid; } .br-5 { border-right: 20px solid; } .bb-5 { border-bottom: 20px solid; } .bl-5 { border-left: 20px solid; }
    /// .text-red { color: red; } .back-red { background-color: red; } .edge-red { border-color: red; outline-color: red; }
    /// .text-orange { color: orange; } .back-orange { background-color: orange; } .edge-orange { border-color: orange; outline-color: orange; }
    /// .text-yellow { color: yellow; } .back-yellow { background-color: yellow; } .edge-yellow { border-color: yellow; outline-color: yellow; }
    /// .text-green { color: green; } .back-green { background-color: green; } .edge-green { border-color: green; outline-color: green; }
    /// .text-teal { color: teal; } .back-teal { background-color: teal; } .edge-teal { border-color: teal; outline-color: teal; }
    /// .text-blue { color: blue; } .back-blue { background-color: blue; } .edge-blue { border-color: blue; outline-color: blue; }
    /// .text-indigo { color: indigo; } .back-indigo { background-color: indigo; } .edge-indigo { border-color: indigo; outline-color: indigo; }
    /// .text-purple { color: purple; } .back-purple { background-color: purple; } .edge-purple { border-color: purple; outline-color: purple; }
    /// .text-pink { color: pink; } .back-pink { background-color: pink; } .edge-pink { border-color: pink; outline-color: pink; }
    /// .text-brown { color: brown; } .back-brown { background-color: brown; } .edge-brown { border-color: brown; outline-color: brown; }
    /// .text-gray { color: gray; } .back-gray { background-color: gray; } .edge-gray { border-color: gray; outline-color: gray; }
    /// .text-black { color: black; } .back-black { background-color: black; } .edge-black { border-color: black; outline-color: black; }
    /// .column-1 { flex: 0 0 calc(100% * 1 / 12); max-width: calc(100% * 1 / 12); } .shift-1 { margin-left: calc(100% * 1 / 12); }
    /// .column-2 { flex: 0 0 calc(100% * 2 / 12); max-width: calc(100% * 2 / 12); } .shift-2 { margin-left: calc(100% * 2 / 12); }
    /// .column-3 { flex: 0 0 calc(100% * 3 / 12); max-width: calc(100% * 3 / 12); } .shift-3 { margin-left: calc(100% * 3 / 12); }
    /// .column-4 { flex: 0 0 calc(100% * 4 / 12); max-width: calc(100% * 4 / 12); } .shift-4 { margin-left: calc(100% * 4 / 12); }
    /// .column-5 { flex: 0 0 calc(100% * 5 / 12); max-width: calc(100% * 5 / 12); } .shift-5 { margin-left: calc(100% * 5 / 12); }
    /// .column-6 { flex: 0 0 calc(100% * 6 / 12); max-width: calc(100% * 6 / 12); } .shift-6 { margin-left: calc(100% * 6 / 12); }
    /// .column-7 { flex: 0 0 calc(100% * 7 / 12); max-width: calc(100% * 7 / 12); } .shift-7 { margin-left: calc(100% * 7 / 12); }
    /// .column-8 { flex: 0 0 calc(100% * 8 / 12); max-width: calc(100% * 8 / 12); } .shift-8 { margin-left: calc(100% * 8 / 12); }
    /// .column-9 { flex: 0 0 calc(100% * 9 / 12); max-width: calc(100% * 9 / 12); } .shift-9 { margin-left: calc(100% * 9 / 12); }
    /// .column-10 { flex: 0 0 calc(100% * 10 / 12); max-width: calc(100% * 10 / 12); } .shift-10 { margin-left: calc(100% * 10 / 12); }
    /// .column-11 { flex: 0 0 calc(100% * 11 / 12); max-width: calc(100% * 11 / 12); } .shift-11 { margin-left: calc(100% * 11 / 12); }
    /// .column-12 { flex: 0 0 calc(100% * 12 / 12); max-width: calc(100% * 12 / 12); } .shift-12 { margin-left: calc(100% * 12 / 12); }
    /// </style>
    /// <p>Our two ferries cross the bay every day.</p></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title>
    /// <link rel="stylesheet" href="/style.css">
    /// <p>Our two ferries cross the bay every day.</p></html>
    /// ```
    ///
    /// ## Limits
    /// Four characters per token is a rule of thumb for English; the real number depends on the model and the
    /// language. Assistants that convert HTML to text first are affected less. In rendered mode, too, the
    /// check judges the response, because most assistants run no scripts.
    ///
    /// ## Also known as
    /// - Semrush: Low text to HTML ratio
    ///
    /// ## References
    /// - OpenAI Help Center, What are tokens and how to count them?
    TOKEN_WEIGHT {
        id: "token-weight",
        title: "Low text-to-HTML ratio or too many tokens",
        dimension: AiReadiness,
        scope: Page,
        severity: Info,
        confidence: Medium,
        effort: Medium,
        needs: [Dom, AsServed],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const CHARACTERS_PER_TOKEN: usize = 4;
const MOST_TOKENS: usize = 100_000;

/// Above this number of tokens, at least this percentage has to be text. The larger class comes first.
const LEAST_TEXT: [(usize, usize); 2] = [(10_000, 15), (1_000, 5)];

fn evaluate(page: &Page) -> Outcome {
    let html = page.source().chars().count();
    let tokens = html / CHARACTERS_PER_TOKEN;
    if tokens > MOST_TOKENS {
        return failed(format!(
            "The HTML has about {} tokens; expected at most {}.{}",
            about(tokens),
            grouped(MOST_TOKENS),
            heaviest(page)
        ));
    }
    let least = LEAST_TEXT
        .iter()
        .find(|(from, _)| tokens > *from)
        .map_or(0, |(_, least)| *least);
    if least == 0 {
        return Outcome::Passed;
    }
    let text = page.text().chars().count();
    if text * 100 < html * least {
        return failed(format!(
            "Only {} % of the HTML (about {} tokens) is visible text; expected at least {least} %.{}",
            share(text, html, least),
            about(tokens),
            heaviest(page)
        ));
    }
    Outcome::Passed
}

/// What takes the most room of the HTML beside the text.
fn heaviest(page: &Page) -> String {
    let characters = |name| {
        let elements = page.html(name);
        elements
            .map(|element| element.raw_text().chars().count())
            .sum::<usize>()
    };
    let (scripts, styles) = (characters("script"), characters("style"));
    let text = page.text().chars().count();
    let markup = (page.source().chars().count()).saturating_sub(scripts + styles + text);
    let parts = [
        (markup, "markup, with its white space and comments"),
        (scripts, "inline scripts and data"),
        (styles, "inline style sheets"),
    ];
    let largest = parts.into_iter().max_by_key(|(characters, _)| *characters);
    largest.map_or_else(String::new, |(characters, what)| {
        let tokens = about(characters / CHARACTERS_PER_TOKEN);
        format!(" Most of it is {what}: about {tokens} tokens.")
    })
}

/// The percentage of the HTML that is text, with one decimal. A value below the limit is not rounded up
/// to the limit.
fn share(text: usize, html: usize, least: usize) -> String {
    let thousandths = (text * 1_000 + html / 2)
        .checked_div(html)
        .unwrap_or_default()
        .min((least * 10).saturating_sub(1));
    format!("{}.{}", thousandths / 10, thousandths % 10)
}

/// The number rounded to hundreds below ten thousand, and to thousands from there on.
fn about(number: usize) -> String {
    let unit = if number < 10_000 { 100 } else { 1_000 };
    grouped((number + unit / 2) / unit * unit)
}

fn failed(message: String) -> Outcome {
    Outcome::failed(vec![Evidence::here().message(message)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_passes, outcome};

    #[test]
    fn a_small_page_passes_at_any_share_of_text() {
        assert_passes(&TOKEN_WEIGHT, "<p>Hi");
        assert_passes(
            &TOKEN_WEIGHT,
            &format!("<style>{}</style><p>Hi", "a".repeat(3_900)),
        );
        assert_passes(&TOKEN_WEIGHT, "");
    }

    #[test]
    fn a_page_of_markup_fails() {
        assert_fails(
            &TOKEN_WEIGHT,
            &format!("<style>{}</style><p>Hi", "a".repeat(4_100)),
            1,
        );
    }

    #[test]
    fn a_large_page_needs_a_larger_share() {
        let text = "word ".repeat(1_000);
        let page = |markup| format!("<p>{text}<style>{}</style>", "a".repeat(markup));
        assert_passes(&TOKEN_WEIGHT, &page(27_000));
        assert_fails(&TOKEN_WEIGHT, &page(40_000), 1);
    }

    #[test]
    fn the_message_gives_one_decimal_and_round_numbers() {
        let html = format!(
            "<style>{}</style><p>{}",
            "a".repeat(17_000),
            "b".repeat(487)
        );
        let Outcome::Failed(evidence) = outcome(&TOKEN_WEIGHT, &html) else {
            panic!("passed");
        };
        assert_eq!(
            evidence[0].message,
            "Only 2.8 % of the HTML (about 4,400 tokens) is visible text; expected at least 5 %. Most of it is inline style sheets: about 4,300 tokens."
        );
        assert_eq!(share(4_999, 100_000, 5), "4.9");
        assert_eq!(about(9_960), "10,000");
        assert_eq!(about(1_234_567), "1,235,000");
    }

    #[test]
    fn a_page_above_the_token_limit_fails() {
        let text = format!("<p>{}", "word ".repeat(80_100));
        assert_fails(&TOKEN_WEIGHT, &text, 1);
    }
}
