//! The site's response for `/llms.txt`.

use crate::gather::media_type;
use crate::site::{Probe, ProbeAnswer, Site};

/// The state of a site's `/llms.txt`.
#[derive(Debug, Clone)]
pub(crate) enum LlmsTxt<'a> {
    /// There is none. A site that returns a page for every URL has none either.
    Missing,
    /// The server returned this 5xx status.
    ServerError(u16),
    /// The server returned HTML instead of text.
    Html,
    /// The file.
    Text(String, &'a ProbeAnswer),
    /// Unknown: it was not requested, the request failed, or access was denied.
    Unknown,
}

impl<'a> LlmsTxt<'a> {
    /// Classifies the site's response.
    pub(crate) fn new(site: &'a Site) -> Self {
        let answer = site.probes.llms_txt.as_ref().and_then(Probe::answer);
        match answer {
            Some(answer) => Self::of_answer(answer, site.probes.missing_page.as_ref()),
            None => Self::Unknown,
        }
    }

    fn of_answer(answer: &'a ProbeAnswer, missing_page: Option<&Probe>) -> Self {
        match answer.status {
            200..=299 if !is_html(answer) => {
                let text = String::from_utf8_lossy(&answer.body);
                let text = text.trim_start_matches('\u{FEFF}').to_owned();
                Self::Text(text, answer)
            }
            200..=299 if answers_everything(missing_page) => Self::Missing,
            200..=299 => Self::Html,
            404 | 410 => Self::Missing,
            status @ 500..=599 => Self::ServerError(status),
            _ => Self::Unknown,
        }
    }
}

fn is_html(answer: &ProbeAnswer) -> bool {
    let start: String = String::from_utf8_lossy(answer.body.get(..512).unwrap_or(&answer.body))
        .trim_start_matches('\u{FEFF}')
        .trim_start()
        .chars()
        .take(14)
        .collect();
    let start = start.to_ascii_lowercase();
    start.starts_with("<!doctype html")
        || start.starts_with("<html")
        || (media_type(answer.headers.get("content-type")) == "text/html" && start.starts_with('<'))
}

fn answers_everything(missing_page: Option<&Probe>) -> bool {
    missing_page.is_some_and(|probe| probe.success().is_some())
}

/// The targets of the Markdown links of a text, each with its line number, from 1.
pub(crate) fn links(text: &str) -> Vec<(u32, &str)> {
    let mut found = Vec::new();
    for (line, number) in text.lines().zip(1_u32..) {
        for after in line.split("](").skip(1) {
            let target = after.split([')', ' ']).next().unwrap_or_default();
            let target = target.trim_start_matches('<').trim_end_matches('>');
            if !target.is_empty() {
                found.push((number, target));
            }
        }
    }
    found
}

/// Whether the text has a first-level heading, in ATX or Setext style.
pub(crate) fn has_title(text: &str) -> bool {
    let mut before = "";
    text.lines().any(|line| {
        let is_title = line
            .strip_prefix("# ")
            .is_some_and(|title| !title.trim().is_empty());
        let line = line.trim_end();
        let underlined = !before.is_empty() && line.len() >= 3 && line.chars().all(|c| c == '=');
        before = line;
        is_title || underlined
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_with_their_lines() {
        let text = "# A\n\n- [One](/one.md): first, [two](<https://x/two> \"t\")\n- none\n[x]()";
        assert_eq!(links(text), [(3, "/one.md"), (3, "https://x/two")]);
    }

    #[test]
    fn both_heading_styles_are_titles() {
        assert!(has_title("\n# Title"));
        assert!(has_title("Title\n====="));
        assert!(!has_title("## Section\n#nospace\n\n===\n# "));
    }
}
