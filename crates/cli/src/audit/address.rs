//! What is wrong with a typed address, in words that say what to type instead.

use domain::target::complete_url;
use report::plain::plain;
use url::{Host, Url};

/// Characters of a typed address that a message repeats.
const SHOWN: usize = 100;

/// Why a typed text is not the address of a site, and what to type instead; `None` if the engine can say more.
/// `credentials` says where a user name and a password go. A password is never repeated.
pub(crate) fn problem(text: &str, credentials: &str) -> Option<String> {
    let text = text.trim();
    let url = complete_url(text);
    let is_web = |url: &Url| matches!(url.scheme(), "http" | "https");
    let parsed = Url::parse(&url).ok().filter(is_web);
    let in_address = "The address contains a user name or a password.";
    if let Some(url) = parsed {
        let has_user_info = !url.username().is_empty() || url.password().is_some();
        return has_user_info.then(|| format!("{in_address} {credentials}"));
    }
    let (scheme, rest) = match text.split_once("://") {
        Some((scheme, rest)) => (Some(scheme), rest),
        None => (None, text.strip_prefix("//").unwrap_or(text)),
    };
    // A password may contain any character, so nothing of such a text is shown.
    if rest.contains('@') {
        return Some(format!("{in_address} {credentials}"));
    }
    if scheme.is_some() {
        return None;
    }
    let local = Url::parse(&format!("http://{rest}")).ok();
    let local = local.filter(|url| matches!(url.host(), Some(Host::Domain(_))));
    let starts_with_host = !rest.starts_with(['/', '\\', '?', '#', '.']);
    Some(match local {
        Some(local) if starts_with_host => {
            let host = rest.split(['/', '\\', '?', '#', ':']).next();
            format!(
                "The host “{}” has no dot. Type an address like example.com, or {} if a name of the local network is meant.",
                shown(host.unwrap_or_default()),
                shown(local.as_str())
            )
        }
        _ => format!(
            "“{}” is not the address of a site. Type one like example.com or https://example.com/shop.",
            shown(text)
        ),
    })
}

fn shown(text: &str) -> String {
    let line = plain(text);
    match line.char_indices().nth(SHOWN) {
        None => line,
        Some(_) => line.chars().take(SHOWN).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const CREDENTIALS: &str = "Pass them apart.";

    #[rstest]
    #[case("example", "The host “example” has no dot.")]
    #[case("example", "or http://example/ if")]
    #[case(" intranet:8080/a?b ", "or http://intranet:8080/a?b if")]
    #[case("//build/x", "The host “build” has no dot.")]
    #[case("5", "“5” is not the address of a site.")]
    #[case("", "“” is not the address of a site.")]
    #[case("/etc/passwd", "“/etc/passwd” is not the address of a site.")]
    #[case("two words", "“two words” is not the address of a site.")]
    #[case("a\u{1b}[2J", "“a\\u{1b}[2J” is not")]
    fn a_text_that_is_no_address_is_answered_with_one(#[case] text: &str, #[case] expected: &str) {
        let problem = problem(text, CREDENTIALS).unwrap();
        assert!(problem.contains(expected), "{problem}");
    }

    #[rstest]
    #[case("ada:s3cret@127.0.0.1:18105")]
    #[case("ada:s3/cret@example.com")]
    #[case("ada@example")]
    #[case("http://ada:s3cret@example.com/")]
    #[case("https://ada:s3/cret@example.com/")]
    #[case("ftp://ada:s3cret@example.com/")]
    fn a_password_is_not_repeated(#[case] text: &str) {
        let problem = problem(text, CREDENTIALS).unwrap();
        assert_eq!(
            problem,
            "The address contains a user name or a password. Pass them apart."
        );
    }

    #[rstest]
    #[case("example.com")]
    #[case("example.com/@ada")]
    #[case("localhost:3000")]
    #[case("http://example/")]
    #[case("http://127.0.0.1:18105/")]
    #[case("ftp://example.com/")]
    #[case("https://")]
    fn other_texts_are_left_to_the_engine(#[case] text: &str) {
        assert_eq!(problem(text, CREDENTIALS), None);
    }

    #[test]
    fn a_long_text_is_cut() {
        let problem = problem(&"a ".repeat(SHOWN), CREDENTIALS).unwrap();
        assert!(
            problem.contains('…') && problem.chars().count() < 2 * SHOWN + 20,
            "{problem}"
        );
    }
}
