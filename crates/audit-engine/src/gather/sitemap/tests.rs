use std::io::Write;

use proptest::prelude::*;
use rstest::rstest;

use super::*;

fn base() -> Url {
    Url::parse("https://example.com/sitemap.xml").unwrap()
}

fn parse(text: &str) -> Sitemap {
    Sitemap::parse(text.as_bytes(), &base())
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn urlset(entries: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{NAMESPACE}\">\n{entries}</urlset>\n"
    )
}

fn one(loc: &str) -> String {
    urlset(&format!("<url><loc>{loc}</loc></url>\n"))
}

fn locs(sitemap: &Sitemap) -> Vec<&str> {
    sitemap.entries.iter().map(|entry| entry.loc).collect()
}

fn urls(sitemap: &Sitemap) -> Vec<Option<String>> {
    sitemap
        .entries
        .iter()
        .map(|entry| entry.url().map(String::from))
        .collect()
}

fn texts(urls: &[Option<String>]) -> Vec<Option<&str>> {
    urls.iter().map(Option::as_deref).collect()
}

fn entry(sitemap: &Sitemap, index: usize) -> SitemapEntry<'_> {
    sitemap.entries.iter().nth(index).unwrap()
}

fn problems(sitemap: &Sitemap) -> Vec<(usize, &SitemapProblemKind)> {
    sitemap
        .problems
        .iter()
        .map(|problem| (problem.line, &problem.kind))
        .collect()
}

fn not_well_formed(sitemap: &Sitemap) -> Vec<usize> {
    sitemap
        .problems
        .iter()
        .filter(|problem| matches!(problem.kind, SitemapProblemKind::NotWellFormed { .. }))
        .map(|problem| problem.line)
        .collect()
}

fn invalid_reason(sitemap: &Sitemap) -> &str {
    match &sitemap.kind {
        SitemapKind::Invalid { reason, .. } => reason,
        other => panic!("{other:?} is not invalid"),
    }
}

#[test]
fn the_example_of_the_protocol_is_read() {
    let sitemap = parse(&urlset(
        "  <url>\n    <loc>https://example.com/</loc>\n    <lastmod>2005-01-01</lastmod>\n    \
         <changefreq>monthly</changefreq>\n    <priority>0.8</priority>\n  </url>\n  <url>\n    \
         <loc>\n      https://example.com/catalog?item=12&amp;desc=vacation_hawaii\n    </loc>\n  </url>\n",
    ));
    assert_eq!(sitemap.kind, SitemapKind::UrlSet);
    assert_eq!(sitemap.problems, []);
    assert!(!sitemap.too_many && !sitemap.too_large);
    let read: Vec<_> = sitemap
        .entries
        .iter()
        .map(|entry| (entry.loc, entry.lastmod, entry.line))
        .collect();
    assert_eq!(
        read,
        [
            ("https://example.com/", Some("2005-01-01"), 3),
            (
                "https://example.com/catalog?item=12&desc=vacation_hawaii",
                None,
                9
            ),
        ]
    );
    assert!(urls(&sitemap).iter().all(Option::is_some));
}

#[test]
fn an_index_lists_sitemaps() {
    let sitemap = parse(&format!(
        "<sitemapindex xmlns=\"{NAMESPACE}\"><sitemap><loc>https://example.com/a.xml.gz</loc>\
         <lastmod>2004-10-01T18:23:17+00:00</lastmod></sitemap><url><loc>https://example.com/no</loc></url>\
         <sitemap><loc>https://example.com/b.xml</loc></sitemap></sitemapindex>"
    ));
    assert_eq!(sitemap.kind, SitemapKind::Index);
    assert_eq!(
        locs(&sitemap),
        ["https://example.com/a.xml.gz", "https://example.com/b.xml"]
    );
    assert_eq!(
        entry(&sitemap, 0).lastmod,
        Some("2004-10-01T18:23:17+00:00")
    );
}

#[test]
fn a_text_lists_one_url_per_line() {
    let sitemap = parse(
        "\u{feff}\nhttps://example.com/a\r\n\n  HTTPS://example.com/b  \r/c\nhttps://exa mple.com/\n",
    );
    assert_eq!(sitemap.kind, SitemapKind::Text);
    assert_eq!(
        texts(&urls(&sitemap)),
        [
            Some("https://example.com/a"),
            Some("https://example.com/b"),
            Some("https://example.com/c"),
            None
        ]
    );
    let lines: Vec<_> = sitemap.entries.iter().map(|entry| entry.line).collect();
    assert_eq!(lines, [2, 4, 5, 6]);
    assert_eq!(
        problems(&sitemap),
        [
            (5, &SitemapProblemKind::RelativeLoc),
            (6, &SitemapProblemKind::InvalidLoc)
        ]
    );
}

#[rstest]
#[case("https://example.com/?a=1&amp;b=2", "https://example.com/?a=1&b=2")]
#[case(
    "https://example.com/&#97;&#x62;&#X63;",
    "https://example.com/ab&#X63;"
)]
#[case(
    "https://example.com/&lt;&gt;&quot;&apos;",
    "https://example.com/<>\"'"
)]
#[case(
    "<![CDATA[https://example.com/?a=1&b=2]]>",
    "https://example.com/?a=1&b=2"
)]
#[case("<![CDATA[ https://example.com/ ]]>a", "https://example.com/ a")]
#[case("https://example<!-- x -->.com/", "https://example.com/")]
#[case("https://example.com/<?x y?>a", "https://example.com/a")]
#[case("https://example.com/<b>bold</b>", "https://example.com/")]
#[case("https://example.com/&amp;lt;", "https://example.com/&lt;")]
#[case("https://example.com/ü", "https://example.com/ü")]
fn text_is_unescaped_once(#[case] written: &str, #[case] loc: &str) {
    assert_eq!(locs(&parse(&one(written))), [loc]);
}

#[rstest]
#[case("https://example.com/&eacute;")]
#[case("https://example.com/&#0;")]
#[case("https://example.com/&#x110000;")]
#[case("https://example.com/&#xD800;")]
#[case("https://example.com/?a=1&b=2;")]
fn an_unknown_entity_makes_a_loc_invalid(#[case] written: &str) {
    let sitemap = parse(&urlset(&format!(
        "<url><loc>{written}</loc></url>\n<url><loc>https://example.com/b</loc></url>\n"
    )));
    assert_eq!(
        texts(&urls(&sitemap)),
        [None, Some("https://example.com/b")]
    );
    assert_eq!(locs(&sitemap)[0], written);
    assert_eq!(
        problems(&sitemap),
        [(3, &SitemapProblemKind::UnknownEntity)]
    );
}

#[test]
fn an_entity_outside_a_loc_is_ignored() {
    let sitemap = parse(&urlset(
        "&x;<url><loc>https://example.com/</loc><lastmod>&y;</lastmod><priority>&z;</priority></url>",
    ));
    assert_eq!(texts(&urls(&sitemap)), [Some("https://example.com/")]);
    assert_eq!(sitemap.problems, []);
    assert_eq!(entry(&sitemap, 0).lastmod, Some("&y;"));
}

#[test]
fn a_billion_laughs_are_not_expanded() {
    let sitemap = parse(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE urlset [\n<!ENTITY lol \"lol\">\n\
         <!ENTITY lol1 \"&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;\">\n\
         <!ENTITY lol2 \"&lol1;&lol1;&lol1;&lol1;&lol1;&lol1;&lol1;&lol1;&lol1;&lol1;\">\n\
         <!ENTITY file SYSTEM \"file:///etc/passwd\">\n]>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n\
         <url><loc>https://example.com/&lol2;</loc></url>\n\
         <url><loc>&file;</loc></url>\n</urlset>",
    );
    assert_eq!(sitemap.kind, SitemapKind::UrlSet);
    assert_eq!(locs(&sitemap), ["https://example.com/&lol2;", "&file;"]);
    assert_eq!(texts(&urls(&sitemap)), [None, None]);
    assert_eq!(
        problems(&sitemap),
        [
            (9, &SitemapProblemKind::UnknownEntity),
            (10, &SitemapProblemKind::UnknownEntity)
        ]
    );
}

#[test]
fn a_bare_ampersand_is_reported_and_the_url_is_read() {
    let sitemap = parse(&urlset(
        "<url><loc>https://example.com/?a=1&b=2</loc></url>\n<url><loc>https://example.com/&</loc></url>\n",
    ));
    assert_eq!(
        texts(&urls(&sitemap)),
        [
            Some("https://example.com/?a=1&b=2"),
            Some("https://example.com/&")
        ]
    );
    assert_eq!(not_well_formed(&sitemap), [3, 4]);
}

#[test]
fn a_byte_order_mark_and_white_space_before_the_root_do_not_matter() {
    let document = one("https://example.com/");
    let (_, without_declaration) = document.split_once('\n').unwrap();
    let sitemap = parse(&format!("\u{feff}  \n{without_declaration}"));
    assert_eq!(sitemap.kind, SitemapKind::UrlSet);
    assert_eq!((sitemap.entries.len(), entry(&sitemap, 0).line), (1, 3));
    assert_eq!(sitemap.problems, []);
}

#[test]
fn white_space_before_the_declaration_is_reported_and_the_rest_is_read() {
    let sitemap = parse(&format!("\u{feff}\n{}", one("https://example.com/")));
    assert_eq!(sitemap.entries.len(), 1);
    assert_eq!(not_well_formed(&sitemap), [1]);
}

#[test]
fn gzip_is_detected_by_its_first_bytes() {
    let text = one("https://example.com/");
    assert_eq!(
        Sitemap::parse(&gzip(text.as_bytes()), &base()),
        parse(&text)
    );
    let list = Sitemap::parse(&gzip(b"https://example.com/\n"), &base());
    assert_eq!(list.kind, SitemapKind::Text);
}

#[test]
fn gzip_in_gzip_is_no_sitemap() {
    let bytes = gzip(&gzip(one("https://example.com/").as_bytes()));
    let sitemap = Sitemap::parse(&bytes, &base());
    assert!(invalid_reason(&sitemap).contains("neither"));
    assert!(sitemap.entries.is_empty());
}

#[test]
fn a_gzip_bomb_is_capped() {
    let mut text = one("https://example.com/").into_bytes();
    text.resize(MAX_BYTES + 1_000_000, b' ');
    let bomb = gzip(&text);
    assert!(bomb.len() < 2_000_000);
    let sitemap = Sitemap::parse(&bomb, &base());
    assert!(sitemap.too_large);
    assert_eq!(locs(&sitemap), ["https://example.com/"]);
    assert_eq!(sitemap.problems, []);
}

#[test]
fn a_broken_gzip_keeps_the_data_before_the_error() {
    let entries: String = (0..2_000)
        .map(|n: u32| {
            let noise = n.wrapping_mul(2_654_435_761);
            format!("<url><loc>https://example.com/{n}-{noise}</loc></url>\n")
        })
        .collect();
    let mut bytes = gzip(urlset(&entries).as_bytes());
    bytes.truncate(bytes.len() / 2);
    let sitemap = Sitemap::parse(&bytes, &base());
    assert_eq!(sitemap.kind, SitemapKind::UrlSet);
    assert!(sitemap.entries.len() > 100 && sitemap.entries.len() < 2_000);
    assert!(matches!(
        sitemap.problems.as_slice(),
        [SitemapProblem {
            kind: SitemapProblemKind::BrokenGzip,
            ..
        }]
    ));
    let nothing = Sitemap::parse(&[0x1f, 0x8b, 0x08], &base());
    assert!(invalid_reason(&nothing).contains("gzip"));
}

#[rstest]
#[case::xml("<url><loc>https://example.com/</loc></url>", SitemapKind::UrlSet)]
#[case::text("https://example.com/\n", SitemapKind::Text)]
fn fifty_thousand_urls_are_kept_and_one_more_is_not(
    #[case] entry: &str,
    #[case] kind: SitemapKind,
) {
    let parsed = |count: usize| match kind {
        SitemapKind::Text => parse(&entry.repeat(count)),
        _ => parse(&urlset(&entry.repeat(count))),
    };
    let exact = parsed(MAX_URLS);
    assert_eq!((exact.entries.len(), exact.too_many), (MAX_URLS, false));
    let more = parsed(MAX_URLS + 1);
    assert_eq!((more.entries.len(), more.too_many), (MAX_URLS, true));
    assert_eq!((more.kind, more.problems), (kind, vec![]));
}

#[test]
fn entries_without_a_loc_count_as_well() {
    let sitemap = parse(&urlset(&"<url/>".repeat(MAX_URLS + 1)));
    assert!(sitemap.too_many && sitemap.entries.is_empty());
    assert_eq!(sitemap.problems.len(), MAX_PROBLEMS);
}

#[test]
fn data_beyond_fifty_mebibytes_is_ignored() {
    let mut text = urlset("");
    text.truncate(text.len() - "</urlset>\n".len());
    text += "<url><loc>https://example.com/a</loc></url><!-- ";
    let mut bytes = text.into_bytes();
    // The limit cuts a character in two.
    bytes.resize(MAX_BYTES - 1, b' ');
    bytes.extend("ü --><url><loc>https://example.com/b</loc></url></urlset>".bytes());
    let sitemap = Sitemap::parse(&bytes, &base());
    assert!(sitemap.too_large);
    assert_eq!(locs(&sitemap), ["https://example.com/a"]);
    assert_eq!(sitemap.problems, []);

    let exact = Sitemap::parse(&vec![b' '; MAX_BYTES], &base());
    assert!(!exact.too_large);
}

#[rstest]
#[case::end_missing("<url><loc>https://example.com/b</loc></url>", 4)]
#[case::wrong_end("</url></urlset>", 4)]
#[case::crossed("<url><loc>https://example.com/x</url></loc></urlset>", 4)]
#[case::open_tag("\n\n<url", 6)]
#[case::open_comment("<!-- </urlset>", 4)]
#[case::open_cdata("<url><loc><![CDATA[x</loc></url></urlset>", 4)]
#[case::second_root("</urlset><urlset/>", 4)]
fn broken_xml_keeps_the_entries_before(#[case] end: &str, #[case] line: usize) {
    let mut text = urlset("<url><loc>https://example.com/a</loc></url>\n");
    text.truncate(text.len() - "</urlset>\n".len());
    text += end;
    let sitemap = parse(&text);
    assert_eq!(sitemap.kind, SitemapKind::UrlSet);
    assert_eq!(locs(&sitemap)[0], "https://example.com/a");
    assert_eq!(not_well_formed(&sitemap), [line], "{:?}", sitemap.problems);
}

#[test]
fn an_entry_that_ends_after_its_loc_counts() {
    let sitemap = parse("<urlset><url><loc>https://example.com/a</loc><lastmod>2026");
    assert_eq!(locs(&sitemap), ["https://example.com/a"]);
    let sitemap = parse("<urlset><url><loc>https://example.com/a");
    assert_eq!(locs(&sitemap), [""; 0]);
}

#[rstest]
#[case("https://www.sitemaps.org/schemas/sitemap/0.9")]
#[case("http://www.google.com/schemas/sitemap/0.84")]
#[case("http://www.sitemaps.org/schemas/sitemap/0.9/")]
fn another_namespace_is_told_and_read(#[case] namespace: &str) {
    let text = one("https://example.com/").replace(NAMESPACE, namespace);
    let sitemap = parse(&text);
    assert_eq!(locs(&sitemap), ["https://example.com/"]);
    let found = Some(namespace.to_owned());
    assert_eq!(
        problems(&sitemap),
        [(2, &SitemapProblemKind::WrongNamespace { found })]
    );
}

#[test]
fn a_missing_namespace_is_reported() {
    let sitemap = parse("<urlset><url><loc>https://example.com/</loc></url></urlset>");
    assert_eq!(sitemap.entries.len(), 1);
    assert_eq!(
        problems(&sitemap),
        [(1, &SitemapProblemKind::WrongNamespace { found: None })]
    );
}

#[test]
fn a_prefix_and_extensions_are_distinguished() {
    let sitemap = parse(&format!(
        "<s:urlset xmlns:s=\"{NAMESPACE}\" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">\
         <s:url><image:loc>https://example.com/no</image:loc><image:image><image:loc>https://example.com/a.png</image:loc>\
         <s:loc>https://example.com/deep</s:loc></image:image><s:loc>https://example.com/</s:loc></s:url>\
         <url><loc>https://example.com/other</loc></url></s:urlset>"
    ));
    assert_eq!(locs(&sitemap), ["https://example.com/"]);
    assert_eq!(sitemap.problems, []);
}

#[test]
fn entries_without_a_usable_loc_are_reported() {
    let long = "a".repeat(MAX_LOC_BYTES);
    let sitemap = parse(&urlset(&format!(
        "<url/>\n<url><loc/></url>\n<url><loc> \n </loc></url>\n\
         <url><loc>/relative</loc></url>\n<url><loc>relative</loc></url>\n\
         <url><loc>mailto:a@example.com</loc></url>\n<url><loc>https://example.com/{long}</loc></url>\n\
         <url><loc>https://example.com/1</loc><loc>https://example.com/2</loc></url>\n"
    )));
    assert_eq!(
        problems(&sitemap),
        [
            (3, &SitemapProblemKind::MissingLoc),
            (4, &SitemapProblemKind::MissingLoc),
            (5, &SitemapProblemKind::MissingLoc),
            (7, &SitemapProblemKind::RelativeLoc),
            (8, &SitemapProblemKind::RelativeLoc),
            (9, &SitemapProblemKind::InvalidLoc),
            (10, &SitemapProblemKind::LocTooLong),
        ]
    );
    assert_eq!(
        texts(&urls(&sitemap)),
        [
            Some("https://example.com/relative"),
            None,
            None,
            None,
            Some("https://example.com/1")
        ]
    );
    assert_eq!(entry(&sitemap, 3).loc.len(), MAX_LOC_BYTES);
}

#[rstest]
#[case("", "empty", None)]
#[case(" \n ", "empty", None)]
#[case("{\"urls\": []}", "neither", Some(1))]
#[case("\n\nwww.example.com\n", "neither", Some(3))]
#[case("<!DOCTYPE html>\n<html><body>404</body></html>", "<html>", Some(2))]
#[case("<?xml version=\"1.0\"?><opml/>", "<opml>", Some(1))]
#[case("<URLSET/>", "<URLSET>", Some(1))]
#[case("<!-- only a comment -->", "root element", Some(1))]
#[case("<", "root element", Some(1))]
fn other_documents_are_invalid(
    #[case] text: &str,
    #[case] reason: &str,
    #[case] expected_line: Option<usize>,
) {
    let sitemap = parse(text);
    assert!(
        invalid_reason(&sitemap).contains(reason),
        "{:?}",
        sitemap.kind
    );
    assert!(
        matches!(sitemap.kind, SitemapKind::Invalid { line, .. } if line == expected_line),
        "{:?}",
        sitemap.kind
    );
    assert!(sitemap.entries.is_empty());
}

#[test]
fn a_document_that_is_not_utf8_is_read_up_to_there() {
    let mut bytes = urlset("<url><loc>https://example.com/a</loc></url>\n").into_bytes();
    bytes.truncate(bytes.len() - "</urlset>\n".len());
    bytes.extend(b"<url><loc>https://example.com/caf\xE9</loc></url></urlset>");
    let sitemap = Sitemap::parse(&bytes, &base());
    assert_eq!(locs(&sitemap), ["https://example.com/a"]);
    assert_eq!(problems(&sitemap), [(4, &SitemapProblemKind::NotUtf8)]);
}

#[test]
fn utf_16_is_invalid() {
    let bytes: Vec<u8> = format!("\u{feff}{}", one("https://example.com/"))
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let sitemap = Sitemap::parse(&bytes, &base());
    assert!(invalid_reason(&sitemap).contains("UTF-8"));
    assert_eq!(problems(&sitemap), [(1, &SitemapProblemKind::NotUtf8)]);
}

#[test]
fn deep_nesting_is_harmless() {
    let text = format!("<urlset>{}", "<a>".repeat(500_000));
    let sitemap = parse(&text);
    assert_eq!(not_well_formed(&sitemap), [1]);
}

proptest! {
    #[test]
    fn any_octets_are_read(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = Sitemap::parse(&bytes, &base());
        let mut stream = vec![0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 0];
        stream.extend(&bytes);
        let _ = Sitemap::parse(&stream, &base());
        let _ = Sitemap::parse(&gzip(&bytes), &base());
    }

    #[test]
    fn any_markup_is_read(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "<urlset>", "</urlset>", "<url>", "</url>", "<loc>", "</loc>", "<url/>", "&amp;", "&x;",
                "&", ";", "<![CDATA[", "]]>", "<!--", "-->", "<!DOCTYPE x [", "]>", "<?xml", "?>", "\n",
                "https://example.com/", "ü", "<", ">", "\"", "<lastmod>", "</lastmod>", "<sitemapindex",
            ]),
            0..30,
        )
    ) {
        let text = pieces.concat();
        let sitemap = parse(&text);
        let last = text.matches('\n').count() + 1;
        prop_assert!(sitemap.entries.iter().all(|entry| entry.line <= last));
        prop_assert!(sitemap.problems.iter().all(|problem| problem.line <= last));
    }

    #[test]
    fn every_url_comes_back(paths in prop::collection::vec("[a-z0-9&<>'\" ü]{0,12}", 1..12)) {
        let entries: String = paths
            .iter()
            .map(|path| {
                let loc = format!("https://example.com/.{path}.");
                format!("<url><loc>{}</loc></url>", quick_xml::escape::escape(loc.as_str()))
            })
            .collect();
        let sitemap = parse(&urlset(&entries));
        prop_assert_eq!(&sitemap.problems, &[]);
        let expected: Vec<_> = paths.iter().map(|path| format!("https://example.com/.{path}.")).collect();
        prop_assert_eq!(locs(&sitemap), expected);
    }

    #[test]
    fn cutting_a_sitemap_keeps_a_beginning(cut in 0_usize..400) {
        let whole = urlset(&"<url><loc>https://example.com/a?b&amp;c</loc></url>\n".repeat(6));
        let all = parse(&whole);
        let part = Sitemap::parse(&whole.as_bytes()[..cut.min(whole.len())], &base());
        prop_assert!(part.entries.iter().zip(all.entries.iter()).all(|(a, b)| a == b));
        prop_assert!(part.entries.len() <= all.entries.len());
    }
}

#[rstest]
#[case::rss(
    "<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom'><channel><link>https://example.com/</link>\
     <atom:link href='https://example.com/feed' rel='self'/><item><title>A</title>\
     <atom:link href='https://example.com/no'/><link>https://example.com/a?x=1&amp;y=2</link></item>\
     <item><title>No link</title></item><item><link><![CDATA[ https://example.com/b ]]></link></item></channel></rss>"
)]
#[case::rdf(
    "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'>\
     <channel><link>https://example.com/</link></channel><item><link>https://example.com/a?x=1&amp;y=2</link></item>\
     <item><link>https://example.com/b</link></item></rdf:RDF>"
)]
#[case::atom(
    "<feed xmlns='http://www.w3.org/2005/Atom'><link href='https://example.com/'/>\
     <entry><link rel='self' href='https://example.com/no'/><link rel='alternate' href='https://example.com/a?x=1&amp;y=2'/>\
     <content><link href='https://example.com/no'/></content></entry>\
     <entry><source><link href='https://example.com/no'/></source><link href='/b'/></entry></feed>"
)]
fn a_feed_lists_the_pages_of_its_items(#[case] feed: &str) {
    let sitemap = parse(feed);
    assert_eq!(sitemap.kind, SitemapKind::Feed);
    assert_eq!(sitemap.problems, []);
    assert_eq!(
        texts(&urls(&sitemap)),
        [
            Some("https://example.com/a?x=1&y=2"),
            Some("https://example.com/b")
        ]
    );
}

#[test]
fn a_truncated_feed_keeps_its_items_and_expands_no_entity() {
    let sitemap = parse(
        "<!DOCTYPE rss [<!ENTITY x 'https://example.com/x'>]><rss><channel>\
         <item><link>https://example.com/a</link></item><item><link>&x;</link></item><item><link>https",
    );
    assert_eq!(texts(&urls(&sitemap)), [Some("https://example.com/a")]);
}

#[test]
fn news_image_video_and_language_extensions_do_not_confuse() {
    let sitemap = parse(
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' \
         xmlns:image='http://www.google.com/schemas/sitemap-image/1.1' \
         xmlns:video='http://www.google.com/schemas/sitemap-video/1.1' \
         xmlns:news='http://www.google.com/schemas/sitemap-news/0.9' xmlns:xhtml='http://www.w3.org/1999/xhtml'>\
         <url><image:image><image:loc>https://example.com/i.png</image:loc></image:image>\
         <video:video><video:player_loc>https://example.com/v</video:player_loc></video:video>\
         <news:news><news:publication_date>2026-01-01</news:publication_date></news:news>\
         <xhtml:link rel='alternate' hreflang='de' href='https://example.com/de'/>\
         <loc>https://example.com/a</loc></url></urlset>",
    );
    assert_eq!(texts(&urls(&sitemap)), [Some("https://example.com/a")]);
    assert_eq!(sitemap.problems, []);
}

#[test]
fn deep_elements_and_many_prefixes_are_not_compared() {
    let deep = format!(
        "<urlset xmlns=\"{NAMESPACE}\"><url><loc>https://example.com/</loc>{}<x:y/>{}</url></urlset>",
        "<a>".repeat(200),
        "</a>".repeat(200)
    );
    assert!(not_well_formed(&parse(&deep)).is_empty());
    let prefixes: String = (0..200).map(|n| format!(" xmlns:p{n}='urn:{n}'")).collect();
    let many = format!(
        "<urlset xmlns=\"{NAMESPACE}\"{prefixes}><url><loc>https://example.com/</loc><p150:a/></url></urlset>"
    );
    assert!(not_well_formed(&parse(&many)).is_empty());
}

#[test]
fn empty_dates_are_kept_up_to_a_limit() {
    let entry = "<url><loc>https://example.com/</loc><lastmod/></url>";
    let sitemap = parse(&urlset(&entry.repeat(MAX_PROBLEMS + 5)));
    assert_eq!(sitemap.empty_lastmods.len(), MAX_PROBLEMS);
}
