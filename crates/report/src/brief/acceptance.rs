//! Verification commands and acceptance criteria.

use domain::SubjectKind;
use domain::action::{Dossier, ObservationMode};
use domain::run::Mode;

use super::{Draft, check_id};
use crate::wording::browser;

/// The explanation of the commands of [`write_verification`].
pub(crate) const VERIFICATION: &str = "The first command is for your local server during development: \
     replace `http://localhost:3000/` with the URL of your server, and `localhost:3000` with its host and port; \
     `--allow-target` allows loopback. The second is for the published site. \
     Each exits with 1 if the problem is found, and with 2 or 3 if the audit did not run. An exit code of 0 is not \
     enough: read the output. It says `passed` if the problem is fixed. `cannot tell`, `not run`, `failed to run` and \
     `partially evaluated` mean that something was not checked. `not applicable` means that there is nothing to check: the \
     site has no such elements or files, or the check is about what only a published site has, such as HTTPS. \
     The next audit of the site that covers the same pages closes the action item automatically.";

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
    let flags = browser_flags(dossier);
    let gate = format!("--check {check} --fail-on {}{flags}", audit.severity);
    let browser = match flags.is_empty() {
        true => "",
        false => ", with Chromium, like the audit",
    };
    let site = dossier.site_url.as_deref().and_then(plain_url);
    draft.commands(&[
        format!("# your local server{browser}"),
        format!("assay audit http://localhost:3000/ --allow-target localhost:3000 {gate}"),
        format!("# the published site{browser}"),
        format!(
            "assay audit {} {}{gate}",
            site.unwrap_or("URL"),
            local_target(site)
        ),
    ]);
}

/// The flags with which a command looks at pages like the audit that found the item; empty for an audit without a browser.
///
/// The mode is that of the audit, because each of the two modes with a browser passes what the other one finds: a page
/// outside of a sample is checked as served, without what its scripts add.
fn browser_flags(dossier: &Dossier) -> String {
    let Some(ObservationMode::Rendered(device)) = dossier.found else {
        return String::new();
    };
    let mode = match dossier.mode {
        Some(Mode::Rendered) => Mode::Rendered,
        _ => Mode::Auto,
    };
    browser::flags(mode, device)
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
                "The commands of “How to verify” find nothing for `{check}`, and have checked it."
            ));
            draft.task(match of_pages(dossier) {
                true => {
                    "The cause is fixed at its source, so pages that are not listed are fixed too."
                }
                false => "The cause is fixed at its source.",
            });
            draft.task(
                "The finding is fixed, not hidden: nothing was removed or disabled to suppress \
                 it.",
            );
        }
        None => draft.task("The item is implemented, and you can demonstrate it."),
    }
    draft.task(
        "Nothing else changes for visitors, and the tests of the project pass, if it has any.",
    );
}

fn of_pages(dossier: &Dossier) -> bool {
    (dossier.issue.as_ref()).is_some_and(|issue| issue.subject == SubjectKind::Page)
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
    use domain::run::Device;
    use rstest::rstest;

    use super::*;
    use crate::brief::sample;

    const PHONE: Option<ObservationMode> = Some(ObservationMode::Rendered(Device::Mobile));
    const COMPUTER: Option<ObservationMode> = Some(ObservationMode::Rendered(Device::Desktop));

    #[rstest]
    #[case::no_browser(Some(ObservationMode::Static), Some(Mode::Static), "")]
    #[case::all_pages(PHONE, Some(Mode::Rendered), " --mode rendered")]
    #[case::sample(PHONE, Some(Mode::Auto), " --mode auto")]
    #[case::computer(COMPUTER, Some(Mode::Auto), " --mode auto --device desktop")]
    #[case::report_is_gone(PHONE, None, " --mode auto")]
    #[case::found_before_in_a_browser(PHONE, Some(Mode::Static), " --mode auto")]
    fn the_commands_look_at_pages_like_the_audit(
        #[case] found: Option<ObservationMode>,
        #[case] mode: Option<Mode>,
        #[case] flags: &str,
    ) {
        let (mut dossier, _) = sample::image_alt();
        dossier.found = found;
        dossier.mode = mode;
        let mut draft = Draft::default();
        write_verification(&mut draft, &dossier);
        let text = draft.finish();
        let end = format!(" --check image-alt --fail-on critical{flags}\n");
        assert_eq!(text.matches(&end).count(), 2, "{text}");
        assert_eq!(text.contains("with Chromium"), !flags.is_empty(), "{text}");
    }

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
