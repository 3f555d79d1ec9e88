use domain::Dimension;
use domain::report::{Unjudged, UnjudgedCheck};
use rstest::rstest;

use super::*;
use crate::sample;

const COLOR: TerminalOptions = TerminalOptions {
    color: true,
    width: 80,
    all_issues: true,
    max_issues: 10,
};

fn text(result: &domain::report::AuditResult) -> String {
    render(&sample::report(result), &TerminalOptions::default())
}

#[test]
fn nothing_found() {
    insta::assert_snapshot!(text(&sample::empty()), @r#"
        https://ferry.example/ · 12 pages

          ● 100 good  Overall

          ● 100 good  Performance    ██████████
          ● 100 good  Accessibility  ██████████
          ● 100 good  SEO            ██████████
          ● 100 good  Security       ██████████
          ● 100 good  Content        ██████████
          ● 100 good  AI readiness   ██████████

        No issues were found.

        Audited 12 pages (static HTML) with 31 requests.

        Use --json for the score calculation and up to 20 causes of each issue.

        100 good · perf 100 · a11y 100 · seo 100 · sec 100 · content 100 · ai 100
        0 issues · 12 pages
        "#);
}

#[test]
fn a_good_site() {
    insta::assert_snapshot!(text(&sample::good()), @r#"
        https://ferry.example/ · 12 pages

          ● 100 good  Overall

          ● 100 good  Performance    ██████████
          ● 100 good  Accessibility  ██████████
          ● 100 good  SEO            ██████████
          ● 100 good  Security       ██████████
          ● 100 good  Content        ██████████
          ● 100 good  AI readiness   ██████████

        Do first  1 issue
          Gain  Severity  Reach   Effort  Issue
          <0.1  ○ minor   1 page  small   Pages without a description

        ○ minor  Pages without a description
          SEO, meta-description. On 1 of 12 pages. Search engines pick a passage
          themselves.
          https://ferry.example/tickets
            There is no meta element named description.
          Fix (small effort, under 0.1 points): Write one or two sentences on what the
          page is for.

        Audited 12 pages (static HTML) with 31 requests.

        Use --json for the score calculation and up to 20 causes of each issue.

        100 good · perf 100 · a11y 100 · seo 100 · sec 100 · content 100 · ai 100
        1 issue · 12 pages
        "#);
}

#[test]
fn a_bad_site() {
    insta::assert_snapshot!(text(&sample::bad()), @r#"
        https://ferry.example/ · 12 pages · the crawl stopped at the page limit

          ◕  70 fair  Overall

          ● 100 good  Performance    ██████████
          ◕  85 fair  Accessibility  ████████░░  −15  Images without a text alternat… 15
          ○  30 poor  SEO            ███░░░░░░░  −70  No page may be… 69.8 +1 more (cap)
          ● 100 good  Security       ██████████
          ●  98 good  Content        █████████░   −2  Broken links within the site 2.3
          ● 100 good  AI readiness   ██████████

        Do first  5 issues
           Gain  Severity    Reach       Effort  Issue
          +26.4  ▲ critical  whole site  small   No page may be indexed
           +1.5  ◆ serious   9 pages     small   Images without a text alternative
           +0.2  ● moderate  4 pages     small   Broken links within the site
                 ○ minor     1 page      small   Pages without a description
                 · info      whole site  small   The site has no llms.txt

        ▲ critical  No page may be indexed
          SEO, site-noindex. Search engines leave the whole site out.
          https://ferry.example/
            x-robots-tag: noindex
            Every answer says noindex.
          Fix (small effort, +26.4 points): Remove `noindex` from the X-Robots-Tag
          header of the server.

        ◆ serious  Images without a text alternative
          Accessibility, image-alt. On 9 of 12 pages, 31 times. A screen reader falls
          back to the file name, which says little.
          https://ferry.example/ line 12
            main > figure:nth-child(12) > img
            <img src="plan.png" class="wide">
            The image has no alt attribute.
          https://ferry.example/ line 40
            main > figure:nth-child(40) > img
            <img src="deck.jpg" class="wide">
          https://ferry.example/tickets line 9
            main > figure:nth-child(9) > img
            <img src="map.png" class="wide">
          and 28 more occurrences
          Fix (small effort, +1.5 points): Add an `alt` attribute that says what the
          image shows. Leave it empty where the image only decorates.

        ● moderate  Broken links within the site
          Content, link-broken-internal. On 4 of 12 pages, 6 times. People who follow
          the link end at an error message.
          - Broken link to /tmies: 4 pages
            https://ferry.example/ line 31
              <a href="/tmies">
              /tmies answers 404.
            and 3 more occurrences
          - Broken link to /old: 1 page
            https://ferry.example/news line 31
              <a href="/old">
              /old answers 404.
          and 1 more cause
          Fix (small effort, +0.2 points): Correct the address, or remove the link.

        ○ minor  Pages without a description
          SEO, meta-description. On 1 of 12 pages. Search engines pick a passage
          themselves.
          https://ferry.example/tickets
            There is no meta element named description.
          Fix (small effort): Write one or two sentences on what the page is for.

        · info  The site has no llms.txt
          AI readiness, llms-txt. Few assistants read it.
          https://ferry.example/llms.txt
            The answer was 404.
          Note: Leave it, or offer one.

        Audited 12 pages (static HTML) with 2,210 requests. 1,418 more URLs were
        discovered that are not pages or were not visited. The crawl stopped at the page
        limit; --max-pages raises it. Skipped: disallowed by robots.txt (12) and on
        other sites (1,204).
        Not run (needs a browser, and there is none): contrast, focus-order,
        layout-shift, long-tasks, tap-target and 2 more.
        Cannot tell (the crawl is not complete): orphan-page.
        Partially evaluated (only the first 1,000 links of a page are judged):
        link-broken-internal (12,345 times).

        Use --json for the score calculation and up to 20 causes of each issue.

        70 fair · perf 100 · a11y 85 · seo 30 · sec 100 · content 98 · ai 100
        5 issues (1 critical, 1 serious) · 12 pages
        "#);
}

#[test]
fn fewer_issues_than_found() {
    let options = TerminalOptions {
        max_issues: 1,
        ..TerminalOptions::default()
    };
    let text = render(&sample::report(&sample::bad()), &options);
    let tail: Vec<_> = text
        .lines()
        .skip_while(|line| !line.contains("more issues"))
        .collect();
    insta::assert_snapshot!(tail.join("\n"), @r#"
        4 more issues: 1 serious, 1 moderate, 1 minor and 1 info.

        Audited 12 pages (static HTML) with 2,210 requests. 1,418 more URLs were
        discovered that are not pages or were not visited. The crawl stopped at the page
        limit; --max-pages raises it. Skipped: disallowed by robots.txt (12) and on
        other sites (1,204).
        Not run (needs a browser, and there is none): contrast, focus-order,
        layout-shift, long-tasks, tap-target and 2 more.
        Cannot tell (the crawl is not complete): orphan-page.
        Partially evaluated (only the first 1,000 links of a page are judged):
        link-broken-internal (12,345 times).

        Use --all for all 5 issues and --json for the score calculation and up to 20
        causes of each issue.

        70 fair · perf 100 · a11y 85 · seo 30 · sec 100 · content 98 · ai 100
        5 issues (1 critical, 1 serious) · 12 pages
        "#);
}

#[test]
fn chosen_checks_show_no_score() {
    let report = sample::report(&sample::bad());
    let ids = ["image-alt", "contrast", "seo-basics", "video-captions"].map(str::to_owned);
    let text = render_check_findings(&report, &ids, &TerminalOptions::default());
    assert!(!text.contains("points"));
    insta::assert_snapshot!(text, @r#"
        https://ferry.example/

        ◆ serious  Images without a text alternative
          Accessibility, image-alt. On 9 of 12 pages, 31 times. A screen reader falls
          back to the file name, which says little.
          https://ferry.example/ line 12
            main > figure:nth-child(12) > img
            <img src="plan.png" class="wide">
            The image has no alt attribute.
          https://ferry.example/ line 40
            main > figure:nth-child(40) > img
            <img src="deck.jpg" class="wide">
          https://ferry.example/tickets line 9
            main > figure:nth-child(9) > img
            <img src="map.png" class="wide">
          https://ferry.example/times line 9
            main > figure:nth-child(9) > img
            <img src="map.png" class="wide">
          and 27 more occurrences
          Fix (small effort): Add an `alt` attribute that says what the image shows.
          Leave it empty where the image only decorates.

        contrast: not run, needs a browser, and there is none.

        seo-basics: passed, applied 12 times.

        video-captions: not applicable to this site.

        Audited 12 pages (static HTML) with 2,210 requests. 1,418 more URLs were
        discovered that are not pages or were not visited. The crawl stopped at the page
        limit; --max-pages raises it. Skipped: disallowed by robots.txt (12) and on
        other sites (1,204).
        "#);
}

#[rstest]
#[case(0, 40)]
#[case(40, 40)]
#[case(80, 80)]
#[case(120, 120)]
fn lines_fit_the_terminal(#[case] width: u16, #[case] columns: usize) {
    let options = TerminalOptions {
        width,
        all_issues: true,
        ..TerminalOptions::default()
    };
    let report = sample::report(&sample::bad());
    let ids = report
        .issues
        .iter()
        .map(|issue| issue.check_id.clone())
        .collect::<Vec<_>>();
    let text = render(&report, &options) + &render_check_findings(&report, &ids, &options);
    for line in text.lines().filter(|line| !line.contains("://")) {
        assert!(wrap::columns(line) <= columns, "{line}");
    }
}

#[test]
fn the_head_has_the_facts_and_the_change() {
    let report = sample::report(&sample::bad());
    let facts = TerminalFacts {
        created_at: Some("2026-11-21T12:05:40.000Z"),
        took: Some(Duration::from_millis(8_260)),
        baseline_score: Some(67),
    };
    let head = |width| {
        let options = TerminalOptions {
            width,
            ..TerminalOptions::default()
        };
        let text = render_scored(&report, &Scored::Whole, &facts, &options);
        let lines = text.lines().take(4).filter(|line| !line.is_empty());
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let url = "https://ferry.example/";
    let about = "2026-11-21 12:05 UTC · 12 pages in 8.2 s · the crawl stopped at the page limit";
    let overall = "  ◕  70 fair  Overall  +3 points since the baseline";
    assert_eq!(head(80), [url, about, overall]);
    assert_eq!(head(120), [format!("{url} · {about}").as_str(), overall]);
}

#[test]
fn a_narrow_terminal_has_titles_below_their_rows() {
    let options = TerminalOptions {
        width: 40,
        max_issues: 1,
        ..TerminalOptions::default()
    };
    let text = render(&sample::report(&sample::bad()), &options);
    let lines: Vec<_> = text
        .lines()
        .skip_while(|line| !line.starts_with("Do first"))
        .take(4)
        .collect();
    assert_eq!(
        lines,
        [
            "Do first  1 of 5 issues",
            "   Gain  Severity    Reach       Effort",
            "  +26.4  ▲ critical  whole site  small",
            "      No page may be indexed",
        ]
    );
}

#[test]
fn further_lines_of_a_cause_begin_below_its_text() {
    use crate::sample::Causes;
    let mut result = sample::bad();
    let finding = result.findings.remove(0);
    let place = finding.causes[0].occurrences[0].clone();
    let address = format!("http://ferry.example/{}", "long/".repeat(20));
    let title = format!("Render-blocking script: {address}");
    let finding = finding.with_causes(&[(&title, 40), ("Another", 1)], &[place]);
    result.findings = vec![finding];
    let text = text(&result);
    let lines: Vec<_> = text
        .lines()
        .skip_while(|line| !line.starts_with("  - Render"))
        .take(2)
        .collect();
    assert_eq!(lines[0], "  - Render-blocking script:");
    assert!(
        lines[1].starts_with(&format!("    {address}")),
        "{}",
        lines[1]
    );
}

#[test]
fn without_colour_there_is_no_escape() {
    assert!(!text(&sample::bad()).contains('\u{1b}'));
}

#[test]
fn colour_only_adds() {
    let report = sample::report(&sample::bad());
    let coloured = render(&report, &COLOR);
    assert!(coloured.contains('\u{1b}'));
    let mut bare = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        bare.push_str(before);
        rest = after.split_once('m').unwrap().1;
    }
    bare.push_str(rest);
    assert_eq!(
        bare,
        render(
            &report,
            &TerminalOptions {
                color: false,
                ..COLOR
            }
        )
    );
}

/// Everything a page could try, with the letters of an attack left in.
const ATTACK: &str = "A\u{1b}[2J\u{1b}]52;c;ZXZpbA==\u{7}\u{1b}]8;;http://evil.example\u{1b}\\\
    \u{9b}31m\u{9d}0;t\u{9c}\r\n\u{8}\u{7f}\u{0}\u{202e}\u{2066}\u{200b}\u{2028}\u{feff}Z";

#[test]
fn a_hostile_page_commands_no_terminal() {
    let report = sample::report(&sample::hostile(ATTACK));
    let plain = TerminalOptions {
        color: false,
        ..COLOR
    };
    let ids = [ATTACK.to_owned(), format!("{ATTACK}2")];
    let text = render(&report, &plain) + &render_check_findings(&report, &ids, &plain);
    for byte in text.bytes() {
        assert!(
            byte == b'\n' || (byte >= 0x20 && byte != 0x7f),
            "byte {byte:#x}"
        );
    }
    // C1 controls, bidirectional and zero-width marks as the bytes a terminal would see.
    for forbidden in [
        "\u{9b}", "\u{9c}", "\u{9d}", "\u{202e}", "\u{2066}", "\u{200b}", "\u{2028}", "\u{feff}",
    ] {
        let bytes = forbidden.as_bytes();
        assert!(
            !text
                .as_bytes()
                .windows(bytes.len())
                .any(|window| window == bytes)
        );
    }
    assert!(text.contains(r"\u{1b}[2J"));
}

#[test]
fn with_colour_only_our_own_sequences_are_there() {
    let report = sample::report(&sample::hostile(ATTACK));
    let text = render(&report, &COLOR);
    let own = ["[0m", "[1m", "[2m", "[31m", "[32m", "[33m"];
    for sequence in text.split('\u{1b}').skip(1) {
        assert!(
            own.iter().any(|own| sequence.starts_with(own)),
            "{sequence}"
        );
    }
    assert!(!text.contains('\u{9b}') && !text.contains('\u{7}') && !text.contains('\r'));
}

#[test]
fn the_largest_causes_are_shown_and_more_of_them_with_all() {
    use crate::sample::Causes;
    let mut result = sample::bad();
    let finding = result.findings.remove(0);
    let place = finding.causes[0].occurrences[0].clone();
    let titles: Vec<_> = (0..30).map(|number| format!("Image {number:02}")).collect();
    let causes: Vec<_> = titles
        .iter()
        .zip(1..)
        .map(|(title, total)| (&**title, total))
        .collect();
    result.findings.push(finding.with_causes(&causes, &[place]));
    let report = sample::report(&result);
    let shown = |all_issues| {
        let options = TerminalOptions {
            all_issues,
            ..TerminalOptions::default()
        };
        let text = render(&report, &options);
        let lines = text.lines().map(str::trim_start);
        let causes = lines.clone().filter(|line| line.starts_with("- Image "));
        let more = lines.filter(|line| line.ends_with("more causes"));
        (
            causes.map(str::to_owned).collect::<Vec<_>>(),
            more.map(str::to_owned).collect::<Vec<_>>(),
        )
    };
    let (causes, more) = shown(false);
    assert_eq!(
        causes,
        [
            "- Image 29: 9 pages, 30 times",
            "- Image 28: 9 pages, 29 times",
            "- Image 27: 9 pages, 28 times"
        ]
    );
    assert_eq!(more, ["and 27 more causes"]);
    let (causes, more) = shown(true);
    assert_eq!(
        (causes.len(), more),
        (20, vec!["and 10 more causes".to_owned()])
    );
}

#[test]
fn a_check_that_passed_on_some_pages_says_so_beside_what_it_cannot_tell() {
    let mut report = sample::report(&sample::bad());
    report.unjudged.push(UnjudgedCheck {
        check_id: "seo-basics".to_owned(),
        dimension: Dimension::Seo,
        why: Unjudged::CannotTell("The page is too large.".to_owned()),
        count: 2,
    });
    let ids = ["seo-basics".to_owned()];
    let text = render_check_findings(&report, &ids, &TerminalOptions::default());
    let expected = "seo-basics: passed, applied 12 times.\nseo-basics: cannot tell (2 times), the page is too large.\n";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn a_check_that_was_judged_in_part_says_so_beside_what_it_found() {
    let report = sample::report(&sample::bad());
    let ids = ["link-broken-internal".to_owned()];
    let text = render_check_findings(&report, &ids, &TerminalOptions::default());
    assert!(
        text.contains(
            "link-broken-internal: partially evaluated (12,345 times), only the first 1,000"
        ),
        "{text}"
    );
    assert!(text.contains("Broken link to /old"), "{text}");
}
