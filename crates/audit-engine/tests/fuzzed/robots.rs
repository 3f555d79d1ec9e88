//! robots.txt: any octets can be parsed, and the compiled rules agree with a slow implementation of
//! RFC 9309.
//!
//! An input is a robots.txt and, after the first FF octet, paths, one per line.

use audit_engine::gather::robots::{
    Group, MAX_BYTES, MAX_ISSUES, Robots, RobotsPath, Rule, RuleKind,
};

/// The maximum number of rules and of paths in an input, because the reference implementation is
/// slow.
const MOST: usize = 40;

/// Matches every path for every crawler in the file, twice.
pub(crate) fn check_property(bytes: &[u8]) {
    let (text, paths) = match bytes.iter().position(|byte| *byte == 0xff) {
        Some(at) => bytes.split_at(at),
        None => (bytes, &[][..]),
    };
    let robots = Robots::parse(text);
    assert_eq!(robots, Robots::parse(text), "the same octets say the same");
    assert!(robots.issues().len() <= MAX_ISSUES && robots.unknown_fields().len() <= MAX_ISSUES);
    assert_eq!(robots.is_truncated(), text.len() > MAX_BYTES);
    assert!(robots.content_signals().all(|signal| signal.line > 0));
    let _ = Robots::parse_beginning(text);

    let given = String::from_utf8_lossy(paths);
    let given = given
        .trim_start_matches('\u{fffd}')
        .lines()
        .map(str::to_owned);
    for agent in ["AssayBot", "*", ""]
        .into_iter()
        .chain(robots.agents().take(5))
    {
        let group = robots.group_for(agent);
        assert!(
            group
                .crawl_delay()
                .is_none_or(|delay| delay.is_finite() && delay >= 0.0)
        );
        let like_rules = group.rules().iter().take(MOST).flat_map(|rule| {
            let inner = rule.text.replace('*', "x/y");
            [
                rule.text.clone(),
                inner.trim_end_matches('$').to_owned() + "z",
                inner,
            ]
        });
        let paths: Vec<String> = given.clone().take(MOST).chain(like_rules).collect();
        for path in paths {
            let allowed = robots.is_allowed(agent, &path);
            let prepared = RobotsPath::new(&path);
            assert_eq!(allowed, group.is_allowed(&prepared), "{path:?}");
            assert_eq!(
                allowed,
                reference_verdict(&group, &path),
                "{path:?} of {agent:?}"
            );
        }
    }
}

/// RFC 9309, section 2.2.2, rule by rule and octet by octet.
fn reference_verdict(group: &Group<'_>, path: &str) -> bool {
    let path = if path.starts_with('/') {
        path.to_owned()
    } else {
        format!("/{path}")
    };
    let forms = [false, true].map(|encoded| form(&path, false, encoded));
    if forms[0] == b"/robots.txt" {
        return true;
    }
    let matches = |rule: &&&Rule| {
        let (text, anchored) = match rule.text.strip_suffix('$') {
            Some(text) => (text, true),
            None => (rule.text.as_str(), false),
        };
        [false, true]
            .into_iter()
            .zip(&forms)
            .any(|(encoded, path)| glob(&form(text, true, encoded), path, anchored))
    };
    let best = group.rules().iter().filter(matches);
    best.max_by_key(|rule| (length(&rule.text), rule.kind))
        .is_none_or(|rule| rule.kind == RuleKind::Allow)
}

/// All positions in the path that the pattern can reach, octet by octet of the pattern.
fn glob(pattern: &[u8], path: &[u8], anchored: bool) -> bool {
    let mut places = vec![false; path.len() + 1];
    places[0] = true;
    for octet in pattern {
        if *octet == b'*' {
            let first = places.iter().position(|at| *at).unwrap_or(places.len());
            places[first..].fill(true);
        } else {
            for at in (0..places.len()).rev() {
                places[at] = at > 0 && places[at - 1] && path[at - 1] == *octet;
            }
        }
    }
    if anchored {
        places[path.len()]
    } else {
        places.contains(&true)
    }
}

/// The text in the form in which octets are compared, with query delimiters as written or encoded.
fn form(text: &str, stars: bool, encoded: bool) -> Vec<u8> {
    let mut out = Vec::new();
    let mut query = false;
    for (octet, written) in octets(text) {
        let delimiter = match octet {
            b'/' | b'?' => !(query && encoded),
            b'&' | b'=' | b'+' => true,
            b'*' => stars,
            _ => false,
        };
        if unreserved(octet) || (written && delimiter) {
            out.push(octet);
            query |= octet == b'?';
        } else {
            out.extend(format!("%{octet:02X}").bytes());
        }
    }
    out
}

/// The length that decides which rule is most specific.
fn length(text: &str) -> usize {
    octets(text)
        .into_iter()
        .map(|(octet, written)| {
            if (written && octet < 128) || (!written && unreserved(octet)) {
                1
            } else {
                3
            }
        })
        .sum()
}

/// The octets of a text, and whether each was percent-encoded.
fn octets(text: &str) -> Vec<(u8, bool)> {
    let (mut rest, mut out) = (text.as_bytes(), Vec::new());
    while let Some((first, after)) = rest.split_first() {
        let digits = after
            .get(..2)
            .filter(|two| two.iter().all(u8::is_ascii_hexdigit));
        match digits.and_then(|two| std::str::from_utf8(two).ok()) {
            Some(two) if *first == b'%' => {
                out.push((u8::from_str_radix(two, 16).unwrap(), false));
                rest = &after[2..];
            }
            _ => {
                out.push((*first, true));
                rest = after;
            }
        }
    }
    out
}

fn unreserved(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || b"-._~".contains(&octet)
}
