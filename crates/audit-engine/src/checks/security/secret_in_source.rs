//! Private keys and access tokens in the source of pages.

use std::cell::OnceCell;

use crate::check::{Evidence, Failures, Outcome};
use crate::common::text::secrets::{self, Secret};
use crate::declare_check;
use crate::dom::{Dom, NodeData, NodeId};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Pages contain no private keys and no access tokens in scripts, comments, attributes and text
    /// outside code samples.
    ///
    /// ## Why it matters
    /// Anyone who opens the source of the page can use the key in your name: read your data, send
    /// mail or spend your money. Bots constantly search the web for such keys.
    ///
    /// ## How to fix it
    /// Revoke this key at its provider first; removing it from the page is not enough. Then keep the new key on your
    /// server, and let the page send its requests to your server.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Shop</title><script>const uploadKey = "AKIAQ3EGRTW5ZLMNX7BD";</script><p>Our shop.</p></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Shop</title><script>const uploadAddress = "/upload";</script><p>Our shop.</p></html>
    /// ```
    ///
    /// ## Limits
    /// The check finds only keys with an unmistakable format: keys of AWS, GitHub, GitLab, npm, Stripe,
    /// Slack, SendGrid and Anthropic, and private keys. It ignores placeholders and samples in `pre` and
    /// `code`. Assay never stores the key; the finding shows its first four characters. In rendered mode,
    /// too, the check judges the response, because a script that writes a key contains or fetches it, and the
    /// source is what a server publishes.
    ///
    /// ## Also known as
    /// - CWE: CWE-798, CWE-540
    /// - Common name: Leaked API key, hard-coded credentials
    ///
    /// ## References
    /// - CWE-798, Use of Hard-coded Credentials
    /// - GitHub Docs, Supported secret scanning patterns
    SECRET_IN_SOURCE {
        id: "secret-in-source",
        title: "Secret key exposed in the page source",
        dimension: Security,
        scope: Page,
        severity: Critical,
        confidence: High,
        effort: Medium,
        needs: [Dom, AsServed],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    if !secrets::may_hold(page.source()) {
        return Outcome::Passed;
    }
    let dom = page.dom();
    let mut failures = Failures::default();
    let mut walk = dom.descendants(dom.document());
    while let Some(id) = walk.next() {
        match dom.data(id) {
            Some(NodeData::Text(text)) => failures.extend(secrets_in(dom, id, text)),
            Some(NodeData::Comment(text)) => failures.extend(secrets_in(dom, id, text)),
            Some(NodeData::Element(element)) => {
                for attribute in element.attrs() {
                    failures.extend(secrets_in(dom, id, attribute.value));
                }
                if matches!(element.name(), "pre" | "code" | "samp" | "kbd" | "textarea") {
                    walk.skip_children(id);
                }
            }
            _ => {}
        }
    }
    Outcome::from_failures(failures)
}

fn secrets_in<'a>(dom: &'a Dom, id: NodeId, text: &'a str) -> impl Iterator<Item = Evidence> + 'a {
    let secrets = secrets::may_hold(text).then(|| secrets::find(text));
    let first = OnceCell::new();
    let secrets = secrets.into_iter().flatten();
    secrets.map(move |secret| {
        let (selector, line) = first.get_or_init(|| location(dom, id));
        // If an element has only a text child, as a script does, the text starts after the start tag.
        let line = line.map_or(dom.line(id), |first| {
            first.saturating_add(secret.lines_before)
        });
        evidence(selector.clone(), line, &secret)
    })
}

/// The selector of the element and, if the text is its only child, the first line of the text.
fn location(dom: &Dom, id: NodeId) -> (Option<String>, Option<u32>) {
    let parent = dom.parent(id);
    let element = dom
        .element(id)
        .or_else(|| parent.and_then(|parent| dom.element(parent)));
    let is_only_child = dom.element(id).is_none()
        && dom.previous_sibling(id).is_none()
        && dom.next_sibling(id).is_none();
    (
        element.and_then(|element| element.selector(crate::bounds::MAX_SELECTOR_BYTES)),
        parent
            .filter(|_| is_only_child)
            .map(|parent| dom.line(parent)),
    )
}

fn evidence(selector: Option<String>, line: u32, secret: &Secret) -> Evidence {
    let (what, start) = (secret.what, &secret.start);
    Evidence {
        selector,
        ..Evidence::line(line, &format!("{start}…"))
    }
    .message(format!(
        "The page source contains {what} that starts with {start}."
    ))
    .cause(
        format!("{what} {}", secret.digest),
        format!("The page source contains {what}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_passes, outcome};

    fn token() -> String {
        format!("ghp_{}", "q7RtZ2mVx9LcW4nKb8YdHs3PfJg6TaEu1oSi")
    }

    #[test]
    fn scripts_comments_attributes_and_text_are_read() {
        let token = token();
        let html = format!(
            "<script>a='{token}'</script><!-- {token} --><a data-key={token}>x</a><p>{token}"
        );
        assert_fails(&SECRET_IN_SOURCE, &html, 4);
    }

    #[test]
    fn code_samples_are_ignored() {
        let token = token();
        assert_passes(
            &SECRET_IN_SOURCE,
            &format!("<pre>{token}</pre><p><code>{token}</code><textarea>{token}</textarea>"),
        );
    }

    #[test]
    fn the_finding_has_the_line_of_the_secret_but_not_its_value() {
        let token = token();
        let html =
            format!("<!doctype html>\n<script>\nlet a;\nlet b = '{token}';\nlet c;\n</script>");
        let Outcome::Failed(evidence) = outcome(&SECRET_IN_SOURCE, &html) else {
            panic!("passed");
        };
        assert_eq!(evidence[0].line, Some(4));
        assert!(!format!("{evidence:?}").contains(&token));
    }

    #[test]
    fn public_keys_pass() {
        assert_passes(
            &SECRET_IN_SOURCE,
            "<script>'pk_live_9fKq2LmZx7RtVb4WnYc8HsDp'</script>",
        );
    }
}
