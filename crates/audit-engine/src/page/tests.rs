use super::*;
use crate::view::Page;

#[test]
fn links_are_resolved_against_the_base_element() {
    let page = Page::builder()
        .url("https://example.com/a/b")
        .html(r#"<base href="/docs/"><a href="c?x=1#y">c</a><a href="//other.org/">o</a><a href="mailto:a@b.c">m</a><a href="https://[">i</a>"#);
    let targets: Vec<_> = page
        .links()
        .iter()
        .map(|link| link.target.clone())
        .collect();
    assert_eq!(
        targets,
        [
            LinkTarget::Internal(Url::parse("https://example.com/docs/c?x=1").unwrap().into()),
            LinkTarget::External(Url::parse("https://other.org/").unwrap().into()),
            LinkTarget::Other("mailto".into()),
            LinkTarget::Invalid,
        ]
    );
}

#[test]
fn the_title_of_an_svg_is_not_the_page_title() {
    let page = Page::builder().html("<body><svg><title>Icon</title></svg>");
    assert_eq!(page.title(), None);
}

#[test]
fn elements_with_rare_traits_are_those_that_have_them() {
    let html = "<h1 lang=en>a</h1><ul><li role=x>b<a href=x aria-label=c>d</a></ul><svg><a id=e></a></svg>
        <template><h2 role=y>f</h2></template><main><label for=g>h</label><input id=g tabindex=1></main>
        <p hidden style='color:red'>i<img src=j><iframe></iframe><button inert>k</button><video>l</video>";
    let page = Page::builder().html(html);
    let (mut met, every) = (0, (0..32).map(Traits::bit));
    for one in every.clone().chain(every.map(|one| one.or(Traits::ANCHOR))) {
        let found: Vec<_> = page.elements_with(one).collect();
        let having = page
            .elements()
            .filter(|element| page.traits(*element).has(one));
        assert_eq!(found, having.collect::<Vec<_>>(), "{one:?}");
        met += usize::from(!found.is_empty());
    }
    assert!(met > 40, "{met}");
}

#[test]
fn a_word_across_the_end_of_the_main_part_counts_once() {
    for (html, words) in [
        ("<body><i><main>x</main></i>y", 1),
        ("<span><div role=main>foo</div></span>bar baz", 2),
        ("<body>a<i><main>x</main></i> y", 3),
        ("<body><nav>a</nav><i><main>x</main></i>y", 2),
        ("<body><span role=navigation>a</span>b <main>x</main>y", 3),
    ] {
        let page = Page::builder().html(html);
        assert_eq!(page.words(), words, "{html}");
    }
}

#[test]
fn results_for_a_target_are_computed_once() {
    let html = "<a href=x#1>a</a><a href=y>b</a><a href=x#2>c</a><a href=x>d</a>";
    let page = Page::builder().html(html);
    let (mut targets, mut found) = (OfTargets::default(), 0);
    let answers: Vec<i32> = page
        .links()
        .iter()
        .map(|link| {
            targets.get(link, || {
                found += 1;
                found
            })
        })
        .collect();
    assert_eq!(answers, [1, 2, 1, 1]);
}

proptest::proptest! {
    #[test]
    fn words_are_those_of_the_text(
        parts in proptest::collection::vec(proptest::sample::select(vec![
            "a", " ", "b ", " c", "<nav>", "</nav>", "<p>", "<i>", "</i>", "<main>", "</main>",
            "<span role=navigation>", "</span>", "<div>", "</div>",
        ]), 0..16),
    ) {
        let page = Page::builder().html(&format!("<body>{}", parts.concat()));
        proptest::prop_assert_eq!(page.words(), word_count(page.text()));
    }
}

#[test]
fn canonicals_come_from_head_and_header() {
    let page = Page::builder()
        .header(
            "Link",
            r#"</style.css>; rel=preload, <https://example.com/x>; rel="canonical""#,
        )
        .html(r#"<link rel="Canonical" href="/y"><body><link rel=canonical href=/z>"#);
    let found: Vec<_> = page.canonicals().iter().map(Url::as_str).collect();
    assert_eq!(found, ["https://example.com/y", "https://example.com/x"]);
}

#[test]
fn a_page_with_a_self_canonical_is_indexable() {
    let page = Page::builder()
        .url("/a")
        .html(r#"<link rel=canonical href="/a"><p>x"#);
    assert!(page.is_indexable());
    let page = Page::builder()
        .url("/a")
        .html(r#"<link rel=canonical href="/b"><p>x"#);
    assert!(!page.is_indexable());
    let page = Page::builder()
        .header("X-Robots-Tag", "googlebot: none")
        .html("x");
    assert!(!page.is_indexable());
}

#[test]
fn data_blocks_are_not_scripts() {
    let page = Page::builder().html(
        r#"<script type="application/ld+json" src="a.json"></script><script src=b.js></script><script type=module src=c.js></script>"#,
    );
    let urls: Vec<_> = page
        .resources()
        .iter()
        .map(|r| r.url.path().to_owned())
        .collect();
    assert_eq!(urls, ["/b.js", "/c.js"]);
}

#[test]
fn a_preview_image_is_a_resource_that_browsers_do_not_load() {
    let page = Page::builder().html(
        "<meta property=og:image content=/a.png><meta name='OG:image:url' content=https://cdn.example/b.png><meta property=og:image:alt content=c><meta property=og:image>",
    );
    let found: Vec<_> = page
        .resources()
        .iter()
        .map(|r| (r.url.as_str(), r.kind, r.eager))
        .collect();
    let preview = |absolute| ResourceKind::Preview { absolute };
    assert_eq!(
        found,
        [
            ("https://example.com/a.png", preview(false), false),
            ("https://cdn.example/b.png", preview(true), false)
        ]
    );
}

#[test]
fn language_versions_are_read_from_headers_as_well() {
    let page = Page::builder()
        .header(
            "Link",
            "</de>; rel=\"alternate\"; hreflang=\"de\", <https://example.fr/>; hreflang=fr; rel=alternate",
        )
        .header("Link", "</a>; rel=alternate, </b>; rel=next; hreflang=it")
        .html("x");
    let found: Vec<_> = page
        .alternates_in_headers()
        .map(|(code, url)| format!("{code} {url}"))
        .collect();
    assert_eq!(
        found,
        ["de https://example.com/de", "fr https://example.fr/"]
    );
}

#[test]
fn the_main_element_has_the_main_text() {
    let page = Page::builder().html("<p>before</p><main><nav>m</nav><p>inside</p></main>");
    assert_eq!(page.main_text(), "inside");
    assert_eq!(page.text(), "before\nm\ninside");
}

#[test]
fn a_local_copy_of_a_public_page_is_indexable() {
    let html = r#"<link rel=canonical href="https://example.com/a"><p>x"#;
    assert!(
        Page::builder()
            .url("http://127.0.0.1:8000/a")
            .html(html)
            .is_indexable()
    );
    assert!(
        !Page::builder()
            .url("http://127.0.0.1:8000/b")
            .html(html)
            .is_indexable()
    );
}

proptest::proptest! {
    #[test]
    fn a_link_leads_where_its_address_does_but_for_the_fragment(
        base in "(/[a-z]{0,3}){1,3}(\\?[a-z]{1,2})?",
        hrefs in proptest::collection::vec("[ \t\u{1}]{0,2}[a-c/.?:# %é\"<\\\\\t]{0,12}[ \n]{0,2}", 1..6),
    ) {
        let html: String = hrefs
            .iter()
            .map(|href| format!("<a href='{href}'>x</a>"))
            .collect();
        let page = Page::builder().url(&base).html(&html);
        for link in page.links() {
            let written = page.href(link);
            match page.base().join(written) {
                Ok(url) if matches!(url.scheme(), "http" | "https") => {
                    let fragment = page.fragment(link);
                    proptest::prop_assert_eq!(fragment.as_deref(), url.fragment());
                    proptest::prop_assert_eq!(link.url(), Some(&without_fragment(&url)));
                }
                Ok(url) => {
                    let scheme = LinkTarget::Other(url.scheme().into());
                    proptest::prop_assert_eq!(&link.target, &scheme);
                }
                Err(_) => proptest::prop_assert_eq!(&link.target, &LinkTarget::Invalid),
            }
        }
        proptest::prop_assert_eq!(page.links().len(), hrefs.len());
    }
}

#[test]
fn links_that_differ_only_in_their_fragment_share_an_address() {
    let page = Page::builder().html(
        "<a href=b>1</a><a href=b#x>2</a><a href='b#'>3</a><a href=c#x>4</a><a href='b #x'>5</a>",
    );
    let address = |number: usize| match &page.links()[number].target {
        LinkTarget::Internal(url) => Arc::clone(url),
        other => panic!("{other:?}"),
    };
    assert!(Arc::ptr_eq(&address(0), &address(1)) && Arc::ptr_eq(&address(0), &address(2)));
    assert_ne!(address(0), address(3));
    assert!(address(4).as_str().ends_with("/b%20"));
}

#[test]
fn data_blocks_are_no_scripts() {
    for kind in [
        "application/ld+json",
        "application/json",
        "speculationrules",
        "importmap",
        "text/template",
        "text/javascript; charset=utf-8",
    ] {
        let page = Page::builder().html(&format!("<script type='{kind}'>{{}}</script><p>x"));
        assert!(!page.runs_scripts(), "{kind}");
    }
    for attributes in [
        "",
        "type",
        "type=module",
        "type=' TEXT/JavaScript '",
        "type=application/x-javascript",
        "type=text/jscript",
        "language=JavaScript1.5",
    ] {
        let page = Page::builder().html(&format!("<script {attributes}>1</script><p>x"));
        assert!(page.runs_scripts(), "{attributes}");
    }
}

#[test]
fn an_invalid_canonical_does_not_make_a_page_unindexable() {
    for href in [
        "file:///C:/site/index.html",
        "javascript:void(0)",
        "mailto:a@example.com",
        "",
        " ",
        "https://",
    ] {
        let page = Page::builder().html(&format!("<link rel=canonical href='{href}'><p>x"));
        assert_eq!(page.canonicals(), [], "{href}");
        assert!(page.is_indexable(), "{href}");
    }
    let page = Page::builder()
        .header("Link", "<file:///a>; rel=canonical")
        .html("<p>x");
    assert!(page.is_indexable());
    let page = Page::builder()
        .html("<link rel=canonical href='file:///a'><link rel=canonical href=https://example.com/other><p>x");
    assert!(!page.is_indexable());
}
