//! Test vectors for robots.txt from RFC 9309 and from Google's notes ("How Google interprets the
//! robots.txt specification"). Each row names its section and summarizes the sentence it tests.
//!
//! If the two disagree, the RFC takes precedence: Google treats 429 as a server error and the RFC as
//! an unavailable file; when a server error persists, Google uses an older copy or no rules, and an
//! audit visits nothing. These cases concern fetching: see `robots_fetched.rs`.

#![allow(clippy::unwrap_used, reason = "a test panics on unexpected results")]

use audit_engine::gather::robots::{MAX_BYTES, Robots, RobotsPath};

/// Section and sentence, the file, the crawler, the path, and whether it may be fetched.
type Row = (&'static str, &'static str, &'static str, &'static str, bool);

const YES: bool = true;
const NO: bool = false;

const RFC: &[Row] = &[
    // 2.1
    (
        "2.1 a rule is a line with a key-value pair",
        "User-agent: a\nDisallow: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "2.1 a line without a colon is not a rule",
        "User-agent: a\nDisallow /x",
        "a",
        "/x",
        YES,
    ),
    (
        "2.1 a group is one user-agent line followed by rules",
        "user-agent: a\ndisallow: /x\ndisallow: /y",
        "a",
        "/y",
        NO,
    ),
    (
        "2.1 a group is several user-agent lines followed by rules",
        "user-agent: a\nuser-agent: b\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "2.1 a group is several user-agent lines followed by rules (last)",
        "user-agent: a\nuser-agent: b\ndisallow: /x",
        "b",
        "/x",
        NO,
    ),
    (
        "2.1 the group is terminated by a user-agent line",
        "user-agent: a\ndisallow: /x\nuser-agent: b\ndisallow: /y",
        "a",
        "/y",
        YES,
    ),
    (
        "2.1 the group is terminated by a user-agent line (other)",
        "user-agent: a\ndisallow: /x\nuser-agent: b\ndisallow: /y",
        "b",
        "/x",
        YES,
    ),
    (
        "2.1 the group is terminated by the end of the file",
        "user-agent: a\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "2.1 the last group may have no rules and allows everything",
        "user-agent: *\ndisallow: /\nuser-agent: a",
        "a",
        "/x",
        YES,
    ),
    (
        "2.1 the last group may have no rules (others)",
        "user-agent: *\ndisallow: /\nuser-agent: a",
        "b",
        "/x",
        NO,
    ),
    // 2.2
    ("2.2 an empty file", "", "a", "/x", YES),
    ("2.2 a file of empty lines", "\n\n\r\n\r", "a", "/x", YES),
    (
        "2.2 startgroupline: white space before",
        " \tuser-agent: a\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2 startgroupline: white space before the colon",
        "user-agent \t: a\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2 startgroupline: no white space after the colon",
        "user-agent:a\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2 startgroupline: trailing white space",
        "user-agent: a \t\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2 startgroupline: a trailing comment",
        "user-agent: a # b\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2 group: empty lines between agents",
        "user-agent: a\n\nuser-agent: b\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2 group: empty lines between agents and rules",
        "user-agent: a\n\n\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2 group: empty lines between rules",
        "user-agent: a\ndisallow: /y\n\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2 rule: allow and disallow in any case",
        "User-Agent: a\nDISALLOW: /\naLLoW: /x",
        "a",
        "/x",
        YES,
    ),
    (
        "2.2 rule: user-agent in any case",
        "USER-AGENT: a\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2 rule: white space before",
        "user-agent: a\n \tdisallow: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2 rule: white space around the colon",
        "user-agent: a\ndisallow \t: \t/x",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2 rule: no white space",
        "user-agent: a\ndisallow:/x",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2 rule: trailing white space is not part of the pattern",
        "user-agent: a\ndisallow: /x \t",
        "a",
        "/xy",
        NO,
    ),
    (
        "2.2 empty-pattern",
        "user-agent: a\ndisallow:",
        "a",
        "/x",
        YES,
    ),
    (
        "2.2 empty-pattern of white space",
        "user-agent: a\ndisallow: \t ",
        "a",
        "/x",
        YES,
    ),
    (
        "2.2 empty-pattern and comment",
        "user-agent: a\ndisallow: # all",
        "a",
        "/x",
        YES,
    ),
    (
        "2.2 path-pattern begins with a slash",
        "user-agent: a\ndisallow: x",
        "a",
        "/x",
        YES,
    ),
    (
        "2.2 product-token: a star",
        "user-agent: *\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2 identifier: hyphen",
        "user-agent: a-b\ndisallow: /x",
        "a-b",
        "/x",
        NO,
    ),
    (
        "2.2 identifier: underscore",
        "user-agent: a_b\ndisallow: /x",
        "a_b",
        "/x",
        NO,
    ),
    (
        "2.2 identifier ends before a slash",
        "user-agent: a/1.2\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2 identifier ends before a space",
        "user-agent: a b\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2 comment: a whole line",
        "# user-agent: b\nuser-agent: a\n# disallow: /\ndisallow: /x",
        "a",
        "/y",
        YES,
    ),
    (
        "2.2 comment: with another number sign in it",
        "user-agent: a # one # two\ndisallow: /x # three # four",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2 comment: directly after the pattern",
        "user-agent: a\ndisallow: /x#y",
        "a",
        "/xz",
        NO,
    ),
    ("2.2 NL: LF", "user-agent: a\ndisallow: /x\n", "a", "/x", NO),
    ("2.2 NL: CR", "user-agent: a\rdisallow: /x\r", "a", "/x", NO),
    (
        "2.2 NL: CRLF",
        "user-agent: a\r\ndisallow: /x\r\n",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2 NL: mixed",
        "user-agent: a\rdisallow: /y\r\ndisallow: /x\n",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2 NL: missing at the end",
        "user-agent: a\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    // 2.2.1
    (
        "2.2.1 crawlers set a product token to find relevant groups",
        "user-agent: examplebot\ndisallow: /x\nuser-agent: b\ndisallow: /y",
        "ExampleBot",
        "/x",
        NO,
    ),
    (
        "2.2.1 crawlers find no other's group",
        "user-agent: examplebot\ndisallow: /x\nuser-agent: b\ndisallow: /y",
        "ExampleBot",
        "/y",
        YES,
    ),
    (
        "2.2.1 matching is case-insensitive (file)",
        "user-agent: EXAMPLEBOT\ndisallow: /x",
        "examplebot",
        "/x",
        NO,
    ),
    (
        "2.2.1 matching is case-insensitive (crawler)",
        "user-agent: examplebot\ndisallow: /x",
        "ExampleBOT",
        "/x",
        NO,
    ),
    (
        "2.2.1 the whole token has to match, not a beginning",
        "user-agent: example\ndisallow: /x",
        "ExampleBot",
        "/x",
        YES,
    ),
    (
        "2.2.1 the whole token has to match, not a part",
        "user-agent: examplebot-news\ndisallow: /x",
        "ExampleBot",
        "/x",
        YES,
    ),
    (
        "2.2.1 the groups that match are combined",
        "user-agent: a\ndisallow: /x\nuser-agent: b\ndisallow: /z\nuser-agent: a\ndisallow: /y",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2.1 the groups that match are combined (second)",
        "user-agent: a\ndisallow: /x\nuser-agent: b\ndisallow: /z\nuser-agent: a\ndisallow: /y",
        "a",
        "/y",
        NO,
    ),
    (
        "2.2.1 the groups that match are combined (not others)",
        "user-agent: a\ndisallow: /x\nuser-agent: b\ndisallow: /z\nuser-agent: a\ndisallow: /y",
        "a",
        "/z",
        YES,
    ),
    (
        "2.2.1 combined groups are evaluated as one",
        "user-agent: a\ndisallow: /x\nuser-agent: a\nallow: /x/y",
        "a",
        "/x/y",
        YES,
    ),
    (
        "2.2.1 example of combined groups: /foo",
        "user-agent: ExampleBot\ndisallow: /foo\ndisallow: /bar\n\nuser-agent: ExampleBot\ndisallow: /baz",
        "ExampleBot",
        "/foo",
        NO,
    ),
    (
        "2.2.1 example of combined groups: /baz",
        "user-agent: ExampleBot\ndisallow: /foo\ndisallow: /bar\n\nuser-agent: ExampleBot\ndisallow: /baz",
        "ExampleBot",
        "/baz",
        NO,
    ),
    (
        "2.2.1 groups for the star are combined, too",
        "user-agent: *\ndisallow: /x\nuser-agent: b\nallow: /\nuser-agent: *\ndisallow: /y",
        "a",
        "/y",
        NO,
    ),
    (
        "2.2.1 without a match the group of the star is obeyed",
        "user-agent: *\ndisallow: /x\nuser-agent: b\nallow: /",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2.1 with a match the group of the star is not obeyed",
        "user-agent: *\ndisallow: /x\nuser-agent: a\ndisallow: /y",
        "a",
        "/x",
        YES,
    ),
    (
        "2.2.1 the star may be in a list",
        "user-agent: b\nuser-agent: *\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2.1 without a match and without a star no rules apply",
        "user-agent: b\ndisallow: /",
        "a",
        "/x",
        YES,
    ),
    (
        "2.2.1 without any groups no rules apply",
        "sitemap: https://example.com/s.xml",
        "a",
        "/x",
        YES,
    ),
    // 2.2.2
    (
        "2.2.2 allow means allowed",
        "user-agent: a\nallow: /x\ndisallow: /",
        "a",
        "/x",
        YES,
    ),
    (
        "2.2.2 disallow means disallowed",
        "user-agent: a\nallow: /\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2.2 the matching is case sensitive",
        "user-agent: a\ndisallow: /X",
        "a",
        "/x",
        YES,
    ),
    (
        "2.2.2 the matching starts with the first octet",
        "user-agent: a\ndisallow: /x",
        "a",
        "/y/x",
        YES,
    ),
    (
        "2.2.2 the path is a prefix",
        "user-agent: a\ndisallow: /x",
        "a",
        "/xyz/1?q",
        NO,
    ),
    (
        "2.2.2 a trailing slash must match",
        "user-agent: a\ndisallow: /x/",
        "a",
        "/x",
        YES,
    ),
    (
        "2.2.2 the most specific match is used",
        "user-agent: a\nallow: /x\ndisallow: /x/y",
        "a",
        "/x/y",
        NO,
    ),
    (
        "2.2.2 the most specific match is used (allow)",
        "user-agent: a\ndisallow: /x\nallow: /x/y",
        "a",
        "/x/y/z",
        YES,
    ),
    (
        "2.2.2 the order of the rules does not matter",
        "user-agent: a\nallow: /x/y\ndisallow: /x",
        "a",
        "/x/y/z",
        YES,
    ),
    (
        "2.2.2 the most specific has the most octets",
        "user-agent: a\nallow: /xxx\ndisallow: /*x",
        "a",
        "/xxx",
        YES,
    ),
    (
        "2.2.2 the most specific has the most octets, not characters",
        "user-agent: a\nallow: /\u{e9}\ndisallow: /*aa",
        "a",
        "/\u{e9}aa",
        YES,
    ),
    (
        "2.2.2 duplicate rules change nothing",
        "user-agent: a\ndisallow: /x\ndisallow: /x\nallow: /x/y",
        "a",
        "/x/y",
        YES,
    ),
    (
        "2.2.2 of equivalent rules allow is used",
        "user-agent: a\ndisallow: /x\nallow: /x",
        "a",
        "/x",
        YES,
    ),
    (
        "2.2.2 of equivalent rules allow is used (order)",
        "user-agent: a\nallow: /x\ndisallow: /x",
        "a",
        "/x",
        YES,
    ),
    (
        "2.2.2 of equally long rules allow is used",
        "user-agent: a\ndisallow: /*y\nallow: /xy",
        "a",
        "/xy",
        YES,
    ),
    (
        "2.2.2 without a match the URI is allowed",
        "user-agent: a\ndisallow: /x",
        "a",
        "/y",
        YES,
    ),
    (
        "2.2.2 without rules in the group the URI is allowed",
        "user-agent: a\nuser-agent: b",
        "a",
        "/y",
        YES,
    ),
    (
        "2.2.2 /robots.txt is implicitly allowed",
        "user-agent: a\ndisallow: /",
        "a",
        "/robots.txt",
        YES,
    ),
    (
        "2.2.2 /robots.txt is implicitly allowed against its own rule",
        "user-agent: a\ndisallow: /robots.txt",
        "a",
        "/robots.txt",
        YES,
    ),
    (
        "2.2.2 only that of the top level",
        "user-agent: a\ndisallow: /",
        "a",
        "/x/robots.txt",
        NO,
    ),
    (
        "2.2.2 octets outside ASCII in the rule are encoded",
        "user-agent: a\ndisallow: /\u{30c4}",
        "a",
        "/%E3%83%84",
        NO,
    ),
    (
        "2.2.2 octets outside ASCII in the URI are encoded",
        "user-agent: a\ndisallow: /%E3%83%84",
        "a",
        "/\u{30c4}",
        NO,
    ),
    (
        "2.2.2 the case of hexadecimal digits does not matter",
        "user-agent: a\ndisallow: /%e3%83%84",
        "a",
        "/%E3%83%84",
        NO,
    ),
    (
        "2.2.2 octets in the reserved range are encoded",
        "user-agent: a\ndisallow: /x@y",
        "a",
        "/x%40y",
        NO,
    ),
    (
        "2.2.2 octets in the reserved range are encoded (URI)",
        "user-agent: a\ndisallow: /x%5B1%5D",
        "a",
        "/x[1]",
        NO,
    ),
    (
        "2.2.2 an encoded ASCII octet in the URI is unencoded",
        "user-agent: a\ndisallow: /x",
        "a",
        "/%78",
        NO,
    ),
    (
        "2.2.2 an encoded ASCII octet in the rule is unencoded",
        "user-agent: a\ndisallow: /%78",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2.2 unless it is reserved",
        "user-agent: a\ndisallow: /x/y",
        "a",
        "/x%2Fy",
        YES,
    ),
    (
        "2.2.2 unless it is reserved (question mark)",
        "user-agent: a\ndisallow: /x?y",
        "a",
        "/x%3Fy",
        YES,
    ),
    (
        "2.2.2 unless it is outside the unreserved range",
        "user-agent: a\ndisallow: /%20x",
        "a",
        "/%20x",
        NO,
    ),
    (
        "2.2.2 the end of the rule's path is reached before a difference",
        "user-agent: a\ndisallow: /xyz",
        "a",
        "/xyz1",
        NO,
    ),
    (
        "2.2.2 a difference comes before the end of the rule's path",
        "user-agent: a\ndisallow: /xyz",
        "a",
        "/xy",
        YES,
    ),
    (
        "2.2.2 example 1",
        "user-agent: a\ndisallow: /foo/bar?baz=quz",
        "a",
        "/foo/bar?baz=quz",
        NO,
    ),
    (
        "2.2.2 example 2",
        "user-agent: a\ndisallow: /foo/bar?baz=https://foo.bar",
        "a",
        "/foo/bar?baz=https%3A%2F%2Ffoo.bar",
        NO,
    ),
    (
        "2.2.2 example 3",
        "user-agent: a\ndisallow: /foo/bar/\u{30c4}",
        "a",
        "/foo/bar/%E3%83%84",
        NO,
    ),
    (
        "2.2.2 example 4",
        "user-agent: a\ndisallow: /foo/bar/%E3%83%84",
        "a",
        "/foo/bar/%E3%83%84",
        NO,
    ),
    (
        "2.2.2 example 5",
        "user-agent: a\ndisallow: /foo/bar/%62%61%7A",
        "a",
        "/foo/bar/baz",
        NO,
    ),
    (
        "2.2.2 rules before the first user-agent line are ignored",
        "disallow: /x\nuser-agent: a\ndisallow: /y",
        "a",
        "/x",
        YES,
    ),
    (
        "2.2.2 rules before the first user-agent line are ignored (all)",
        "disallow: /",
        "a",
        "/x",
        YES,
    ),
    // 2.2.3
    (
        "2.2.3 number sign: the rest of the line is a comment",
        "user-agent: a\ndisallow: /x # /y",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2.3 number sign: a commented rule is ignored",
        "user-agent: a\n#disallow: /x",
        "a",
        "/x",
        YES,
    ),
    (
        "2.2.3 dollar: the end of the pattern",
        "user-agent: a\ndisallow: /x$",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2.3 dollar: nothing follows",
        "user-agent: a\ndisallow: /x$",
        "a",
        "/xy",
        YES,
    ),
    (
        "2.2.3 dollar: no query follows",
        "user-agent: a\ndisallow: /x$",
        "a",
        "/x?y",
        YES,
    ),
    (
        "2.2.3 dollar: in the middle it is an octet",
        "user-agent: a\ndisallow: /x$y",
        "a",
        "/x$y",
        NO,
    ),
    (
        "2.2.3 star: any characters",
        "user-agent: a\ndisallow: /x/*/z",
        "a",
        "/x/y/y/z",
        NO,
    ),
    (
        "2.2.3 star: no character",
        "user-agent: a\ndisallow: /x*z",
        "a",
        "/xz",
        NO,
    ),
    (
        "2.2.3 star: at the end it changes nothing",
        "user-agent: a\ndisallow: /x*",
        "a",
        "/xy",
        NO,
    ),
    (
        "2.2.3 star: in the query",
        "user-agent: a\ndisallow: /*?*sort=",
        "a",
        "/list?page=1&sort=up",
        NO,
    ),
    (
        "2.2.3 star: at the beginning",
        "user-agent: a\ndisallow: *.gif$",
        "a",
        "/x/y.gif",
        NO,
    ),
    (
        "2.2.3 star: several in a row",
        "user-agent: a\ndisallow: /x**z",
        "a",
        "/xyz",
        NO,
    ),
    (
        "2.2.3 star and dollar",
        "user-agent: a\ndisallow: /*.gif$",
        "a",
        "/x.gif?y",
        YES,
    ),
    (
        "2.2.3 star: alone",
        "user-agent: a\ndisallow: *",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2.3 example allow: this/*/exactly",
        "user-agent: a\ndisallow: /\nallow: /this/*/exactly",
        "a",
        "/this/path/exactly",
        YES,
    ),
    (
        "2.2.3 example allow: this/path/exactly$",
        "user-agent: a\ndisallow: /\nallow: /this/path/exactly$",
        "a",
        "/this/path/exactly/not",
        NO,
    ),
    (
        "2.2.3 a star is written %2A to match itself",
        "user-agent: a\ndisallow: /file-with-a-%2A.html",
        "a",
        "/file-with-a-*.html",
        NO,
    ),
    (
        "2.2.3 a star that is encoded matches nothing else",
        "user-agent: a\ndisallow: /file-with-a-%2A.html",
        "a",
        "/file-with-a-b.html",
        YES,
    ),
    (
        "2.2.3 a dollar is written %24 to match itself",
        "user-agent: a\ndisallow: /foo-%24",
        "a",
        "/foo-$bar",
        NO,
    ),
    // 2.2.4
    (
        "2.2.4 other records may be there",
        "sitemap: https://example.com/s\nuser-agent: a\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2.4 other records do not interfere: before a rule",
        "user-agent: a\nsitemap: https://example.com/s\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2.4 other records do not interfere: between agents",
        "user-agent: a\nsitemap: https://example.com/s\nuser-agent: b\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2.4 a Sitemaps record does not terminate a group",
        "user-agent: a\ndisallow: /y\nsitemaps: https://example.com/s\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2.4 an unknown record does not terminate a group",
        "user-agent: a\ncontent-usage: ai=n\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "2.2.4 a Crawl-delay does not terminate a list of agents",
        "user-agent: a\ncrawl-delay: 1\nuser-agent: b\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    // 2.3
    (
        "2.3 a byte order mark is not part of the first line",
        "\u{feff}user-agent: a\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    // 2.3.1.5
    (
        "2.3.1.5 each line is tried",
        "garbage\n<html>\nuser-agent: a\n%%%\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "2.3.1.5 the parseable rules are used",
        "user-agent: a\ndisallow /y\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "2.3.1.5 a broken user-agent line still ends the group before",
        "user-agent: a\ndisallow: /y\nuser-agent:\ndisallow: /x",
        "a",
        "/x",
        YES,
    ),
    (
        "2.3.1.5 an HTML document has no rules",
        "<!doctype html>\n<title>404</title>\n<p>user-agent: a disallow: /",
        "a",
        "/x",
        YES,
    ),
    // 3
    (
        "3 a NUL is an octet like any other and does not end the line",
        "user-agent: a\ndisallow: /y\0\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "3 a NUL in a pattern matches only itself",
        "user-agent: a\ndisallow: /y\0",
        "a",
        "/y",
        YES,
    ),
    (
        "3 control characters in a field name make it unknown",
        "user-agent: a\ndis\x07allow: /x",
        "a",
        "/x",
        YES,
    ),
    // 5
    (
        "5.1 foobot is blocked",
        "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\nUser-Agent: foobot\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif",
        "foobot",
        "/x",
        NO,
    ),
    (
        "5.1 foobot may see one picture",
        "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\nUser-Agent: foobot\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif",
        "foobot",
        "/example/allowed.gif",
        YES,
    ),
    (
        "5.1 all others may not",
        "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\nUser-Agent: foobot\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif",
        "a",
        "/example/allowed.gif",
        NO,
    ),
    (
        "5.2 the longest match",
        "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif",
        "foobot",
        "/example/page/disallow.gif",
        YES,
    ),
    (
        "5.2 the longest match (disallowed)",
        "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif",
        "foobot",
        "/example/page/disallowed.gif",
        NO,
    ),
];

const GOOGLE: &[Row] = &[
    (
        "syntax: fields are case-insensitive",
        "UsEr-AgEnT: a\nDiSaLlOw: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "syntax: white space at the beginning and the end is ignored",
        "  user-agent: a  \n  disallow: /x  ",
        "a",
        "/x",
        NO,
    ),
    (
        "syntax: paths are case-sensitive",
        "user-agent: a\ndisallow: /x",
        "a",
        "/X",
        YES,
    ),
    (
        "user-agent: the value is case-insensitive",
        "user-agent: GoogleBot\ndisallow: /x",
        "Googlebot",
        "/x",
        NO,
    ),
    (
        "disallow: without a path it is ignored",
        "user-agent: a\ndisallow:\nallow: /y",
        "a",
        "/x",
        YES,
    ),
    (
        "allow: without a path it is ignored",
        "user-agent: a\ndisallow: /\nallow:",
        "a",
        "/x",
        NO,
    ),
    (
        "grouping: e and f share a group",
        "user-agent: a\ndisallow: /c\n\nuser-agent: b\ndisallow: /d\n\nuser-agent: e\nuser-agent: f\ndisallow: /g\n\nuser-agent: h",
        "e",
        "/g",
        NO,
    ),
    (
        "grouping: f, too",
        "user-agent: a\ndisallow: /c\n\nuser-agent: b\ndisallow: /d\n\nuser-agent: e\nuser-agent: f\ndisallow: /g\n\nuser-agent: h",
        "f",
        "/g",
        NO,
    ),
    (
        "grouping: h has no rules",
        "user-agent: a\ndisallow: /c\n\nuser-agent: b\ndisallow: /d\n\nuser-agent: e\nuser-agent: f\ndisallow: /g\n\nuser-agent: h",
        "h",
        "/g",
        YES,
    ),
    (
        "grouping: rules other than allow, disallow and user-agent are ignored",
        "user-agent: a\nsitemap: https://example.com/sitemap.xml\n\nuser-agent: b\ndisallow: /",
        "a",
        "/x",
        NO,
    ),
    (
        "precedence of agents: googlebot-news has its own group",
        "user-agent: googlebot-news\n(group 1)\nallow: /\nuser-agent: *\ndisallow: /\nuser-agent: googlebot\ndisallow: /y",
        "Googlebot-News",
        "/x",
        YES,
    ),
    (
        "precedence of agents: googlebot has its own group",
        "user-agent: googlebot-news\nallow: /\nuser-agent: *\ndisallow: /\nuser-agent: googlebot\ndisallow: /y",
        "Googlebot",
        "/y",
        NO,
    ),
    (
        "precedence of agents: all others have the star",
        "user-agent: googlebot-news\nallow: /\nuser-agent: *\ndisallow: /\nuser-agent: googlebot\ndisallow: /y",
        "Otherbot",
        "/x",
        NO,
    ),
    (
        "path matching: / matches the root",
        "user-agent: a\ndisallow: /",
        "a",
        "/",
        NO,
    ),
    (
        "path matching: / matches everything below",
        "user-agent: a\ndisallow: /",
        "a",
        "/x/y?z",
        NO,
    ),
    (
        "path matching: /* is /",
        "user-agent: a\ndisallow: /*",
        "a",
        "/x",
        NO,
    ),
    (
        "path matching: /$ matches only the root",
        "user-agent: a\ndisallow: /$",
        "a",
        "/",
        NO,
    ),
    (
        "path matching: /$ matches nothing below",
        "user-agent: a\ndisallow: /$",
        "a",
        "/x",
        YES,
    ),
    (
        "path matching: /fish matches /fish",
        "user-agent: a\ndisallow: /fish",
        "a",
        "/fish",
        NO,
    ),
    (
        "path matching: /fish matches /fish.html",
        "user-agent: a\ndisallow: /fish",
        "a",
        "/fish.html",
        NO,
    ),
    (
        "path matching: /fish matches /fish/salmon.html",
        "user-agent: a\ndisallow: /fish",
        "a",
        "/fish/salmon.html",
        NO,
    ),
    (
        "path matching: /fish matches /fishheads",
        "user-agent: a\ndisallow: /fish",
        "a",
        "/fishheads",
        NO,
    ),
    (
        "path matching: /fish matches /fish.php?id=anything",
        "user-agent: a\ndisallow: /fish",
        "a",
        "/fish.php?id=anything",
        NO,
    ),
    (
        "path matching: /fish does not match /Fish.asp",
        "user-agent: a\ndisallow: /fish",
        "a",
        "/Fish.asp",
        YES,
    ),
    (
        "path matching: /fish does not match /catfish",
        "user-agent: a\ndisallow: /fish",
        "a",
        "/catfish",
        YES,
    ),
    (
        "path matching: /fish does not match /?id=fish",
        "user-agent: a\ndisallow: /fish",
        "a",
        "/?id=fish",
        YES,
    ),
    (
        "path matching: /fish does not match /desert/fish",
        "user-agent: a\ndisallow: /fish",
        "a",
        "/desert/fish",
        YES,
    ),
    (
        "path matching: /fish* is /fish",
        "user-agent: a\ndisallow: /fish*",
        "a",
        "/fishheads/yummy.html",
        NO,
    ),
    (
        "path matching: /fish* does not match /?id=fish",
        "user-agent: a\ndisallow: /fish*",
        "a",
        "/?id=fish",
        YES,
    ),
    (
        "path matching: /fish/ matches /fish/?id=anything",
        "user-agent: a\ndisallow: /fish/",
        "a",
        "/fish/?id=anything",
        NO,
    ),
    (
        "path matching: /fish/ does not match /fish",
        "user-agent: a\ndisallow: /fish/",
        "a",
        "/fish",
        YES,
    ),
    (
        "path matching: /fish/ does not match /fish.html",
        "user-agent: a\ndisallow: /fish/",
        "a",
        "/fish.html",
        YES,
    ),
    (
        "path matching: /fish/ does not match /animals/fish/",
        "user-agent: a\ndisallow: /fish/",
        "a",
        "/animals/fish/",
        YES,
    ),
    (
        "path matching: /*.php matches /index.php",
        "user-agent: a\ndisallow: /*.php",
        "a",
        "/index.php",
        NO,
    ),
    (
        "path matching: /*.php matches /folder/filename.php?parameters",
        "user-agent: a\ndisallow: /*.php",
        "a",
        "/folder/filename.php?parameters",
        NO,
    ),
    (
        "path matching: /*.php matches /folder/any.php.file.html",
        "user-agent: a\ndisallow: /*.php",
        "a",
        "/folder/any.php.file.html",
        NO,
    ),
    (
        "path matching: /*.php matches /filename.php/",
        "user-agent: a\ndisallow: /*.php",
        "a",
        "/filename.php/",
        NO,
    ),
    (
        "path matching: /*.php does not match /",
        "user-agent: a\ndisallow: /*.php",
        "a",
        "/",
        YES,
    ),
    (
        "path matching: /*.php does not match /windows.PHP",
        "user-agent: a\ndisallow: /*.php",
        "a",
        "/windows.PHP",
        YES,
    ),
    (
        "path matching: /*.php$ matches /folder/filename.php",
        "user-agent: a\ndisallow: /*.php$",
        "a",
        "/folder/filename.php",
        NO,
    ),
    (
        "path matching: /*.php$ does not match /filename.php?parameters",
        "user-agent: a\ndisallow: /*.php$",
        "a",
        "/filename.php?parameters",
        YES,
    ),
    (
        "path matching: /*.php$ does not match /filename.php/",
        "user-agent: a\ndisallow: /*.php$",
        "a",
        "/filename.php/",
        YES,
    ),
    (
        "path matching: /*.php$ does not match /filename.php5",
        "user-agent: a\ndisallow: /*.php$",
        "a",
        "/filename.php5",
        YES,
    ),
    (
        "path matching: /fish*.php matches /fish.php",
        "user-agent: a\ndisallow: /fish*.php",
        "a",
        "/fish.php",
        NO,
    ),
    (
        "path matching: /fish*.php matches /fishheads/catfish.php?parameters",
        "user-agent: a\ndisallow: /fish*.php",
        "a",
        "/fishheads/catfish.php?parameters",
        NO,
    ),
    (
        "path matching: /fish*.php does not match /Fish.PHP",
        "user-agent: a\ndisallow: /fish*.php",
        "a",
        "/Fish.PHP",
        YES,
    ),
    (
        "precedence of rules: allow /p, disallow /",
        "user-agent: a\nallow: /p\ndisallow: /",
        "a",
        "/page",
        YES,
    ),
    (
        "precedence of rules: allow /folder, disallow /folder",
        "user-agent: a\nallow: /folder\ndisallow: /folder",
        "a",
        "/folder/page",
        YES,
    ),
    (
        "precedence of rules: allow /page, disallow /*.htm",
        "user-agent: a\nallow: /page\ndisallow: /*.htm",
        "a",
        "/page.htm",
        NO,
    ),
    (
        "precedence of rules: allow /page, disallow /*.ph",
        "user-agent: a\nallow: /page\ndisallow: /*.ph",
        "a",
        "/page.php5",
        YES,
    ),
    (
        "precedence of rules: allow /$, disallow /: the root",
        "user-agent: a\nallow: /$\ndisallow: /",
        "a",
        "/",
        YES,
    ),
    (
        "precedence of rules: allow /$, disallow /: a page",
        "user-agent: a\nallow: /$\ndisallow: /",
        "a",
        "/page.htm",
        NO,
    ),
    (
        "file format: an invalid line is ignored",
        "user-agent: a\nthis is HTML\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
    (
        "file format: a byte order mark is ignored",
        "\u{feff}user-agent: a\ndisallow: /x",
        "a",
        "/x",
        NO,
    ),
];

fn wrong_rows(rows: &[Row]) -> Vec<String> {
    rows.iter()
        .filter(|(_, text, agent, path, allowed)| {
            let robots = Robots::parse(text.as_bytes());
            let ready = robots.rules_for(agent).allows(&RobotsPath::new(path));
            robots.is_allowed(agent, path) != *allowed || ready != *allowed
        })
        .map(|(sentence, ..)| (*sentence).to_owned())
        .collect()
}

#[test]
fn rules_follow_every_sentence_of_rfc_9309() {
    assert!(RFC.len() >= 120, "{}", RFC.len());
    assert_eq!(wrong_rows(RFC), Vec::<String>::new());
}

#[test]
fn rules_follow_every_example_in_googles_notes() {
    assert_eq!(wrong_rows(GOOGLE), Vec::<String>::new());
}

#[test]
fn section_2_2_1_the_product_token_is_part_of_the_user_agent_and_has_only_letters() {
    let token = audit_engine::PRODUCT_TOKEN;
    assert!(
        token
            .chars()
            .all(|c| c.is_ascii_alphabetic() || c == '_' || c == '-')
    );
    assert!(audit_engine::user_agent("https://example.com/bot").contains(token));
}

#[test]
fn section_2_2_4_a_sitemap_is_outside_of_groups() {
    let robots = Robots::parse(b"user-agent: b\ndisallow: /\nSitemap: https://example.com/s.xml\n");
    assert_eq!(robots.sitemaps().len(), 1);
}

#[test]
fn section_2_5_the_limit_is_500_kib() {
    assert_eq!(MAX_BYTES, 500 * 1024);
    let mut text = "user-agent: a\n".to_owned();
    text.push_str(&"# filler\n".repeat(MAX_BYTES / 9 - 10));
    text.push_str("disallow: /x\n");
    assert!(text.len() < MAX_BYTES);
    assert!(!Robots::parse(text.as_bytes()).is_allowed("a", "/x"));
}

#[test]
fn section_3_of_a_file_of_100_mb_only_the_beginning_is_read() {
    let text = "disallow: /x\n".repeat(100 * 1024 * 1024 / 13);
    let robots = Robots::parse(text.as_bytes());
    assert!(robots.is_truncated());
    assert!(robots.issues().len() <= 1_000);
}

#[test]
fn section_2_3_invalid_utf_8_does_not_affect_other_lines() {
    let robots = Robots::parse(b"user-agent: a\ndisallow: /\xe9\xff\ndisallow: /x");
    assert!(!robots.is_allowed("a", "/x"));
}

#[test]
fn section_2_3_utf_16_is_not_utf_8_and_has_no_rules() {
    for big in [false, true] {
        let bytes: Vec<u8> = "\u{feff}User-agent: *\nDisallow: /\n"
            .encode_utf16()
            .flat_map(|unit| {
                if big {
                    unit.to_be_bytes()
                } else {
                    unit.to_le_bytes()
                }
            })
            .collect();
        assert!(Robots::parse(&bytes).is_allowed("a", "/x"));
    }
}
