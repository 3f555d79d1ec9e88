use proptest::prelude::*;
use rstest::rstest;

use super::*;

fn matches(pattern: &str, path: &str) -> bool {
    Pattern::new(pattern).matches(&RobotsPath::new(path))
}

#[rstest]
// The table of examples in Google's documentation of its robots.txt interpretation.
#[case("/", &["/", "/fish", "/a?b"], &[])]
#[case("/*", &["/", "/fish", "/a?b"], &[])]
#[case("/$", &["/"], &["/fish", "/?a"])]
#[case(
    "/fish",
    &["/fish", "/fish.html", "/fish/salmon.html", "/fishheads", "/fishheads/yummy.html", "/fish.php?id=anything"],
    &["/Fish.asp", "/catfish", "/?id=fish", "/desert/fish"]
)]
#[case(
    "/fish*",
    &["/fish", "/fish.html", "/fish/salmon.html", "/fishheads", "/fishheads/yummy.html", "/fish.php?id=anything"],
    &["/Fish.asp", "/catfish", "/?id=fish", "/desert/fish"]
)]
#[case(
    "/fish/",
    &["/fish/", "/fish/?id=anything", "/fish/salmon.htm"],
    &["/fish", "/fish.html", "/animals/fish/", "/Fish/Salmon.asp"]
)]
#[case(
    "/*.php",
    &["/index.php", "/filename.php", "/folder/filename.php", "/folder/filename.php?parameters", "/folder/any.php.file.html", "/filename.php/"],
    &["/", "/windows.PHP"]
)]
#[case(
    "/*.php$",
    &["/filename.php", "/folder/filename.php"],
    &["/filename.php?parameters", "/filename.php/", "/filename.php5", "/windows.PHP"]
)]
#[case(
    "/fish*.php",
    &["/fish.php", "/fishheads/catfish.php?parameters"],
    &["/Fish.PHP"]
)]
// Stars and dollars at every place.
#[case("*", &["/", "/a"], &[])]
#[case("*.gif$", &["/a.gif", "/x/a.gif"], &["/a.gif?x", "/a.gifs"])]
#[case("/**/a", &["/x/a", "//a"], &["/a"])]
#[case("/a*$", &["/a", "/ab"], &["/b"])]
#[case("/a$b", &["/a$b", "/a$bc"], &["/a", "/ab"])]
#[case("/a$$", &["/a$"], &["/a", "/a$$"])]
#[case("/a*b*c", &["/abc", "/aXbYcZ"], &["/acb"])]
#[case("/a*b$", &["/ab", "/abb", "/abab"], &["/aba"])]
#[case("/ab*bc$", &["/abbc", "/abXbc"], &["/abc"])]
#[case("/*/b", &["/a/b", "/a?u=/b", "/a/?x=c/b"], &["/b"])]
#[case("/?", &["/?a"], &["/", "/a?"])]
#[case("/*?", &["/?a", "/x?a"], &["/", "/a"])]
// These match nothing, because a path starts with a slash.
#[case("fish", &[], &["/fish", "/", "/x/fish"])]
#[case("$", &[], &["/", ""])]
#[case("https://example.com/", &[], &["/", "/https://example.com/"])]
fn a_pattern_matches(#[case] pattern: &str, #[case] yes: &[&str], #[case] no: &[&str]) {
    for path in yes {
        assert!(matches(pattern, path), "{pattern} must match {path}");
    }
    for path in no {
        assert!(!matches(pattern, path), "{pattern} must not match {path}");
    }
}

#[rstest]
// The table of RFC 9309, section 2.2.2.
#[case("/foo/bar?baz=quz", "/foo/bar?baz=quz")]
#[case("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https://foo.bar")]
#[case("/foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar")]
#[case("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar")]
#[case("/foo/bar/ツ", "/foo/bar/%E3%83%84")]
#[case("/foo/bar/%E3%83%84", "/foo/bar/ツ")]
#[case("/foo/bar/%e3%83%84", "/foo/bar/%E3%83%84")]
#[case("/foo/bar/%62%61%7A", "/foo/bar/baz")]
#[case("/foo/bar/baz", "/foo/bar/%62%61%7A")]
// The table of section 2.2.3.
#[case("/path/file-with-a-%2A.html$", "/path/file-with-a-*.html")]
#[case("/path/foo-%24$", "/path/foo-$")]
// Reserved characters that delimit nothing here.
#[case("/a:b@c", "/a%3Ab%40c")]
#[case("/a%5B1%5D", "/a[1]")]
#[case("/a%20b", "/a b")]
#[case("/a%", "/a%")]
#[case("/a%zz", "/a%zz")]
#[case("/%7Ejoe/", "/~joe/")]
fn encodings_of_one_octet_are_equal(#[case] pattern: &str, #[case] path: &str) {
    assert!(matches(pattern, path));
}

#[rstest]
#[case("/a/b", "/a%2Fb")]
#[case("/a%2Fb", "/a/b")]
#[case("/a%3Fb", "/a?b")]
#[case("/a?b", "/a%3Fb")]
#[case("/?a%26b", "/?a&b")]
#[case("/?a%3Db", "/?a=b")]
#[case("/?a%2Bb", "/?a+b")]
#[case("/file-%2A", "/file-a")]
#[case("/a%00", "/a")]
fn an_encoded_delimiter_is_another_octet(#[case] pattern: &str, #[case] path: &str) {
    assert!(!matches(pattern, path));
}

#[rstest]
#[case("/", 1)]
#[case("/fish*", 6)]
#[case("/a$", 3)]
#[case("/ツ", 10)]
#[case("/%E3%83%84", 10)]
#[case("/%61", 2)]
#[case("/a:b", 4)]
#[case("", 0)]
fn specificity_counts_octets(#[case] pattern: &str, #[case] octets: usize) {
    assert_eq!(Pattern::new(pattern).octets(), octets);
}

#[rstest]
#[case("", "/")]
#[case("?a", "/?a")]
#[case("a", "/a")]
fn a_path_starts_with_a_slash(#[case] text: &str, #[case] same: &str) {
    assert_eq!(RobotsPath::new(text), RobotsPath::new(same));
}

#[test]
fn the_path_and_query_of_a_url_are_used() {
    let url = Url::parse("https://example.com:8443/a%62?c=d#e").unwrap();
    assert_eq!(RobotsPath::from(&url), RobotsPath::new("/ab?c=d"));
}

#[test]
fn hostile_patterns_match_in_linear_time() {
    let pattern = Pattern::new(&format!("/{}b$", "*a".repeat(8_000)));
    let path = RobotsPath::new(&format!("/{}", "a".repeat(100_000)));
    let started = std::time::Instant::now();
    assert!(!pattern.matches(&path));
    let repetitive = Pattern::new(&format!("/*{}b", "a".repeat(16_000)));
    assert!(!repetitive.matches(&path));
    assert!(started.elapsed().as_secs() < 2);
}

/// A reference implementation of patterns that fills a table position by position.
fn reference(pattern: &[u8], path: &[u8]) -> bool {
    let (pattern, anchored) = match pattern {
        [rest @ .., b'$'] => (rest, true),
        _ => (pattern, false),
    };
    let mut reached = vec![false; path.len() + 1];
    reached[0] = true;
    for byte in pattern {
        let mut next = vec![false; path.len() + 1];
        for at in 0..=path.len() {
            if *byte == b'*' {
                next[at] = reached[..=at].contains(&true);
            } else if at > 0 {
                next[at] = reached[at - 1] && path[at - 1] == *byte;
            }
        }
        reached = next;
    }
    if anchored {
        reached[path.len()]
    } else {
        reached.contains(&true)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn the_matcher_equals_the_reference(
        pattern in "[ab/*]{0,10}\\$?",
        path in "/[ab/]{0,14}",
    ) {
        prop_assert_eq!(
            matches(&pattern, &path),
            reference(pattern.as_bytes(), path.as_bytes()),
            "{} {}", pattern, path
        );
    }

    #[test]
    fn patterns_match_as_the_reference_does(pattern in "\\PC{0,40}", path in "\\PC{0,40}") {
        matches(&pattern, &path);
    }

    #[test]
    fn a_path_matches_itself(path in "/[^*$]{0,30}") {
        prop_assert!(matches(&path, &path));
        let exactly = format!("{path}$");
        prop_assert!(matches(&exactly, &path));
    }

    #[test]
    fn percent_encoding_a_character_changes_nothing(before in "/[a-z]{0,5}", c in "[a-zA-Z0-9~._-]") {
        let encoded = format!("{before}%{:02x}", c.as_bytes()[0]);
        let plain = format!("{before}{c}");
        prop_assert!(matches(&encoded, &plain));
        prop_assert!(matches(&plain, &encoded));
        prop_assert_eq!(Pattern::new(&encoded).octets(), Pattern::new(&plain).octets());
    }
}

#[test]
fn a_pattern_takes_as_much_memory_as_its_text() {
    let text = format!("/{}", "*a".repeat(8_000));
    let pattern = Pattern::new(&text);
    assert_eq!(pattern.plain.text.len(), text.len());
    assert!(pattern.matches(&RobotsPath::new(&format!("/{}", "a".repeat(8_000)))));
    assert!(!pattern.matches(&RobotsPath::new(&format!("/{}", "a".repeat(7_999)))));
    assert!(Pattern::new("/a***b$").matches(&RobotsPath::new("/axxb")));
    assert!(!Pattern::new("/a***b$").matches(&RobotsPath::new("/axxbc")));
    assert!(Pattern::new("/a*$").matches(&RobotsPath::new("/a")));
}
