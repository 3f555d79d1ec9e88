use proptest::prelude::*;
use rstest::rstest;

use super::*;

fn parse(text: &str) -> Robots {
    Robots::parse(text.as_bytes())
}

fn issues(text: &str) -> Vec<(usize, RobotsIssueKind)> {
    let robots = parse(text);
    robots
        .issues()
        .iter()
        .map(|issue| (issue.line, issue.kind))
        .collect()
}

#[rstest]
#[case("anybot", "/", true)]
#[case("anybot", "/a.gif", false)]
#[case("anybot", "/a.gif?x", true)]
#[case("anybot", "/example/a", false)]
#[case("anybot", "/publications/a", true)]
#[case("anybot", "/publications/a.gif", true)]
#[case("foobot", "/", false)]
#[case("foobot", "/example/page.html", true)]
#[case("foobot", "/example/allowed.gif", true)]
#[case("foobot", "/publications/", false)]
#[case("barbot", "/example/page.html", false)]
#[case("bazbot", "/example/page.html", false)]
#[case("BazBot", "/example/a.gif", true)]
#[case("quxbot", "/example/page.html", true)]
fn the_simple_example_of_section_5_1(
    #[case] agent: &str,
    #[case] path: &str,
    #[case] expected: bool,
) {
    let robots = parse(
        "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\n\
         User-Agent: foobot\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif\n\n\
         User-Agent: barbot\nUser-Agent: bazbot\nDisallow: /example/page.html\n\n\
         User-Agent: quxbot\n",
    );
    assert_eq!(robots.is_allowed(agent, path), expected);
    assert_eq!(robots.issues(), []);
}

#[test]
fn the_longest_match_of_section_5_2() {
    let robots = parse(
        "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n",
    );
    assert!(!robots.is_allowed("foobot", "/example/page/disallowed.gif"));
    assert!(robots.is_allowed("foobot", "/example/page/other.gif"));
}

#[rstest]
// Google's examples for the order of precedence.
#[case("Allow: /p\nDisallow: /", "/page", true)]
#[case("Allow: /folder\nDisallow: /folder", "/folder/page", true)]
#[case("Allow: /page\nDisallow: /*.htm", "/page.htm", false)]
#[case("Allow: /page\nDisallow: /*.ph", "/page.php5", true)]
#[case("Allow: /$\nDisallow: /", "/", true)]
#[case("Allow: /$\nDisallow: /", "/page.htm", false)]
// The order of the lines does not matter.
#[case("Disallow: /\nAllow: /p", "/page", true)]
#[case("Disallow: /folder\nAllow: /folder", "/folder/page", true)]
// Octets are counted encoded.
#[case("Allow: /ツ\nDisallow: /%E3%83%84", "/ツ", true)]
#[case("Disallow: /\u{e9}*\nAllow: /%C3%A9", "/\u{e9}a", false)]
// Empty patterns are no rules.
#[case("Disallow:", "/", true)]
#[case("Allow:\nDisallow: /", "/", false)]
#[case("Disallow: /\nAllow: ", "/", false)]
// Case counts in paths only.
#[case("DISALLOW: /A", "/a", true)]
#[case("dIsAlLoW: /A", "/A", false)]
fn the_most_specific_rule_decides(#[case] rules: &str, #[case] path: &str, #[case] allowed: bool) {
    let robots = parse(&format!("User-agent: *\n{rules}\n"));
    assert_eq!(robots.is_allowed("AssayBot", path), allowed);
}

#[test]
fn robots_txt_itself_is_always_allowed() {
    let robots = parse("User-agent: *\nDisallow: /\nDisallow: /robots.txt$\n");
    assert!(robots.is_allowed("AssayBot", "/robots.txt"));
    assert!(!robots.is_allowed("AssayBot", "/robots.txt.bak"));
    assert!(!robots.is_allowed("AssayBot", "/a/robots.txt"));
}

#[rstest]
#[case("foo", "/a", false)]
#[case("FOO", "/b", false)]
#[case("Foo", "/c", true)]
#[case("fo", "/a", true)]
#[case("foobar", "/a", true)]
#[case("fo", "/c", false)]
#[case("bar", "/b", false)]
#[case("*", "/c", false)]
#[case("", "/c", false)]
fn groups_of_one_agent_are_merged_and_tokens_match_exactly(
    #[case] agent: &str,
    #[case] path: &str,
    #[case] allowed: bool,
) {
    let robots = parse(
        "User-agent: Foo\nDisallow: /a\nUser-agent: *\nDisallow: /c\n\n\
         User-agent: bar\nUser-agent: fOO/2.1 (beta)\nDisallow: /b\n",
    );
    assert_eq!(robots.is_allowed(agent, path), allowed);
}

#[test]
fn the_group_kind_says_why_it_applies() {
    let robots = parse("User-agent: foo\nDisallow: /a\nUser-agent: *\nDisallow: /b\n");
    assert_eq!(robots.group_for("Foo").kind(), GroupKind::Named);
    assert_eq!(robots.group_for("bar").kind(), GroupKind::Wildcard);
    assert_eq!(
        parse("User-agent: foo\nAllow: /").group_for("bar").kind(),
        GroupKind::Absent
    );
    assert_eq!(Robots::default().group_for("bar").kind(), GroupKind::Absent);
}

#[test]
fn a_named_group_inherits_nothing_from_the_wildcard() {
    let robots = parse("User-agent: *\nDisallow: /\nCrawl-delay: 9\n\nUser-agent: foo\n");
    assert!(robots.is_allowed("foo", "/a"));
    assert_eq!(robots.crawl_delay("foo"), None);
    assert_eq!(robots.crawl_delay("bar"), Some(9.0));
}

#[test]
fn the_deciding_rule_has_its_line() {
    let robots = parse("User-agent: *\nAllow: /\n\nDisallow: /shop # closed\n");
    let group = robots.group_for("AssayBot");
    let rule = group.deciding_rule(&RobotsPath::new("/shop/1")).unwrap();
    assert_eq!(
        (rule.kind, rule.text.as_str(), rule.line),
        (RuleKind::Disallow, "/shop", 4)
    );
    assert_eq!(group.rules().len(), 2);
    assert!(
        Robots::default()
            .group_for("x")
            .deciding_rule(&RobotsPath::new("/"))
            .is_none()
    );
}

#[rstest]
#[case::blank_lines("User-agent: a\n\n\nDisallow: /x\n\nDisallow: /y\n")]
#[case::comments("User-agent: a # me\n# Disallow: /\nDisallow: /x#y\nDisallow:/y # z\n")]
#[case::cr("User-agent: a\rDisallow: /x\rDisallow: /y\r")]
#[case::crlf("User-agent: a\r\nDisallow: /x\r\nDisallow: /y")]
#[case::bom("\u{feff}User-agent: a\nDisallow: /x\nDisallow: /y")]
#[case::white_space("\t User-agent\t:  a \n  Disallow  : /x\t\nDisallow:/y  ")]
#[case::field_case("USER-AGENT: A\nDisAllow: /x\nDISALLOW: /y")]
#[case::sitemap_inside("User-agent: a\nSitemap: https://example.com/s\nDisallow: /x\nDisallow: /y")]
#[case::unknown_inside("User-agent: a\nCleanse: yes\nDisallow: /x\nFoo: bar\nDisallow: /y")]
#[case::other_agent_before("User-agent: b\nUser-agent: a\nDisallow: /x\nDisallow: /y")]
#[case::other_record_between_agents(
    "User-agent: a\nSitemap: /s\nUser-agent: b\nDisallow: /x\nDisallow: /y"
)]
#[case::delay_between_agents(
    "User-agent: a\nCrawl-delay: 1\nUser-agent: b\nDisallow: /x\nDisallow: /y"
)]
#[case::version("User-agent: A/1.0\nDisallow: /x\nDisallow: /y")]
#[case::words("User-agent: a bot\nDisallow: /x\nDisallow: /y")]
fn the_form_of_the_lines_does_not_matter(#[case] text: &str) {
    let robots = parse(text);
    let allowed = ["/x", "/y", "/z"].map(|path| robots.is_allowed("a", path));
    assert_eq!(allowed, [false, false, true]);
    assert_eq!(robots.group_for("a").kind(), GroupKind::Named);
}

#[rstest]
#[case("AI2Bot", "AI2Bot")]
#[case("archive.org_bot", "archive.org_bot")]
#[case("360Spider", "360Spider")]
#[case("Googlebot-Image", "Googlebot-Image")]
#[case("Googlebot*", "Googlebot")]
fn tokens_with_digits_and_dots_are_known(#[case] written: &str, #[case] agent: &str) {
    let robots = parse(&format!("User-agent: {written}\nDisallow: /\n"));
    assert!(!robots.is_allowed(agent, "/"));
    assert!(robots.is_allowed("other", "/"));
}

#[rstest]
#[case("* # all", true)]
#[case("* all", true)]
#[case("*bot", false)]
#[case("", false)]
fn the_wildcard_stands_alone(#[case] written: &str, #[case] is_wildcard: bool) {
    let robots = parse(&format!("User-agent: {written}\nDisallow: /\n"));
    assert_eq!(!robots.is_allowed("AssayBot", "/"), is_wildcard);
    assert_eq!(!robots.is_allowed("", "/"), is_wildcard);
}

#[rstest]
#[case("10", Some(10.0))]
#[case("0.5", Some(0.5))]
#[case("0", Some(0.0))]
#[case(" 3 # seconds", Some(3.0))]
#[case("-1", None)]
#[case("-0", None)]
#[case("inf", None)]
#[case("NaN", None)]
#[case("1e999", None)]
#[case("ten", None)]
#[case("", None)]
fn a_crawl_delay_is_a_number_of_seconds(#[case] value: &str, #[case] expected: Option<f64>) {
    let text = format!("User-agent: *\nCrawl-delay:{value}\n");
    assert_eq!(parse(&text).crawl_delay("AssayBot"), expected);
    let expected_issues: &[_] = match expected {
        Some(_) => &[],
        None => &[(2, RobotsIssueKind::CrawlDelay)],
    };
    assert_eq!(issues(&text), expected_issues);
}

#[test]
fn the_longest_of_several_crawl_delays_counts() {
    let robots = parse(
        "User-agent: a\nCrawl-delay: 1\nCrawl-delay: 4\nDisallow:\nUser-agent: a\nCrawl-delay: 2\n",
    );
    assert_eq!(robots.crawl_delay("a"), Some(4.0));
}

#[test]
fn sitemaps_belong_to_no_group() {
    let robots = parse(
        "Sitemap: https://example.com/a.xml\nUser-agent: x\nDisallow: /\n\
         SITEMAP:https://example.com/b.xml#main\nSitemap: /c.xml\n",
    );
    let found: Vec<_> = robots
        .sitemaps()
        .iter()
        .map(|sitemap| (sitemap.line, sitemap.value.as_str(), sitemap.url.is_some()))
        .collect();
    assert_eq!(
        found,
        [
            (1, "https://example.com/a.xml", true),
            (4, "https://example.com/b.xml", true),
            (5, "/c.xml", false),
        ]
    );
}

#[test]
fn content_signals_name_the_agents_of_their_group() {
    let robots = parse(
        "Content-Signal: search=yes\nUser-agent: *\nContent-signal: ai-train=no\nAllow: /\n\
         User-agent: A\nUser-Agent: b\nContent-Signal: ai-input=yes, search=no\nUser-agent: c\n",
    );
    let found: Vec<_> = robots
        .content_signals()
        .map(|signal| (signal.line, signal.value, signal.agents.join(" ")))
        .collect();
    assert_eq!(
        found,
        [
            (1, "search=yes", String::new()),
            (3, "ai-train=no", "*".to_owned()),
            (7, "ai-input=yes, search=no", "a b c".to_owned()),
        ]
    );
}

#[rstest]
#[case("Disallow: /\nUser-agent: *", &[(1, RobotsIssueKind::RuleBeforeGroup)])]
#[case("Allow: /\nCrawl-delay: 1", &[(1, RobotsIssueKind::RuleBeforeGroup), (2, RobotsIssueKind::RuleBeforeGroup)])]
#[case("User-agent:\nDisallow: /", &[(1, RobotsIssueKind::NoProductToken)])]
#[case("User-agent: ツ", &[(1, RobotsIssueKind::NoProductToken)])]
#[case("User-agent: *\nDisallow: private", &[(2, RobotsIssueKind::PatternStart)])]
#[case("User-agent: *\nDisallow: https://example.com/", &[(2, RobotsIssueKind::PatternStart)])]
#[case("User-agent: *\n\nDisallow /", &[(3, RobotsIssueKind::NoColon)])]
#[case("Sitemap: sitemap.xml", &[(1, RobotsIssueKind::SitemapUrl)])]
#[case("Sitemap:", &[(1, RobotsIssueKind::SitemapUrl)])]
#[case("Sitemap: mailto:a@example.com", &[(1, RobotsIssueKind::SitemapUrl)])]
#[case("<!DOCTYPE html>\r\n<html>", &[(1, RobotsIssueKind::NoColon), (2, RobotsIssueKind::NoColon)])]
#[case("User-agent: *\nDisallow: *.gif\nDisallow: /a\nDisallow:", &[])]
#[case("Clean-param: a /b\nHost: example.com\nRequest-rate: 1/5\nVisit-time: 0600-0845\nNoindex: /a\nContent-Signal: search=yes", &[])]
#[case("", &[])]
fn lines_that_cannot_be_followed_are_told(
    #[case] text: &str,
    #[case] expected: &[(usize, RobotsIssueKind)],
) {
    assert_eq!(issues(text), expected);
    assert_eq!(parse(text).unknown_fields(), []);
}

#[test]
fn unknown_fields_are_kept_aside() {
    let robots = parse("User-agent: *\nUser agent: x\nDisalow: /\nLLM-Policy: no\n");
    let found: Vec<_> = robots
        .unknown_fields()
        .iter()
        .map(|field| (field.line, field.name.as_str()))
        .collect();
    assert_eq!(
        found,
        [(2, "user agent"), (3, "disalow"), (4, "llm-policy")]
    );
    assert_eq!(robots.issues(), []);
    assert!(robots.is_allowed("AssayBot", "/"));
}

#[test]
fn invalid_utf8_is_replaced_and_reported() {
    let robots = Robots::parse(b"User-agent: *\nDisallow: /caf\xE9\nDisallow: /b\n");
    assert!(!robots.is_allowed("AssayBot", "/b"));
    let kinds: Vec<_> = robots
        .issues()
        .iter()
        .map(|issue| (issue.line, issue.kind))
        .collect();
    assert_eq!(kinds, [(2, RobotsIssueKind::NotUtf8)]);
}

#[test]
fn utf_16_has_no_rules_and_many_issues() {
    let bytes: Vec<u8> = "\u{feff}User-agent: *\nDisallow: /\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let robots = Robots::parse(&bytes);
    assert!(robots.is_allowed("AssayBot", "/"));
    assert!(!robots.issues().is_empty());
}

/// A robots.txt of this size in bytes that ends with a rule and without a line end.
fn of_size(size: usize) -> Vec<u8> {
    let (start, end) = ("User-agent: *\n#", "\nDisallow: /end");
    let filler = "-".repeat(80) + "\n#";
    let mut text = start.to_owned() + &filler.repeat(size / filler.len() + 1);
    text.truncate(size - end.len());
    (text + end).into_bytes()
}

#[test]
fn a_file_of_exactly_500_kib_is_read_to_the_end() {
    let robots = Robots::parse(&of_size(MAX_BYTES));
    assert!(!robots.is_truncated());
    assert!(!robots.is_allowed("AssayBot", "/end"));
}

#[test]
fn a_longer_file_is_truncated_at_a_complete_line() {
    let mut bytes = of_size(MAX_BYTES);
    bytes.extend(b"less\nUser-agent: AssayBot\nAllow: /\n");
    let robots = Robots::parse(&bytes);
    assert!(robots.is_truncated());
    assert!(robots.is_allowed("AssayBot", "/endless"));
    assert_eq!(robots.group_for("AssayBot").kind(), GroupKind::Wildcard);
}

#[test]
fn a_line_that_ends_at_the_limit_is_complete() {
    let mut bytes = of_size(MAX_BYTES);
    bytes.extend(b"\nAllow: /\n");
    let robots = Robots::parse(&bytes);
    assert!(robots.is_truncated());
    assert!(!robots.is_allowed("AssayBot", "/end"));
}

#[test]
fn a_file_without_line_ends_beyond_the_limit_is_empty() {
    let robots = Robots::parse(&vec![b'a'; MAX_BYTES + 1]);
    assert!(robots.is_truncated());
    assert_eq!(robots.issues(), []);
}

#[test]
fn the_beginning_of_a_file_has_only_complete_lines() {
    let robots = Robots::parse_beginning(b"User-agent: *\nDisallow: /a\nDisallow: /");
    assert!(robots.is_truncated());
    assert!(robots.is_allowed("AssayBot", "/b"));
    assert!(!robots.is_allowed("AssayBot", "/a"));
}

#[test]
fn a_long_line_keeps_its_rule_and_is_reported() {
    let path = format!("/{}", "a".repeat(MAX_LINE_BYTES));
    let text = format!("User-agent: *\nDisallow: {path}\nDisallow: /b\n");
    let robots = parse(&text);
    assert!(!robots.is_allowed("AssayBot", &path));
    assert!(robots.is_allowed("AssayBot", path.split_at(MAX_LINE_BYTES).0));
    assert!(!robots.is_allowed("AssayBot", "/b"));
    assert_eq!(issues(&text), [(2, RobotsIssueKind::TooLong)]);
    assert_eq!(robots.issues()[0].text.len(), 200);
}

#[rstest]
#[case::comment(format!("User-agent: *\nDisallow: /b # {}\n", "a".repeat(20_000)), &[])]
#[case::blanks(format!("User-agent: *\nDisallow: {}/b\n", " ".repeat(20_000)), &[(2, RobotsIssueKind::TooLong)])]
#[case::agent(format!("User-agent: *{}x\nDisallow: /b\n", " ".repeat(20_000)), &[(1, RobotsIssueKind::TooLong)])]
fn any_part_of_a_line_may_be_long(
    #[case] text: String,
    #[case] expected: &[(usize, RobotsIssueKind)],
) {
    assert!(!parse(&text).is_allowed("AssayBot", "/b"));
    assert_eq!(issues(&text), expected);
}

#[rstest]
#[case("User-agent: *\n\u{a0}Disallow: /b", true)]
#[case("User-agent: *\nDisallow:\u{a0}/b", true)]
#[case("User-agent: *\n\u{c}Disallow: /b", true)]
#[case("User-agent: *\u{3000}\nDisallow: /b", true)]
#[case("User-agent:\t*\n\tDisallow \t:\t/b \t", false)]
fn only_space_and_tab_are_white_space(#[case] text: &str, #[case] allowed: bool) {
    assert_eq!(parse(text).is_allowed("AssayBot", "/b"), allowed);
}

#[test]
fn the_kept_parts_of_a_hostile_file_are_limited() {
    let robots = parse(&"x\ny: z\n".repeat(60_000));
    assert_eq!(robots.issues().len(), MAX_ISSUES);
    assert_eq!(robots.unknown_fields().len(), MAX_ISSUES);
}

#[test]
fn the_state_decides_without_rules() {
    let found = RobotsState::Found(parse("User-agent: *\nDisallow: /a\n"));
    let unreachable = RobotsState::Unreachable { status: Some(503) };
    for (state, expected) in [
        (&found, [false, true, true]),
        (&RobotsState::Missing, [true, true, true]),
        (&unreachable, [false, false, true]),
        (
            &RobotsState::Unreachable { status: None },
            [false, false, true],
        ),
    ] {
        let paths = ["/a", "/b", "/robots.txt"];
        assert_eq!(
            paths.map(|path| state.is_allowed("AssayBot", path)),
            expected,
            "{state:?}"
        );
    }
    assert!(found.robots().is_some() && unreachable.robots().is_none());
}

fn rules() -> impl Strategy<Value = String> {
    prop::collection::vec("(Allow|Disallow): [ab/*]{0,6}\\$?\n", 0..8)
        .prop_map(|lines| format!("User-agent: *\n{}", lines.concat()))
}

proptest! {
    #[test]
    fn any_octets_are_read(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let robots = Robots::parse(&bytes);
        let path = String::from_utf8_lossy(&bytes);
        let _ = robots.is_allowed("AssayBot", &path);
        prop_assert!(robots.crawl_delay("AssayBot").is_none_or(|delay| delay >= 0.0));
        let _ = Robots::parse_beginning(&bytes);
    }

    #[test]
    fn any_lines_are_read(
        lines in prop::collection::vec(
            "(User-agent|Allow|Disallow|Sitemap|Crawl-delay|Content-Signal|x)? ?:? ?\\PC{0,12}", 0..12
        ),
        end in "\r|\n|\r\n",
    ) {
        let robots = parse(&lines.join(&end));
        prop_assert!(robots.issues().iter().all(|issue| issue.line <= lines.len().max(1)));
        let _ = robots.is_allowed("AssayBot", "/a");
    }

    #[test]
    fn another_allow_never_disallows(
        text in rules(), allow in "[ab/*]{0,6}\\$?", path in "/[ab/]{0,8}"
    ) {
        let more = format!("{text}Allow: {allow}\n");
        if parse(&text).is_allowed("AssayBot", &path) {
            prop_assert!(parse(&more).is_allowed("AssayBot", &path));
        }
    }

    #[test]
    fn another_disallow_never_allows(
        text in rules(), pattern in "[ab/*]{0,6}\\$?", path in "/[ab/]{0,8}"
    ) {
        let more = format!("{text}Disallow: {pattern}\n");
        if parse(&more).is_allowed("AssayBot", &path) {
            prop_assert!(parse(&text).is_allowed("AssayBot", &path));
        }
    }

    #[test]
    fn line_ends_and_comments_change_nothing(text in rules(), path in "/[ab/]{0,8}") {
        let expected = parse(&text).is_allowed("AssayBot", &path);
        for other in [
            text.replace('\n', "\r\n"),
            text.replace('\n', "\r"),
            text.replace('\n', " # note\n"),
            text.replace('\n', "\n\n"),
            text.to_uppercase().replace("/A", "/a").replace('A', "a").replace('B', "b"),
        ] {
            prop_assert_eq!(parse(&other).is_allowed("AssayBot", &path), expected);
        }
    }
}
