//! Verification commands and acceptance criteria.

use domain::action::Dossier;

use super::{Draft, check_id};

/// The explanation of the commands of [`write_verification`].
pub(crate) const VERIFICATION: &str = "The first command is for your local server during development: \
     replace `http://localhost:3000/` with the URL of your server, and `localhost:3000` with its host and port; \
     `--allow-target` allows loopback. The second is for the published site. \
     Each exits with 1 if the problem is found and with 0 if not. Also read the output: \
     a check that does not apply there (HTTPS on loopback, for example) or has no result \
     also exits with 0. The next audit of the site that covers the same pages closes the action item \
     automatically.";

/// The verification commands for a local server and for the published site.
pub(crate) fn write_verification(draft: &mut Draft, dossier: &Dossier) {
    let (Some(check), Some(audit)) = (check_id(dossier), &dossier.item.audit) else {
        draft.paragraph(
            "This item has no check. Report how you verified the change: what you tested, and \
             the result before and after.",
        );
        return;
    };
    // All findings of the check have its severity or a worse one.
    let gate = format!("--check {check} --fail-on {}", audit.severity);
    let site = dossier.site_url.as_deref().and_then(plain_url);
    draft.commands(&[
        "# your local server".to_owned(),
        format!("assay audit http://localhost:3000/ --allow-target localhost:3000 {gate}"),
        "# the published site".to_owned(),
        format!(
            "assay audit {} {}{gate}",
            site.unwrap_or("URL"),
            local_target(site)
        ),
    ]);
}

/// The flag without which a site on this machine is not audited; empty for other sites.
fn local_target(site: Option<&str>) -> String {
    let host = site
        .and_then(|site| site.split_once("://"))
        .map(|(_, rest)| rest.trim_end_matches('/'));
    let is_local = |host: &&str| host.starts_with("127.") || host.starts_with("localhost");
    host.filter(is_local)
        .map_or_else(String::new, |host| format!("--allow-target {host} "))
}

/// The acceptance criteria.
pub(crate) fn write_acceptance(draft: &mut Draft, dossier: &Dossier) {
    match check_id(dossier) {
        Some(check) => {
            draft.task(&format!(
                "The commands of “How to verify” report nothing for `{check}`."
            ));
            draft.task(
                "The cause is fixed at its source, so pages that are not listed are fixed too.",
            );
            draft.task(
                "The finding is fixed, not hidden: nothing was removed or disabled to suppress \
                 it.",
            );
        }
        None => draft.task("The item is implemented, and you can demonstrate it."),
    }
    draft.task("Nothing else changes for visitors, and the project's tests pass.");
}

/// The address of a site, if nothing in it means anything to a shell or in Markdown.
fn plain_url(url: &str) -> Option<&str> {
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"))?;
    let host = rest.strip_suffix('/').unwrap_or(rest);
    let is_plain = !host.is_empty()
        && host.len() <= 260
        && host
            .bytes()
            .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b':'));
    is_plain.then_some(url)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("https://example.com/", true)]
    #[case("http://127.0.0.1:8000/", true)]
    #[case::path("https://example.com/a", false)]
    #[case::user("https://a@example.com/", false)]
    #[case::shell("https://example.com;id/", false)]
    #[case::substitution("https://$(id)/", false)]
    #[case::quote("https://a'b/", false)]
    #[case::script("javascript:alert(1)", false)]
    #[case::empty("https:///", false)]
    fn only_plain_addresses_come_into_commands(#[case] url: &str, #[case] plain: bool) {
        assert_eq!(plain_url(url).is_some(), plain);
    }
}
