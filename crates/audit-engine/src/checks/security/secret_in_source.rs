//! Keys and tokens in the source of pages.

use crate::check::{Evidence, Outcome};
use crate::common::secrets::{self, Secret};
use crate::declare_check;
use crate::dom::{Dom, NodeData, NodeId};
use crate::page::Page;

declare_check! {
    /// ## What it checks
    /// Pages hold no private keys and no access tokens: in scripts, comments, attributes and text
    /// outside of code samples.
    ///
    /// ## Why it matters
    /// Whoever opens the page's source can use the key in your name: read your data, send mail, spend
    /// your money. Programs search the web for such keys all the time.
    ///
    /// ## How to fix it
    /// Revoke the key at its provider first; removing it from the page is not enough. Then keep the new
    /// one on the server and let the page ask your own server.
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
    /// Only keys whose form nothing else has are found: of AWS, GitHub, GitLab, npm, Stripe, Slack,
    /// SendGrid, Anthropic, and private keys. Samples in `pre` and `code` and placeholders are left
    /// out. The value is never stored; the finding shows its first four characters.
    ///
    /// ## References
    /// - CWE-798, Use of Hard-coded Credentials
    /// - GitHub Docs, Supported secret scanning patterns
    SECRET_IN_SOURCE {
        id: "secret-in-source",
        title: "Secret keys in the source of pages",
        dimension: Security,
        scope: Page,
        severity: Critical,
        confidence: High,
        effort: Medium,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    if !secrets::may_hold(page.source()) {
        return Outcome::Passed;
    }
    let dom = page.dom();
    let mut failures = Vec::new();
    let mut walk = dom.descendants(dom.document());
    while let Some(id) = walk.next() {
        match dom.data(id) {
            Some(NodeData::Text(text)) => failures.extend(found(dom, id, text)),
            Some(NodeData::Comment(text)) => failures.extend(found(dom, id, text)),
            Some(NodeData::Element(element)) => {
                for attribute in element.attrs() {
                    failures.extend(found(dom, id, attribute.value));
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

fn found(dom: &Dom, id: NodeId, text: &str) -> Vec<Evidence> {
    if !secrets::may_hold(text) {
        return Vec::new();
    }
    secrets::find(text)
        .into_iter()
        .map(|secret| evidence(dom, id, text, &secret))
        .collect()
}

fn evidence(dom: &Dom, id: NodeId, text: &str, secret: &Secret) -> Evidence {
    let line = line(dom, id, text, secret);
    let (what, start) = (secret.what, &secret.start);
    let element = dom
        .element(id)
        .or_else(|| dom.parent(id).and_then(|parent| dom.element(parent)));
    Evidence {
        selector: element.map(|element| element.selector()),
        ..Evidence::line(line, &format!("{start}…"))
    }
    .message(format!("The source holds {what} that begins with {start}."))
    .cause(
        format!("{what} {}", secret.digest),
        format!("The source of pages holds {what}"),
    )
}

/// The text of an element that holds nothing else, such as a script, begins behind its start tag.
fn line(dom: &Dom, id: NodeId, text: &str, secret: &Secret) -> u32 {
    let parent = dom.parent(id).filter(|_| {
        dom.element(id).is_none()
            && dom.previous_sibling(id).is_none()
            && dom.next_sibling(id).is_none()
    });
    let before = text
        .split_at_checked(secret.at)
        .map_or(0, |(before, _)| before.matches('\n').count());
    match parent {
        Some(parent) => dom
            .line(parent)
            .saturating_add(u32::try_from(before).unwrap_or(0)),
        None => dom.line(id),
    }
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
    fn code_samples_are_left_out() {
        let token = token();
        assert_passes(
            &SECRET_IN_SOURCE,
            &format!("<pre>{token}</pre><p><code>{token}</code><textarea>{token}</textarea>"),
        );
    }

    #[test]
    fn the_line_is_that_of_the_secret_and_the_value_is_not_shown() {
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
