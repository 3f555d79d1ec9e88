//! Private keys and access tokens in the site's script files.

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::text::secrets;
use crate::declare_check;
use crate::page::ResourceKind;
use crate::site::{ResourceFacts, Site};

declare_check! {
    /// ## What it checks
    /// The site's own script files contain no private keys and no access tokens.
    ///
    /// ## Why it matters
    /// Everyone can download a script. Anyone who finds a key in it can use it in your name: read
    /// your data, send mail or spend your money.
    ///
    /// ## How to fix it
    /// Revoke the key at its provider first; removing it from the script is not enough. Then keep the new key on your
    /// server, and let the script send its requests to your server.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Shop</title><script src="/shop.js" defer></script><p>Our shop.</p></html>
    /// === /shop.js
    /// HTTP/1.1 200 OK
    /// Content-Type: text/javascript
    ///
    /// const uploadKey = "AKIAQ3EGRTW5ZLMNX7BD";
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Shop</title><script src="/shop.js" defer></script><p>Our shop.</p></html>
    /// === /shop.js
    /// HTTP/1.1 200 OK
    /// Content-Type: text/javascript
    ///
    /// const uploadAddress = "/upload";
    /// ```
    ///
    /// ## Limits
    /// The check finds only keys with an unmistakable format, and only in the first MiB of a file.
    /// It does not read scripts of other sites or scripts that scripts load. Assay never stores the
    /// key; the finding shows its first four characters.
    ///
    /// ## Also known as
    /// - CWE: CWE-798
    /// - Common name: Leaked API key, hard-coded credentials
    ///
    /// ## References
    /// - CWE-798, Use of Hard-coded Credentials
    /// - GitHub Docs, Supported secret scanning patterns
    SECRET_IN_SCRIPT {
        id: "secret-in-script",
        title: "Secret key exposed in a script file",
        dimension: Security,
        scope: Resource,
        severity: Critical,
        confidence: High,
        effort: Medium,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let scripts = site.resources.iter().filter(|resource| {
        resource.internal && resource.ok() && resource.kind == ResourceKind::Script
    });
    for script in scripts {
        verdicts.record(script.url.as_str(), evaluate_script(script));
    }
}

fn evaluate_script(script: &ResourceFacts) -> Outcome {
    let text = String::from_utf8_lossy(&script.body);
    let failures = secrets::find(&text).map(|secret| {
        let line = secret.lines_before.saturating_add(1);
        let (what, start) = (secret.what, &secret.start);
        Evidence::line(line, &format!("{start}…"))
            .message(format!(
                "The script contains {what} that starts with {start}."
            ))
            .cause(
                format!("{what} {}", secret.digest),
                format!("A script file contains {what}"),
            )
    });
    Outcome::from_failures(failures.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    #[test]
    fn only_scripts_of_the_site_are_read() {
        let script = format!(
            "HTTP/1.1 200 OK\nContent-Type: text/javascript\n\na;\nb='glpat-{}'",
            "q7RtZ2mVx9LcW4nKb8Yd"
        );
        let site = format!(
            "=== /\n<script src=/a.js></script><script src=https://e.org/b.js></script>\n=== /a.js\n{script}\n=== https://e.org/b.js\n{script}"
        );
        let tallied = audit(&SECRET_IN_SCRIPT, &site);
        assert_eq!((tallied.applicable, tallied.affected), (1, 1));
        assert_eq!(tallied.findings[0].occurrences[0].line, Some(2));
    }

    #[test]
    fn sites_without_scripts_are_not_applicable() {
        assert_eq!(audit(&SECRET_IN_SCRIPT, "=== /\n<p>x").applicable, 0);
    }
}
