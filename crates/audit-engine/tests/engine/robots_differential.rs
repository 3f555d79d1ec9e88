//! Compares the parser and both matchers with a naive implementation of RFC 9309, section 2.2, that
//! shares no code with them, and measures the cost of a URL with many rules.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test panics on unexpected results"
)]

use std::time::{Duration, Instant};

use audit_engine::gather::robots::{Robots, RobotsPath};
use proptest::prelude::*;

/// Parts of patterns and paths: plain, reserved, percent-encoded and non-ASCII.
const PIECES: [&str; 19] = [
    "a", "b", "ab", "ba", "/", "/", "?", "&", "=", "%61", "%62", "%2F", "%2f", "%3F", "é",
    "%C3%A9", "~", "%7E", ".",
];

fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&PIECES[..])
}

/// User agents, and rules: whether they allow, and the pattern.
type NaiveGroup = (Vec<String>, Vec<(bool, String)>);

/// Whether the path may be fetched, by a literal implementation of section 2.2.
fn naive(text: &str, agent: &str, path: &str) -> bool {
    let mut groups: Vec<NaiveGroup> = Vec::new();
    let mut collecting = false;
    for line in text.replace("\r\n", "\n").replace('\r', "\n").split('\n') {
        let line = line.split('#').next().unwrap();
        let Some((field, value)) = line.split_once(':') else {
            continue;
        };
        let value = value.trim().to_owned();
        match field.trim().to_ascii_lowercase().as_str() {
            "user-agent" => {
                if !collecting {
                    groups.push((Vec::new(), Vec::new()));
                    collecting = true;
                }
                groups
                    .last_mut()
                    .unwrap()
                    .0
                    .push(value.to_ascii_lowercase());
            }
            field @ ("allow" | "disallow") => {
                collecting = false;
                if let Some(group) = groups.last_mut()
                    && !value.is_empty()
                {
                    group.1.push((field == "allow", value));
                }
            }
            _ => {}
        }
    }
    let agent = agent.to_ascii_lowercase();
    let named = groups.iter().any(|(agents, _)| agents.contains(&agent));
    let wanted = if named { agent.as_str() } else { "*" };
    let mut best: Option<(usize, bool)> = None;
    for (_, rules) in groups
        .iter()
        .filter(|(agents, _)| agents.iter().any(|agent| agent == wanted))
    {
        for (allow, pattern) in rules {
            let matches = [false, true]
                .iter()
                .any(|query| glob(&same(pattern, *query), &same(path, *query)));
            if matches {
                best = best.max(Some((same(pattern, false).len(), *allow)));
            }
        }
    }
    best.is_none_or(|(_, allow)| allow)
}

/// Normalizes percent-encoding octet by octet.
fn same(text: &str, delimiters_of_the_query: bool) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut in_query = false;
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        let digits = bytes
            .get(at + 1..at + 3)
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match digits {
            Some(octet) if byte == b'%' => {
                if octet.is_ascii_alphanumeric() || b"-._~".contains(&octet) {
                    out.push(octet);
                } else {
                    out.extend(format!("%{octet:02X}").bytes());
                }
                at += 3;
                continue;
            }
            _ if !byte.is_ascii()
                || (delimiters_of_the_query && in_query && b"/?".contains(&byte)) =>
            {
                out.extend(format!("%{byte:02X}").bytes());
            }
            _ => out.push(byte),
        }
        in_query |= byte == b'?';
        at += 1;
    }
    out
}

/// Tries every length for every star.
fn glob(pattern: &[u8], path: &[u8]) -> bool {
    match pattern {
        [] => true,
        [b'$'] => path.is_empty(),
        [b'*', rest @ ..] => (0..=path.len()).any(|skipped| glob(rest, &path[skipped..])),
        [byte, rest @ ..] => path.first() == Some(byte) && glob(rest, &path[1..]),
    }
}

fn pattern() -> impl Strategy<Value = String> {
    let piece = prop_oneof![4 => piece(), 1 => Just("*")];
    let start = prop_oneof![6 => Just("/"), 2 => Just("/*"), 1 => Just("*"), 1 => Just("")];
    (
        start,
        prop::collection::vec(piece, 0..6),
        prop::bool::weighted(0.2),
    )
        .prop_map(|(start, pieces, ends)| {
            format!("{start}{}{}", pieces.concat(), if ends { "$" } else { "" })
        })
}

fn path() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..9).prop_map(|pieces| format!("/{}", pieces.concat()))
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => pattern().prop_map(|pattern| format!("Disallow: {pattern}")),
        5 => pattern().prop_map(|pattern| format!("allow:{pattern} # why")),
        3 => prop::sample::select(vec![
            "User-agent: a",
            "User-agent: b",
            "User-agent: *",
            "Sitemap: https://example.com/s",
            "",
            "# x",
            "x: y",
            "no colon",
        ])
        .prop_map(str::to_owned),
    ]
}

fn file() -> impl Strategy<Value = String> {
    (
        prop::collection::vec(line(), 0..20),
        prop::sample::select(vec!["\n", "\r", "\r\n"]),
    )
        .prop_map(|(lines, end)| format!("User-agent: *{end}{}", lines.join(end)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn parser_and_matchers_agree_with_the_naive_implementation(
        text in file(),
        paths in prop::collection::vec(path(), 1..6),
    ) {
        let robots = Robots::parse(text.as_bytes());
        for agent in ["a", "B", "c"] {
            let rules = robots.rules_for(agent);
            for path in &paths {
                let expected = naive(&text, agent, path);
                prop_assert_eq!(robots.is_allowed(agent, path), expected, "{} {}", agent, path);
                prop_assert_eq!(
                    rules.allows(&RobotsPath::new(path)), expected, "ready: {} {}", agent, path
                );
            }
        }
    }

    #[test]
    fn compiled_rules_give_the_same_verdicts(
        patterns in prop::collection::vec("(/|\\*|)[ab/*?%é:]{0,7}\\$?", 0..24),
        path in "/[ab/?%é:]{0,12}",
    ) {
        let lines: String = patterns
            .iter()
            .enumerate()
            .map(|(number, pattern)| {
                let field = if number % 2 == 0 { "Disallow" } else { "Allow" };
                format!("{field}: {pattern}\n")
            })
            .collect();
        let robots = Robots::parse(format!("User-agent: *\n{lines}").as_bytes());
        prop_assert_eq!(
            robots.rules_for("a").allows(&RobotsPath::new(&path)),
            robots.is_allowed("a", &path)
        );
    }
}

/// The total time for three hundred URLs.
fn three_hundred_urls(lines: &str) -> Duration {
    let robots = Robots::parse(format!("User-agent: *\n{lines}").as_bytes());
    let rules = robots.rules_for("a");
    let paths: Vec<String> = (0..300)
        .map(|number| {
            format!(
                "/shop/category-{number}/item-{}.html?page={number}",
                number * 7
            )
        })
        .collect();
    let begin = Instant::now();
    for path in &paths {
        assert!(rules.allows(&RobotsPath::new(path)));
    }
    begin.elapsed()
}

#[test]
fn thousands_of_rules_cost_little_more_than_a_few() {
    let few = three_hundred_urls("Disallow: /private\nDisallow: /*?sort=\n");
    let many = |line: &dyn Fn(usize) -> String| (0..4_000).map(line).collect::<String>();
    for lines in [
        many(&|n| format!("Disallow: /*token{n}x*end\n")),
        many(&|n| format!("Disallow: /private/{n}/\n")),
        many(&|n| format!("Disallow: /*/private-{n}$\n")),
        many(&|n| format!("Disallow: *?p{n}=\n")),
    ] {
        let many = three_hundred_urls(&lines);
        // Trying each rule would take seconds. In an optimized build, a URL takes two or three
        // microseconds.
        let bound = Duration::from_millis(200).max(few * 20);
        assert!(many < bound, "{few:?} {many:?}: {:?}", lines.lines().next());
    }
}
