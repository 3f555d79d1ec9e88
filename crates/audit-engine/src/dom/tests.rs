use super::*;

fn first<'a>(dom: &'a Dom, name: &str) -> ElementRef<'a> {
    dom.descendants(dom.document())
        .filter_map(|id| dom.element(id))
        .find(|element| element.is(name))
        .unwrap()
}

#[test]
fn a_dom_can_be_sent_to_another_thread() {
    fn is_send<T: Send + Sync>() {}
    is_send::<Dom>();
}

#[test]
fn adjacent_text_is_merged_and_entities_are_resolved() {
    let dom = Dom::parse("<p>fish &amp; chips</p>");
    assert_eq!(first(&dom, "p").text(), "fish & chips");
    assert_eq!(dom.children(first(&dom, "p").id()).count(), 1);
}

#[test]
fn misnested_formatting_is_repaired_as_specified() {
    let dom = Dom::parse("<p>1<b>2<i>3</b>4</i>5</p>");
    assert_eq!(first(&dom, "p").raw_text(), "12345");
    assert!(dom.error_count() > 0);
}

#[test]
fn content_in_a_table_is_foster_parented_before_it() {
    let dom = Dom::parse("<body><table>lost<tr><td>x</table>");
    let texts: Vec<_> = dom
        .children(first(&dom, "body").id())
        .filter_map(|id| match dom.data(id) {
            Some(NodeData::Text(text)) => Some(text),
            _ => None,
        })
        .collect();
    assert_eq!(texts, ["lost"]);
}

#[test]
fn lines_count_from_one() {
    let dom = Dom::parse("<!doctype html>\n<html>\n<body>\n<img src=a>\n");
    assert_eq!(first(&dom, "img").line(), 4);
}

#[test]
fn template_contents_are_not_descendants() {
    let dom = Dom::parse("<template><img></template><p>x</p>");
    assert!(
        dom.descendants(dom.document())
            .filter_map(|id| dom.element(id))
            .all(|element| !element.is("img"))
    );
}

#[test]
fn a_duplicate_attribute_is_recorded() {
    let dom = Dom::parse(r#"<p class="a" class="b">x</p>"#);
    let found: Vec<_> = dom
        .elements_with_duplicate_attributes()
        .map(|e| e.attr("class"))
        .collect();
    assert_eq!(found, [Some("a")]);
}

#[test]
fn a_hundred_thousand_nested_elements_are_flattened_and_cut() {
    let dom = Dom::parse(&"<div>".repeat(100_000));
    let deepest = dom
        .descendants(dom.document())
        .map(|id| dom.ancestors(id).count())
        .max()
        .unwrap();
    assert!(deepest <= 514, "{deepest}");
    assert!(dom.truncated());
}

#[test]
fn six_hundred_nested_elements_are_all_kept() {
    let dom = Dom::parse(&"<div>".repeat(600));
    assert_eq!(
        dom.descendants(dom.document())
            .filter_map(|id| dom.element(id))
            .count(),
        603
    );
    assert!(!dom.truncated());
}

#[test]
fn a_document_with_too_many_nodes_is_truncated() {
    let dom = Dom::parse(&"<br>".repeat(MAX_NODES + 100_000));
    assert_eq!(dom.cut_by(), Some(Limit::Nodes));
    assert!(dom.len() <= MAX_NODES + MAX_NODES / 100);
}

#[test]
fn selectors_use_the_nearest_id_or_a_path() {
    let dom = Dom::parse(r#"<div id="menu"><ul><li>a<li><a href=x>b</a></ul></div><p>c</p>"#);
    assert_eq!(
        first(&dom, "a").selector(500).unwrap(),
        "#menu > ul > li:nth-of-type(2) > a"
    );
    assert_eq!(first(&dom, "p").selector(500).unwrap(), "html > body > p");
}

/// The elements that a selector of [`ElementRef::selector`] matches, by the rules of CSS.
fn matched(dom: &Dom, selector: &str) -> Vec<NodeId> {
    let all = dom.descendants(dom.document());
    let elements = all.filter_map(|id| dom.element(id));
    let steps: Vec<&str> = selector.rsplit(" > ").collect();
    elements
        .filter(|element| {
            let mut current = Some(*element);
            steps.iter().all(|step| {
                let Some(element) = current else {
                    return false;
                };
                current = element.parent();
                matches_step(element, step)
            })
        })
        .map(ElementRef::id)
        .collect()
}

fn matches_step(element: ElementRef<'_>, step: &str) -> bool {
    if let Some(id) = step.strip_prefix('#') {
        return element
            .attr("id")
            .is_some_and(|own| own.eq_ignore_ascii_case(id));
    }
    if step == ":root" {
        return element.parent().is_none();
    }
    let (name, position) = match step.split_once(':') {
        Some((name, rest)) => {
            let (kind, number) = rest.strip_suffix(')').unwrap().split_once('(').unwrap();
            (name, Some((kind, number.parse::<usize>().unwrap())))
        }
        None => (step, None),
    };
    let is_named = name == "*" || element.name().eq_ignore_ascii_case(name);
    let place = |of_type: bool| {
        let namespace = |one: ElementRef<'_>| (one.is_html(), one.is_svg());
        let Some(parent) = element.parent() else {
            return 1;
        };
        let siblings = parent.children();
        let mut counted = siblings.filter(|one| {
            !of_type || (one.name() == element.name() && namespace(*one) == namespace(element))
        });
        counted.position(|one| one == element).unwrap() + 1
    };
    is_named
        && position.is_none_or(|(kind, number)| match kind {
            "nth-child" => place(false) == number,
            "nth-of-type" => place(true) == number,
            _ => panic!("{step}"),
        })
}

#[test]
fn an_id_that_two_elements_have_is_not_used() {
    for (html, expected) in [
        (
            "<p id=a>x<p id=a><b>y</b>",
            "html > body > p:nth-of-type(2) > b",
        ),
        (
            "<p id=a>x<p id=A><b>y</b>",
            "html > body > p:nth-of-type(2) > b",
        ),
        ("<template><p id=a></template><p id=a><b>y</b>", "#a > b"),
    ] {
        let dom = Dom::parse(html);
        assert_eq!(first(&dom, "b").selector(500).unwrap(), expected, "{html}");
    }
}

proptest::proptest! {
    #[test]
    fn a_selector_matches_its_element_and_no_other(
        parts in proptest::collection::vec(
            proptest::sample::select(vec![
                "<p id=a>", "<div id=A>", "<div>", "</div>", "<ul><li id=b>", "<li>", "</ul>", "<svg>", "<html>",
                "</svg>", "<g id=a>", "<a>", "<A id=c>", "<title>x</title>", "<foreignObject>", "<o:p>", "<x$y id=b>",
                "<math><mi>", "<annotation-xml encoding=text/html>", "<table><tr><td id=1>", "</table>", "<template>",
                "</template>", "<style>", "</style>", "<b id='x y'>", "<linearGradient>", "<i id=é>", "text", "<br>",
            ]),
            0..40,
        ),
    ) {
        let dom = Dom::parse(&parts.concat());
        for element in dom.descendants(dom.document()).filter_map(|id| dom.element(id)) {
            if let Some(selector) = element.selector(500) {
                proptest::prop_assert_eq!(matched(&dom, &selector), [element.id()], "{}", selector);
            }
        }
    }
}

#[test]
fn selectors_are_the_same_among_few_and_many_siblings() {
    let html = format!("<div id=a>{}<b>x</b></div>", "<i></i><p>".repeat(100));
    let dom = Dom::parse(&html);
    let last = dom
        .descendants(dom.document())
        .filter_map(|id| dom.element(id))
        .filter(|element| element.is("p"))
        .last()
        .unwrap();
    assert_eq!(last.selector(500).unwrap(), "#a > p:nth-of-type(100)");
}

#[test]
fn snippets_are_bounded() {
    let dom = Dom::parse(&format!(
        "<a href=\"{}\">{}</a>",
        "x".repeat(5_000),
        "y ".repeat(5_000)
    ));
    assert!(first(&dom, "a").snippet().chars().count() <= 201);
}

#[test]
fn foreign_attributes_keep_their_prefix() {
    let dom = Dom::parse(r##"<svg><use xlink:href="#a"></use></svg>"##);
    let found = dom
        .descendants(dom.document())
        .filter_map(|id| dom.element(id))
        .find(|element| element.name() == "use")
        .unwrap();
    assert!(found.is_svg());
    assert_eq!(found.attr("xlink:href"), Some("#a"));
}

#[test]
fn head_and_body_of_an_empty_document_exist() {
    let dom = Dom::parse("");
    assert!(first(&dom, "body").children().next().is_none());
    assert_eq!(dom.quirks(), Quirks::Full);
}

#[test]
fn a_tag_with_a_million_attributes_truncates_the_document_before_it() {
    let bomb = (0..1_000_000)
        .map(|n| format!(" a{n}=1"))
        .collect::<String>();
    let dom = Dom::parse(&format!("<p>before</p><div{bomb}><p>behind</p>"));
    assert!(dom.truncated());
    assert_eq!(first(&dom, "body").text(), "before");
}

#[test]
fn a_million_attributes_after_an_apparent_comment_are_counted() {
    let bomb = (0..1_000_000).map(|n| format!(" a{n}")).collect::<String>();
    for before in [
        "<!-->",
        "<!--->",
        "<!--x--!>",
        "<!-- x ---->",
        "<title><!--</title>",
        "<noscript><!--</noscript>",
    ] {
        let dom = Dom::parse(&format!("{before}<p>before<div{bomb}>"));
        assert!(dom.truncated(), "{before}");
        assert_eq!(first(&dom, "p").text(), "before", "{before}");
    }
}

#[test]
fn scripts_comments_and_quotes_are_not_counted_as_attributes() {
    let words = "a b ".repeat(5_000);
    for html in [
        format!("<script>if (x <y) {words}</script><p>end"),
        format!("<!-- <a {words} --><p>end"),
        format!("<!-- > -> <a {words} - -- > ---><p>end"),
        format!("<title>1 <a {words}</title><p>end"),
        format!("<p title='{words}'>end"),
    ] {
        let dom = Dom::parse(&html);
        assert!(!dom.truncated());
        assert_eq!(first(&dom, "p").text(), "end");
    }
}

/// The tree of a document's body: each element with its namespace unless that is HTML, and its contents.
fn body(html: &str) -> String {
    fn write(dom: &Dom, id: NodeId, out: &mut String) {
        match dom.data(id) {
            Some(NodeData::Element(element)) => {
                let namespace = match (element.is_html(), element.is_svg()) {
                    (true, _) => "",
                    (_, true) => "svg ",
                    _ => "math ",
                };
                out.push_str(&format!("<{namespace}{}>", element.name()));
                for child in dom.children(id) {
                    write(dom, child, out);
                }
                out.push_str("</>");
            }
            Some(NodeData::Text(text)) => out.push_str(text),
            _ => {}
        }
    }
    let dom = Dom::parse(&format!("<!doctype html><body>{html}"));
    let body = first(&dom, "body");
    let mut out = String::new();
    for child in dom.children(body.id()) {
        write(&dom, child, &mut out);
    }
    out
}

#[rstest::rstest]
#[case("text/html")]
#[case("TEXT/Html")]
#[case("application/xhtml+xml")]
#[case("Application/XHTML+XML")]
fn an_annotation_in_html_contains_html(#[case] encoding: &str) {
    assert_eq!(
        body(&format!(
            "<math><annotation-xml encoding='{encoding}'>x<p>y<svg><g/></svg><math><mi></mi></math></p></annotation-xml></math>z"
        )),
        "<math math><math annotation-xml>x<p>y<svg svg><svg g></></><math math><math mi></></></></></>z"
    );
}

#[rstest::rstest]
#[case("")]
#[case("encoding=''")]
#[case("encoding='text/html '")]
#[case("encoding='text/html; charset=utf-8'")]
#[case("encoding='application/xml'")]
#[case("encoding='MathML-Content'")]
fn any_other_annotation_ends_before_html(#[case] attribute: &str) {
    assert_eq!(
        body(&format!(
            "<math><annotation-xml {attribute}><ci>x</ci><p>y</annotation-xml></math>"
        )),
        "<math math><math annotation-xml><math ci>x</></></><p>y</>"
    );
    assert_eq!(
        body(&format!(
            "<math><annotation-xml {attribute}><svg><desc><p>y"
        )),
        "<math math><math annotation-xml><svg svg><svg desc><p>y</></></></></>"
    );
}

#[test]
fn an_annotation_outside_of_mathml_is_no_integration_point() {
    assert_eq!(
        body("<svg><annotation-xml encoding=text/html><p>x"),
        "<svg svg><svg annotation-xml></></><p>x</>"
    );
}

#[test]
fn a_tag_that_leaves_foreign_content_stays_in_the_annotation() {
    assert_eq!(
        body("<math><annotation-xml encoding=text/html><svg><g><p>x"),
        "<math math><math annotation-xml><svg svg><svg g></></><p>x</></></>"
    );
}

#[test]
fn an_annotation_ends_the_scope_of_the_elements_around_it() {
    assert_eq!(
        body("<p>a<math><annotation-xml encoding=text/html><p>b</p></annotation-xml></math>c"),
        "<p>a<math math><math annotation-xml><p>b</></></>c</>"
    );
    assert_eq!(
        body("<div><math><annotation-xml></div>x"),
        "<div><math math><math annotation-xml>x</></></>"
    );
}
