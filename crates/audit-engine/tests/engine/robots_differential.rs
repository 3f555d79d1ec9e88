//! Compares the parser and both matchers with a naive implementation of RFC 9309, section 2.2, that
//! shares no code with them, and Googlebot's rules with a second reading of Google's published parser. Measures
//! the cost of a URL with many rules. `PROPTEST_CASES=200000` compares that many files with Googlebot's rules.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test panics on unexpected results"
)]

use std::time::{Duration, Instant};

use audit_engine::gather::robots::{Robots, RobotsPath, RobotsRules};
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
        let blanks: &[char] = &[' ', '\t'];
        let line = line.split('#').next().unwrap();
        let Some((field, value)) = line.split_once(':') else {
            continue;
        };
        let value = value.trim_matches(blanks).to_owned();
        match field.trim_matches(blanks).to_ascii_lowercase().as_str() {
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

/// Whether Googlebot may fetch the path, by the documented steps of Google's parser over Latin-1 characters.
fn naive_googlebot(bytes: &[u8], path: &str) -> bool {
    let mut text: Vec<u8> = bytes.to_vec();
    for mark in *b"\xEF\xBB\xBF" {
        if text.first() == Some(&mark) {
            text.remove(0);
        } else {
            break;
        }
    }
    let text: String = text.into_iter().map(char::from).collect();
    let (mut specific, mut global) = (false, false);
    let mut ever_specific = false;
    let mut after_rule = false;
    // The longest match of: allow specific, disallow specific, allow global, disallow global.
    let mut longest = [0; 4];
    for line in text.replace("\r\n", "\n").replace('\r', "\n").split('\n') {
        let line: String = line.chars().take(16_663).collect();
        let line = line.split(['#', '\0']).next().unwrap();
        let line = google_trim(line);
        let words: Vec<&str> = line
            .split([' ', '\t'])
            .filter(|word| !word.is_empty())
            .collect();
        let (field, value) = match line.split_once(':') {
            Some((field, value)) => (google_trim(field), google_trim(value)),
            None if words.len() == 2 => (google_trim(words[0]), google_trim(words[1])),
            None => continue,
        };
        let field = field.to_ascii_lowercase();
        let begins = |names: &str| names.split(',').any(|name| field.starts_with(name));
        if begins("user-agent,useragent,user agent") {
            if after_rule {
                (specific, global, after_rule) = (false, false, false);
            }
            let mut letters = value.chars();
            if letters.next() == Some('*')
                && letters.next().is_none_or(|c| " \t\u{b}\u{c}".contains(c))
            {
                global = true;
            } else {
                let end = value.find(|c: char| !c.is_ascii_alphabetic() && c != '-' && c != '_');
                let (token, _) = value.split_at(end.unwrap_or(value.len()));
                if token.eq_ignore_ascii_case("googlebot") {
                    specific = true;
                    ever_specific = true;
                }
            }
            continue;
        }
        let allow = begins("allow");
        let disallow = begins("disallow,dissallow,dissalow,disalow,diasllow,disallaw");
        if !(allow || disallow) || !(specific || global) {
            continue;
        }
        after_rule = true;
        let mut candidates = vec![google_escapes(value)];
        if allow
            && let Some((folder, page)) = value.rsplit_once('/')
            && page.starts_with("index.htm")
        {
            candidates.push(google_escapes(&format!("{folder}/$")));
        }
        for pattern in candidates {
            if glob(pattern.as_bytes(), google_escapes(path).as_bytes()) {
                let slot = usize::from(!allow) + if specific { 0 } else { 2 };
                longest[slot] = longest[slot].max(pattern.len());
            }
        }
    }
    let [
        allow_specific,
        disallow_specific,
        allow_global,
        disallow_global,
    ] = longest;
    if allow_specific > 0 || disallow_specific > 0 {
        disallow_specific <= allow_specific
    } else {
        ever_specific || disallow_global <= allow_global
    }
}

fn google_trim(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\u{b}', '\u{c}'])
}

/// Latin-1 characters beyond ASCII become escapes; the digits of escapes become upper case.
fn google_escapes(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::new();
    let mut upper = 0;
    for (at, c) in chars.iter().enumerate() {
        let hex = |at: usize| chars.get(at).is_some_and(char::is_ascii_hexdigit);
        if upper > 0 {
            upper -= 1;
            out.push(c.to_ascii_uppercase());
        } else if *c == '%' && hex(at + 1) && hex(at + 2) {
            upper = 2;
            out.push('%');
        } else if c.is_ascii() {
            out.push(*c);
        } else {
            out.push_str(&format!("%{:02X}", u32::from(*c)));
        }
    }
    out
}

/// Lines as people write them, with the mistakes that Google forgives and some that it does not.
fn lenient_line() -> impl Strategy<Value = Vec<u8>> {
    let field = prop::sample::select(vec![
        "User-agent",
        "user agent",
        "UserAgent",
        "User-agents",
        "useragent x",
        "Disallow",
        "disalow",
        "Dissallow",
        "dissalow",
        "diasllow",
        "disallaw",
        "Disalllow",
        "disallowed",
        "Allow",
        "allowed",
        "alow",
        "Sitemap",
        "site-map",
        "Crawl-delay",
        "x",
        "",
    ]);
    let separator = prop::sample::select(vec![
        ":", ": ", " : ", " ", "\t", "  \t", "", ":\u{b}", ":\0", "::", " #", ":\u{a0}",
    ]);
    let value = prop_oneof![
        4 => pattern(),
        2 => prop::sample::select(vec![
            "*", "* all", "*\tx", "*x", "Googlebot", "googlebot/2.1", "Googlebot-Image", "GOOGLEBOT x",
            "googlebot2", "/a/index.html", "/index.htm", "/a/index.html?b", "/index.htm*", "/index.html$",
            "", "$", "/a b", "/%c3%a9", "/*$",
        ]).prop_map(str::to_owned),
    ];
    let end = prop::sample::select(vec![
        "", " ", "\t", " # why", "#x", "\u{c}", "\0/b", "\u{feff}",
    ]);
    let latin = prop::bool::weighted(0.1);
    (field, separator, value, end, latin).prop_map(|(field, separator, value, end, latin)| {
        let mut line = format!("{field}{separator}{value}{end}").into_bytes();
        if latin {
            line.push(0xE9);
        }
        line
    })
}

fn lenient_file() -> impl Strategy<Value = Vec<u8>> {
    (
        prop::sample::select(vec![
            &b""[..],
            b"\xEF\xBB\xBF",
            b"\xEF\xBB",
            b"\xEF",
            b"\xBB",
        ]),
        prop::sample::select(vec![
            "User-agent: *",
            "User-agent: Googlebot",
            "User-agent *",
            "",
            "x",
        ]),
        prop::collection::vec(lenient_line(), 0..16),
        prop::sample::select(vec![&b"\n"[..], b"\r", b"\r\n", b"\n\n"]),
    )
        .prop_map(|(mark, first, lines, end)| {
            let mut file = [mark, first.as_bytes(), end].concat();
            file.extend(lines.join(end));
            file
        })
}

proptest! {
    #![proptest_config(ProptestConfig::default())]

    #[test]
    fn googlebots_rules_agree_with_a_second_reading_of_googles_parser(
        file in lenient_file(),
        paths in prop::collection::vec(
            prop_oneof![
                3 => path(),
                1 => prop::sample::select(vec!["/", "/a/", "/a/index.html", "/index.htm", "/%C3%A9"])
                    .prop_map(str::to_owned),
            ],
            1..4,
        ),
    ) {
        let robots = Robots::parse(&file);
        let group = robots.googlebot().group();
        let rules = RobotsRules::of_group(&group);
        for path in &paths {
            // A crawler requests escaped paths.
            let path = google_escapes(&path.bytes().map(char::from).collect::<String>());
            let expected = naive_googlebot(&file, &path);
            let prepared = RobotsPath::for_googlebot(&path);
            prop_assert_eq!(group.is_allowed(&prepared), expected, "{}", path);
            prop_assert_eq!(rules.allows(&prepared), expected, "ready: {}", path);
        }
    }
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
