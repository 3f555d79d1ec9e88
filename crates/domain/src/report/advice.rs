//! Advice with the values of a site.

/// The advice of a check, in which the origin of the site replaces that of the examples, `https://example.com`, and its
/// host that of `security@example.com`.
///
/// Text without an example is unchanged, and so is every text if `site` is no web address of letters, digits, dots,
/// hyphens and colons.
#[must_use]
pub fn advice_for(advice: &str, site: &str) -> String {
    let Some((origin, host)) = origin(site) else {
        return advice.to_owned();
    };
    let name = host.split(':').next().unwrap_or(host);
    let name = name.strip_prefix("www.").unwrap_or(name);
    advice
        .replace("https://example.com", origin)
        .replace("security@example.com", &format!("security@{name}"))
}

/// The origin of a web address without a trailing slash, and its host with the port.
fn origin(url: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next()?;
    let is_plain = !host.is_empty()
        && host.len() <= 260
        && host
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b':'));
    let origin = url.get(..scheme.len() + "://".len() + host.len())?;
    (is_plain && matches!(scheme, "http" | "https")).then_some((origin, host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_get_the_origin_of_the_site() {
        let advice =
            "List it: `Sitemap: https://example.com/sitemap.xml`, or ask security@example.com.";
        assert_eq!(
            advice_for(advice, "https://www.ferries.example:8443/times?x"),
            "List it: `Sitemap: https://www.ferries.example:8443/sitemap.xml`, or ask security@ferries.example."
        );
    }

    #[test]
    fn other_addresses_change_nothing() {
        for site in [
            "",
            "ftp://a.example/",
            "https://a`b.example/",
            "https://a@b.example/",
            "https:///x",
        ] {
            let advice = "`https://example.com/`";
            assert_eq!(advice_for(advice, site), advice, "{site}");
        }
    }
}
