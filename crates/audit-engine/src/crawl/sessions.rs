//! Session identifiers in URLs.

use url::Url;

/// Parameter names that servers and frameworks use for session identifiers in URLs.
const NAMES: [&str; 10] = [
    "cfid",
    "cftoken",
    "jsessionid",
    "oscsid",
    "phpsessid",
    "sessid",
    "session_id",
    "sessionid",
    "sid",
    "zenid",
];

/// The length of the shortest identifier in characters. Shorter values may have another meaning.
const MIN_IDENTIFIER_CHARS: usize = 16;

/// The URL as text without the session identifiers in its path and query; none if it has none.
pub(super) fn without(url: &Url) -> Option<String> {
    let (path, query) = (url.path(), url.query().unwrap_or_default());
    let in_path = path.split(';').skip(1).any(is_session);
    let in_query = query.split('&').any(is_session);
    if !in_path && !in_query {
        return None;
    }
    let rest = |text: &str, separator: char| -> String {
        text.split(separator)
            .map(|part| match part.find('/') {
                _ if !is_session(part) => part,
                Some(slash) => part.get(slash..).unwrap_or_default(),
                None => "",
            })
            .fold(String::new(), |mut rest, part| {
                rest.push(separator);
                rest.push_str(part);
                rest
            })
    };
    Some(format!("{}?{}", rest(path, ';'), rest(query, '&')))
}

/// Whether a parameter is a session identifier: it has one of the names, and a value with the length and the
/// characters of an identifier. Search terms have neither.
fn is_session(parameter: &str) -> bool {
    let Some((name, value)) = parameter.split_once('=') else {
        return false;
    };
    // The path may continue after its parameters.
    let value = value.split('/').next().unwrap_or_default();
    // Application servers append the name of the node that holds the session: `.node1`, `!-1234`.
    let value = value.split(['.', '!']).next().unwrap_or_default();
    value.len() >= MIN_IDENTIFIER_CHARS
        && value
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b','))
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && (NAMES.iter().any(|known| known.eq_ignore_ascii_case(name))
            || name
                .get(..12)
                .is_some_and(|start| start.eq_ignore_ascii_case("aspsessionid")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(a: &str, b: &str) -> bool {
        let bare = |text: &str| without(&Url::parse("https://e.com").unwrap().join(text).unwrap());
        bare(a).is_some() && bare(a) == bare(b)
    }

    #[test]
    fn session_identifiers_in_path_and_query_are_removed() {
        assert!(same(
            "/a?PHPSESSID=0123456789abcdef0&b=1",
            "/a?PHPSESSID=fedcba98765432100&b=1"
        ));
        assert!(same(
            "/a;jsessionid=0123456789ABCDEF",
            "/a;jsessionid=ABCDEF0123456789"
        ));
        assert!(same(
            "/a;jsessionid=0123456789ABCDEF.node1",
            "/a;jsessionid=ABCDEF0123456789.node2"
        ));
        assert!(!same(
            "/a?sid=0123456789abcdef0&b=1",
            "/a?sid=0123456789abcdef0&b=2"
        ));
    }

    #[test]
    fn short_values_and_other_names_are_no_session_identifiers() {
        for path in [
            "/a",
            "/a?sid=7",
            "/a?id=0123456789abcdef0",
            "/a?sid=abcdefghijklmnopqrst",
            "/?s=samsung+galaxy+s24+ultra",
            "/?s=0123456789abcdef0",
            "/?sid=samsung+galaxy+s24+ultra",
            "/?sid=samsung%20galaxy%20s24%20ultra",
        ] {
            let url = Url::parse("https://e.com").unwrap().join(path).unwrap();
            assert_eq!(without(&url), None, "{path}");
        }
    }
}
