//! The browser that a `User-Agent` names, in words.

/// What a `User-Agent` holds of a browser. Later browsers name earlier ones too, so the order matters.
const BROWSERS: [(&str, &str); 8] = [
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// What a `User-Agent` holds of a system, in the same way.
const SYSTEMS: [(&str, &str); 7] = [
    ("iPhone", "iOS"),
    ("iPad", "iPadOS"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];

/// The browser and its system: `Firefox on Linux`. Of others the beginning of the text is shown.
pub(super) fn browser(user_agent: &str) -> String {
    let named = |names: &[(&str, &'static str)]| {
        let mut names = names.iter();
        names
            .find(|(part, _)| user_agent.contains(part))
            .map(|(_, name)| *name)
    };
    match (named(&BROWSERS), named(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(browser), None) => browser.to_owned(),
        (None, _) if user_agent.trim().is_empty() => "Unknown browser".to_owned(),
        (None, _) => user_agent.chars().take(60).collect(),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(
        "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
        "Firefox on Linux"
    )]
    #[case(
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0",
        "Edge on Windows"
    )]
    #[case(
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
        "Safari on iOS"
    )]
    #[case(
        "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36",
        "Chrome on Android"
    )]
    #[case("curl/8.5.0", "curl/8.5.0")]
    #[case("", "Unknown browser")]
    fn browsers_are_named(#[case] user_agent: &str, #[case] expected: &str) {
        assert_eq!(browser(user_agent), expected);
    }
}
