//! What no text of a page can do, whatever it is.

use domain::report::Report;
use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag};

use super::tests::written;
use api_types::report::ReportFormat;

use super::Scored;
use crate::handoff::{hostile_texts as phrases, parsed_prompt};
use crate::sample::{hostile, report};

/// Texts that try to be markup, code, a formula or an instruction, and to be unseen.
const HOSTILE: &[&str] = &[
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "javascript:alert(1)",
    "https://ferry.example/\" onclick=\"alert(1)",
    "</style><svg onload=alert(1)>",
    "<!--",
    "-->",
    "]]>",
    "</failure></testcase>",
    "{{ 7 * 7 }}",
    "{% raw %}",
    "=HYPERLINK(\"https://evil.example\")",
    "@SUM(A1:A9)",
    "\u{202e}\u{1b}[2J\u{0}\u{7}",
    "![x](https://evil.example/x.png)",
    "[x](javascript:alert(1))",
    "| a | b |",
    "# heading",
    "https://evil.example/path and www.evil.example",
    "a ` b `` c ``` d",
    "\\` \\",
    "<https://evil.example>",
    "&lt;script&gt; &#60;b&#62;",
    "line\n\n# heading\n```\nfence",
    "\u{feff}\u{fffe}\u{ffff}",
];

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(HOSTILE).prop_map(str::to_owned),
        prop::sample::select(phrases::HOSTILE).prop_map(str::to_owned),
        any::<String>(),
        prop::collection::vec(prop::sample::select(HOSTILE), 1..4).prop_map(|texts| texts.concat()),
        "[ -~]{0,60}",
    ]
}

fn report_with(text: &str) -> Report {
    report(&hostile(text))
}

fn form(text: &str, format: ReportFormat) -> String {
    written(&report_with(text), &Scored::Whole, format)
}

/// The tags of a page, with the names of their attributes.
fn tags(html: &str) -> Vec<String> {
    let mut tags = Vec::new();
    let mut rest = html;
    while let Some((_, from)) = rest.split_once('<') {
        let (mut end, mut quoted) = (from.len(), false);
        for (index, character) in from.char_indices() {
            match character {
                '"' => quoted = !quoted,
                '>' if !quoted => {
                    end = index;
                    break;
                }
                _ => {}
            }
        }
        let (tag, behind) = from.split_at(end);
        // What stands between quotes is data.
        let names: Vec<_> = tag.split('"').step_by(2).collect();
        tags.push(names.join("\""));
        rest = behind;
    }
    tags
}

/// Every tag of the page is one of the template's.
fn unknown_tag(html: &str) -> Option<String> {
    let calm = tags(&format!(
        "{}{}",
        form("https://calm.example/x y", ReportFormat::Html),
        form("https://calm.example/x", ReportFormat::Html)
    ));
    tags(html).into_iter().find(|tag| !calm.contains(tag))
}

fn unseen(text: &str) -> Option<char> {
    text.chars().find(|c| {
        (c.is_control() && !"\n\r".contains(*c))
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{2028}' | '\u{2029}')
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn no_text_is_a_tag_or_an_attribute_of_the_page(text in texts()) {
        let page = form(&text, ReportFormat::Html);
        let (_, body) = page.split_once("<body>").unwrap();
        let (body, _) = body.rsplit_once("<script>").unwrap();
        prop_assert_eq!(unknown_tag(body), None);
        prop_assert!(!body.contains("<script"));
        prop_assert!(!body.contains("href=\"javascript"));
    }

    #[test]
    fn no_text_is_markup_in_markdown(text in texts()) {
        let markdown = form(&text, ReportFormat::Markdown);
        let shape = |markdown: &str| {
            let mut shape = Vec::new();
            for event in Parser::new_ext(markdown, Options::all()) {
                match event {
                    Event::Html(html) | Event::InlineHtml(html) => shape.push(format!("html {html}")),
                    Event::Start(Tag::Image { dest_url, .. }) => shape.push(format!("image {dest_url}")),
                    Event::Start(Tag::Heading { level, .. }) => shape.push(format!("{level}")),
                    // The documentation of a check is ours.
                    Event::Start(Tag::Link { dest_url, .. })
                        if !dest_url.starts_with("https://assay.example/checks/") =>
                    {
                        shape.push(format!("link {dest_url}"));
                    }
                    Event::Start(Tag::CodeBlock(_)) => shape.push("block".to_owned()),
                    _ => {}
                }
            }
            shape
        };
        let calm = form("calm", ReportFormat::Markdown);
        // A text with nothing to show, or with several lines, has other paragraphs, and no other shape.
        prop_assert_eq!(shape(&markdown), shape(&calm), "{}", markdown);
    }

    #[test]
    fn every_form_can_be_read_back_and_shows_what_it_says(text in texts()) {
        for format in ReportFormat::ALL {
            let written = form(&text, format);
            prop_assert_eq!(unseen(&written), None, "{}", format);
        }
        let sarif: Result<serde_json::Value, _> = serde_json::from_str(&form(&text, ReportFormat::Sarif));
        prop_assert!(sarif.is_ok());
        let junit = form(&text, ReportFormat::Junit);
        let read = quick_junit::Report::deserialize_from_str(&junit);
        prop_assert!(read.is_ok(), "{}", junit);
    }

    #[test]
    fn no_cell_of_the_table_begins_a_formula(text in texts()) {
        let table = form(&text, ReportFormat::Csv);
        let mut reader = csv::Reader::from_reader(table.as_bytes());
        for row in reader.records() {
            let row = row.unwrap();
            prop_assert_eq!(row.len(), 22);
            for cell in &row {
                prop_assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r']), "{}", cell);
            }
        }
    }

    #[test]
    fn no_text_leaves_its_fence_in_the_form_for_models(text in texts()) {
        let prompt = |text: &str| {
            let mut report = report_with(text);
            for issue in &mut report.issues {
                // What has the form of an id may stand outside.
                issue.check_id = "meta-description".to_owned();
            }
            for check in &mut report.unjudged {
                check.check_id = "contrast".to_owned();
            }
            written(&report, &Scored::Whole, ReportFormat::Llm)
        };
        let calm = parsed_prompt::parse(&prompt("calm")).unwrap();
        prop_assert_eq!(parsed_prompt::violation(&prompt(&text), &calm), None, "{}", prompt(&text));
    }
}
