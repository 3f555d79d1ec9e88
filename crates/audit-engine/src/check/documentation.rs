//! Parses a check's documentation into sections.

/// The format of an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExampleKind {
    /// An HTML document or a part of one, served at `https://example.com/`.
    Html,
    /// One complete HTTP response, served at `https://example.com/`.
    Http,
    /// A [`Recording`](crate::gather::Recording) of several responses; the start page is `https://example.com/`.
    Site,
}

/// An example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// The format of the text.
    pub kind: ExampleKind,
    /// The text without its fence.
    pub text: String,
}

impl Example {
    /// The example as a recording of a site.
    #[must_use]
    pub fn recording(&self) -> String {
        match self.kind {
            ExampleKind::Html | ExampleKind::Http => format!("=== /\n{}", self.text),
            ExampleKind::Site => self.text.clone(),
        }
    }
}

/// A section's text with each paragraph and list item on one line, for display outside the
/// documentation pages.
#[must_use]
pub fn reflowed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let starts_block = line.is_empty() || line.starts_with("- ") || out.ends_with("\n\n");
        if !out.is_empty() && !out.ends_with('\n') {
            out.push(if starts_block { '\n' } else { ' ' });
        }
        out.push_str(line.trim());
        if line.is_empty() {
            out.push('\n');
        }
    }
    out.trim_end().to_owned()
}

/// The sections of a check's documentation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Documentation {
    /// What it checks.
    pub what: String,
    /// Why it matters to the people who use the site.
    pub why: String,
    /// How to fix the finding.
    pub fix: String,
    /// What the check does not evaluate, and why.
    pub limits: String,
    /// Names of the same rule in other tools and standards, such as "axe: `label`"; or one "None: …" with the
    /// reason why there is no such name.
    pub known_as: Vec<String>,
    /// Standards and sources, one per line.
    pub references: Vec<String>,
    /// The example that fails.
    pub failing: Option<Example>,
    /// The example that passes.
    pub passing: Option<Example>,
}

impl Documentation {
    /// Parses the Markdown of [`declare_check!`](crate::declare_check).
    #[must_use]
    pub fn parse(markdown: &str) -> Self {
        let mut docs = Self::default();
        let mut heading = "";
        let mut body: Vec<&str> = Vec::new();
        let mut fenced = false;
        // Each line of a doc comment starts with the space after the slashes.
        for line in markdown
            .lines()
            .map(|line| line.strip_prefix(' ').unwrap_or(line))
        {
            if line.starts_with("```") {
                fenced = !fenced;
            }
            match line.strip_prefix("## ") {
                Some(next) if !fenced => {
                    docs.set(heading, &body);
                    heading = next.trim();
                    body.clear();
                }
                _ => body.push(line),
            }
        }
        docs.set(heading, &body);
        docs
    }

    fn set(&mut self, heading: &str, body: &[&str]) {
        let text = body.join("\n").trim().to_owned();
        match heading {
            "What it checks" => self.what = text,
            "Why it matters" => self.why = text,
            "How to fix it" => self.fix = text,
            "Limits" => self.limits = text,
            "Also known as" => self.known_as = items(&text),
            "References" => self.references = items(&text),
            "Example" => {
                let mut examples = examples(body).into_iter();
                self.failing = examples.next();
                self.passing = examples.next();
            }
            _ => {}
        }
    }
}

/// The items of a list, one a line.
fn items(text: &str) -> Vec<String> {
    text.lines()
        .filter_map(|line| line.strip_prefix("- "))
        .map(|line| line.trim().to_owned())
        .collect()
}

fn examples(body: &[&str]) -> Vec<Example> {
    let mut found = Vec::new();
    let mut open: Option<(ExampleKind, Vec<&str>)> = None;
    for line in body {
        match (line.strip_prefix("```"), open.take()) {
            (Some(info), None) => {
                let kind = match info.trim() {
                    "http" => ExampleKind::Http,
                    "site" => ExampleKind::Site,
                    _ => ExampleKind::Html,
                };
                open = Some((kind, Vec::new()));
            }
            (Some(_), Some((kind, lines))) => found.push(Example {
                kind,
                text: lines.join("\n"),
            }),
            (None, Some((kind, mut lines))) => {
                lines.push(line);
                open = Some((kind, lines));
            }
            (None, None) => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_and_items_are_lines() {
        assert_eq!(reflowed("a\nb\n\nc\n- d\n  e\n- f"), "a b\n\nc\n- d e\n- f");
    }

    #[test]
    fn sections_and_examples_are_found() {
        let docs = Documentation::parse(
            " ## What it checks\n Images.\n\n ## Why it matters\n People.\n ## Example\n ```html\n <img>\n ```\n Use instead:\n ```html\n <img alt=\"\">\n ```\n ## Also known as\n - axe: `image-alt`\n\n ## References\n - WCAG 1.1.1\n",
        );
        assert_eq!(docs.what, "Images.");
        assert_eq!(docs.failing.map(|e| e.text).as_deref(), Some("<img>"));
        assert_eq!(
            docs.passing.map(|e| e.text).as_deref(),
            Some("<img alt=\"\">")
        );
        assert_eq!(docs.known_as, ["axe: `image-alt`"]);
        assert_eq!(docs.references, ["WCAG 1.1.1"]);
    }
}
