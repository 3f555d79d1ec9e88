//! How to know that an item is done.

use domain::action::Dossier;

use super::{Draft, check_id};

/// What the commands of [`write_verification`] say.
pub(crate) const VERIFICATION: &str = "The first command is for a server of your own, while you work: \
     put in its address; `--allow-target` permits loopback. The second is for the published site. \
     Either exits with 1 while the problem is found and with 0 when it is not. Read the output as \
     well: a check that does not apply there (HTTPS on loopback, for example) or has no verdict \
     fails nothing. The next audit of the site that looks at the same pages closes the action item \
     by itself.";

/// The commands that tell, on a server of the reader's own and on the site.
pub(crate) fn write_verification(draft: &mut Draft, dossier: &Dossier) {
    let (Some(check), Some(audit)) = (check_id(dossier), &dossier.item.audit) else {
        draft.paragraph(
            "No check goes with this item. Say how you verified the change: what you looked at, and \
             what you saw before and after.",
        );
        return;
    };
    // Everything the check finds has its severity or a worse one.
    let gate = format!("--check {check} --fail-on {}", audit.severity);
    let site = dossier.site_url.as_deref().and_then(plain_url);
    draft.commands(&[
        "# a server of your own".to_owned(),
        format!("assay audit http://localhost:3000/ --allow-target localhost:3000 {gate}"),
        "# the published site".to_owned(),
        format!("assay audit {} {gate}", site.unwrap_or("URL")),
    ]);
}

/// What must hold at the end.
pub(crate) fn write_acceptance(draft: &mut Draft, dossier: &Dossier) {
    match check_id(dossier) {
        Some(check) => {
            draft.task(&format!(
                "The commands of “How to verify” report nothing for `{check}`."
            ));
            draft.task("The cause is fixed at its source, so pages that are not listed are, too.");
            draft.task(
                "The finding is fixed, not hidden: nothing was removed or switched off to silence \
                 it.",
            );
        }
        None => draft.task("What the item asks for is there, and you can show it."),
    }
    draft
        .task("What visitors see and can do is otherwise as before, and the project's tests pass.");
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
