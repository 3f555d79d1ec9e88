//! Tests that the reader builds the same document as html5ever alone.

mod oracle;

use std::collections::BTreeSet;

use proptest::prelude::*;
use rstest::rstest;

use super::*;
use crate::dom::node::Stored;
use crate::dom::{NodeData, NodeId};

/// A textual description of a document, for comparison.
fn describe(dom: &Dom, lines: bool) -> Vec<String> {
    let mut parts = vec![format!(
        "{:?} {:?} cut: {}",
        dom.doctype(),
        dom.quirks(),
        dom.truncated()
    )];
    parts.extend(
        dom.elements_with_duplicate_attributes()
            .map(|element| format!("repeats: {:?}", element.id())),
    );
    for index in 0..dom.len() {
        let id = NodeId::from_index(index).unwrap();
        let node = dom.arena.node(id).unwrap();
        let template = match &node.stored {
            Stored::Element(element) => element.template_contents,
            _ => None,
        };
        let data = match dom.data(id) {
            Some(NodeData::Element(element)) => {
                let attributes: Vec<_> = element.attrs().collect();
                let kind = (element.is_html(), element.is_svg());
                format!("{} {kind:?} {attributes:?}", element.name())
            }
            other => format!("{other:?}"),
        };
        parts.push(format!(
            "{id:?} {data} line {:?} below {:?} behind {:?} before {:?} {template:?}",
            lines.then_some(node.line),
            node.parent,
            node.previous,
            node.next
        ));
    }
    parts
}

/// The distinct errors. The two parsers split text into tokens differently, with an error for each token.
fn errors(dom: &Dom) -> BTreeSet<&str> {
    dom.errors().iter().map(|error| &*error.message).collect()
}

/// The errors with their lines, in order. The oracle does not know the elements.
fn errors_and_lines(dom: &Dom) -> Vec<(u32, &str)> {
    let errors = dom.errors().iter();
    errors.map(|error| (error.line, &*error.message)).collect()
}

/// The errors that are not about text, in order.
fn errors_of_tags(dom: &Dom) -> Vec<&str> {
    let messages = dom.errors().iter().map(|error| &*error.message);
    messages
        .filter(|message| {
            !matches!(
                *message,
                "Unexpected token" | "Unexpected characters in table" | "Non-space table text"
            )
        })
        .collect()
}

fn read(html: &str, opts: TokenizerOpts, fast_path: bool) -> Dom {
    parse_with(Arc::new(html.to_owned()), opts, fast_path)
}

/// Compares everything but lines: the tokenizer does not count line breaks inside a tag.
fn compare(html: &str) {
    compare_with(html, false);
}

fn compare_with(html: &str, lines: bool) {
    // The tokenizer reports the exact line of a text only in exact-errors mode.
    let opts = |exact_errors| TokenizerOpts {
        exact_errors,
        discard_bom: false,
        ..TokenizerOpts::default()
    };
    // html5ever does not end scopes at `annotation-xml`, nor the way out of foreign content.
    if read(html, opts(true), false).used_annotation_rule {
        return;
    }
    let oracle = oracle::parse(html, opts(true));
    let there = describe(&oracle, lines);
    for fast_path in [false, true] {
        let here = describe(&read(html, opts(true), fast_path), lines);
        let differing = here.iter().zip(&there).find(|(here, there)| here != there);
        assert_eq!(differing, None, "fast path: {fast_path}, {html:?}");
        assert_eq!(here.len(), there.len(), "{html:?}");
    }
    let there = oracle::parse(html, opts(false));
    let here = read(html, opts(false), false);
    assert_eq!(
        errors_and_lines(&here),
        errors_and_lines(&there),
        "{html:?}"
    );
    let here = Dom::parse(html);
    assert_eq!(errors(&here), errors(&there), "{html:?}");
    assert_eq!(errors_of_tags(&here), errors_of_tags(&there), "{html:?}");
}

/// Names with and without a rule in tree construction.
const NAMES: [&str; 101] = [
    "a",
    "b",
    "br",
    "body",
    "button",
    "caption",
    "col",
    "colgroup",
    "dd",
    "div",
    "dl",
    "dt",
    "font",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "head",
    "hr",
    "html",
    "i",
    "iframe",
    "image",
    "img",
    "input",
    "isindex",
    "keygen",
    "li",
    "link",
    "listing",
    "main",
    "marquee",
    "math",
    "menuitem",
    "meta",
    "mi",
    "nobr",
    "noembed",
    "noframes",
    "noscript",
    "object",
    "ol",
    "optgroup",
    "option",
    "p",
    "param",
    "plaintext",
    "pre",
    "rb",
    "rp",
    "rt",
    "rtc",
    "ruby",
    "script",
    "select",
    "search",
    "style",
    "svg",
    "table",
    "tbody",
    "td",
    "template",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
    "tt",
    "ul",
    "wbr",
    "xmp",
    "foreignObject",
    "desc",
    "annotation-xml",
    "x-own",
    "address",
    "applet",
    "area",
    "base",
    "blockquote",
    "center",
    "code",
    "details",
    "embed",
    "fieldset",
    "footer",
    "h6",
    "hgroup",
    "mglyph",
    "mtext",
    "rect",
    "source",
    "span",
    "strong",
    "summary",
    "track",
    "u",
    "var",
    "x-other",
];

#[test]
fn the_dropped_line_feed_of_a_textarea_counts_as_a_line() {
    for text in [
        "\n", "\n\n", "\n\n\na", "\na\n", "\r\n\r\n", "\n&#10;", "\n\r\n\n", "a",
    ] {
        for name in ["textarea", "title", "script", "style"] {
            compare_with(
                &format!("<!doctype html>\n<{name}>{text}</{name}>\n<p>b"),
                true,
            );
        }
    }
}

#[test]
fn every_element_is_parsed_as_by_html5ever() {
    for outer in NAMES {
        for inner in NAMES {
            let html = format!(
                "<!doctype html>\n<{outer} id=a>\n x <{inner} class='b c'>\ny &lt;z</{inner}><!-- d --></{outer}><p>\ne"
            );
            compare_with(&html, true);
        }
    }
}

#[test]
fn unusual_markup_is_parsed_as_by_html5ever() {
    for html in [
        "",
        "\u{feff}<p>x",
        "a\r\nb\rc<p\r\nid=x\r>",
        "a\0b<p\0 i\0d='\0'>",
        "<p a=1 a=2>",
        "<p a='1'b='2'>",
        "<p a=\"1\n2\">x\n<i>y",
        "<p a = 1\n= b>",
        "<p a=1/>x<br/>y<br / >",
        "<p a=b'c d`e=f>",
        "<p a=>b>",
        "<p a= >b",
        "<p/a>",
        "<p =a>",
        "<p a<b>",
        "<p \"a>",
        "<p é=ü É='x'>",
        "<É>x</É>",
        "<p a=&amp;b c='&lt' d='?a=1&copy=2&amp;c' e=&>",
        "&amp &notit; &notin; & &; &#x110000; &#0; &#128; &#10;a",
        "<pre>\n\na</pre><pre>&#10;b</pre><listing>\n</listing>",
        "<textarea>\n</p>&lt;</textarea><title>a<b></title>b",
        "<script><!--<script></script>--></script>x<style></p></style>y",
        "<script>if (a > b && c < d) {}</script><p>x",
        "<!--><p>x--><!---><p>y--><!----><!-- a --!><b><!-- <!-- c --> d --><!--a--->",
        "<!-- a\nb\n--><p><!--<!---->x<!--<!- -->",
        "<!-- no end <p>x",
        "<!doctype html public 'a>b'><p>",
        "<!DOCTYPE><![CDATA[x]]><?php echo 1 ?><p>",
        "<svg><![CDATA[a>b<c]]><title>x<b></title><script>a<b></script><p>y</svg>",
        "<math><mi><p></mi><annotation-xml encoding='text/html'><div>",
        "</p></br></ p></><//></p a=b></p/></P\n>x",
        "<P CLASS=a ID='B'>X</P>",
        "<a<b>x</a<b>",
        "<plaintext><p>&amp;</plaintext>",
        "<script></script a=\"x>y\"><b></b x='>'>text",
        "<script>\n<!-- x </script>\ny</script>z<script>a</scripts></SCRIPT >\nb",
        "<title>\n a &amp; b &copy c </ title></title\n>d<textarea>\n\ne &lt;</textarea/><p>f",
        "<style a=1 a=2>a</style><style/>b</style><noscript><p>c</noscript><iframe><p>&amp;</iframe>d",
        "<frameset><title>a<frame></title><noframes><p></noframes>b",
        "<svg><style><p></style><title><script>a</script></title></svg><table><title>b</title><script>c</script>",
        "<!DocType Html><!doctype html>a<!doctype html >b",
        "<title>a</title a='>'><b><!-- </b> c --></b>d",
        "<style></p></ ></style a='>'><b><!-- > --></b>d",
        "<table>\n x\n <tr>\n y <td>\n z &nbsp; \n</table>",
        "<select>\n x<option>y<input>",
        "<frameset>\n x\n<frame>",
        "<head>\n\n x\n",
        "<meta charset=latin1><p>x",
        "a < b <3 <",
        "x</",
        "<p",
        "<p a='",
    ] {
        compare(html);
    }
}

#[test]
fn a_long_text_is_parsed_as_by_html5ever() {
    let long = "wörd &amp; ".repeat(10_000);
    compare(&format!(
        "<p title='{long}'>{long}<b>{long}</b><i title='a'>"
    ));
    compare(&"<p class='some-class'>some words</p>\n".repeat(5_000));
}

#[test]
fn common_markup_takes_the_fast_path() {
    let html =
        "<!doctype html><p class=\"a b\" hidden data-x='1'>Fish &amp; chips<br/><!-- c --></p >";
    let mut markup = Markup::new(html);
    let place = |written: &str| html.find(written).unwrap();
    assert!(markup.tag(place("<p")).is_some());
    assert!(
        markup
            .tag(place("<br"))
            .is_some_and(|(tag, _)| tag.kind == Kind::Start { self_closing: true })
    );
    assert!(
        markup
            .tag(place("</p"))
            .is_some_and(|(_, end)| end == html.len())
    );
    assert!(markup.comment(place("<!--")).is_some());
    assert!(markup.text(place("Fish"), place("<br")).is_some());
}

/// Well-formed and malformed markup fragments that are combined at random.
const PIECES: [&str; 105] = [
    "<annotation-xml encoding='Text/HTML'>",
    "<annotation-xml encoding=application/xhtml+xml>",
    "</annotation-xml>",
    "</script a=\"x>y\">",
    "</title x='>'>",
    "</style >",
    "<b x='>'>",
    "</b y=\">\">",
    "<!-- a > b -->",
    "<p>",
    "</p>",
    "<b>",
    "</b>",
    "<a href=x>",
    "</a>",
    "<div class=\"a b\">",
    "</div>",
    "<br/>",
    "<br>",
    "<table>",
    "<tr>",
    "<td>",
    "</td>",
    "</tr>",
    "</table>",
    "<ul>",
    "<li>",
    "</ul>",
    "<select>",
    "<option>",
    "</select>",
    "<svg>",
    "</svg>",
    "<math>",
    "</math>",
    "<title>",
    "</title>",
    "<script>",
    "</script>",
    "<style>",
    "</style>",
    "<textarea>",
    "</textarea>",
    "<template>",
    "</template>",
    "<pre>",
    "</pre>",
    "<h1>",
    "</h1>",
    "<form>",
    "</form>",
    "<body id=q>",
    "</body>",
    "<html lang=en>",
    "</html>",
    "<head>",
    "</head>",
    "<noscript>",
    "</noscript>",
    "<plaintext>",
    "<foreignObject>",
    "<frameset>",
    "<xmp>",
    "</xmp>",
    "<img src='a' alt=\"&lt;\">",
    "<input disabled>",
    "<i a=1 b='2' c=\"3\">",
    "<button>",
    "</button>",
    "<caption>",
    "<col>",
    "<!-- c -->",
    "<!--",
    "-->",
    "--!>",
    "<!doctype html>",
    "<![CDATA[",
    "]]>",
    "<",
    ">",
    "/",
    "</",
    "=",
    "'",
    "\"",
    "!",
    "-",
    "&",
    "&amp;",
    "&amp",
    "&#65;",
    "&#x",
    ";",
    "&nbsp;",
    "\n",
    " ",
    "\t",
    "\r\n",
    "\r",
    "\0",
    "a",
    "Z",
    "é",
    "word",
    "\u{feff}",
];

/// The fragments that neither start nor end a tag. Text in a table has the line of the token that ends it,
/// and text after `<pre>` the line after its dropped line feed, so both are excluded.
fn whole_pieces() -> Vec<&'static str> {
    let whole = |piece: &&str| {
        !matches!(*piece, "<table>" | "<pre>")
            && *piece != "\0"
            && piece.starts_with('<') == piece.ends_with('>')
    };
    PIECES.into_iter().filter(whole).collect()
}

/// A start tag, an end tag or a text. Few names are frequent, so that they interact.
fn any_part() -> impl Strategy<Value = String> {
    let few = prop::sample::select(
        &[
            "a",
            "b",
            "i",
            "p",
            "div",
            "table",
            "tr",
            "td",
            "svg",
            "template",
            "select",
            "li",
            "math",
            "annotation-xml",
        ][..],
    );
    let name = || prop_oneof![few.clone(), prop::sample::select(&NAMES[..])];
    let attributes = prop::sample::select(
        &[
            "",
            "",
            "",
            " class=a",
            " id=b class=a",
            " class=a id=b",
            " type=hidden",
            " color=red",
            " a=1 a=2",
            "/",
            " encoding=text/html",
            " encoding=application/XHTML+xml",
            " viewbox=1 xlink:href=2 definitionurl=3",
        ][..],
    );
    let text = prop::sample::select(
        &[
            "x",
            " ",
            "\n",
            " y z ",
            "&amp;",
            "\0",
            "<!-- c -->",
            "<![CDATA[d]]>",
        ][..],
    );
    prop_oneof![
        4 => (name(), attributes).prop_map(|(name, attributes)| format!("<{name}{attributes}>")),
        3 => name().prop_map(|name| format!("</{name}>")),
        1 => text.prop_map(str::to_owned),
    ]
}

#[rstest]
#[case("html", "")]
#[case(
    "HTML",
    "public '-//W3C//DTD HTML 4.01//EN' 'http://www.w3.org/TR/html4/strict.dtd'"
)]
#[case("html", "PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN'")]
#[case(
    "html",
    "PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN' 'http://www.w3.org/TR/html4/loose.dtd'"
)]
#[case("html", "PUBLIC '-//W3C//DTD HTML 4.01 Frameset//EN' ''")]
#[case(
    "html",
    "PUBLIC '-//w3c//dtd xhtml 1.0 Transitional//EN' 'http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd'"
)]
#[case(
    "html",
    "PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd'"
)]
#[case(
    "html",
    "PUBLIC '-//W3C//DTD XHTML 1.1//EN' 'http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd'"
)]
#[case("html", "PUBLIC '-//IETF//DTD HTML 2.0//EN'")]
#[case("html", "PUBLIC 'HTML'")]
#[case("html", "SYSTEM 'about:legacy-compat'")]
#[case(
    "html",
    "SYSTEM 'http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd'"
)]
#[case("html", "x")]
#[case("svg", "")]
fn doctypes_select_the_same_mode_as_in_html5ever(#[case] name: &str, #[case] ids: &str) {
    compare(&format!("<!doctype {name} {ids}><p><table><tr><td>x"));
}

proptest! {
    #[test]
    fn any_nesting_is_parsed_as_by_html5ever(parts in prop::collection::vec(any_part(), 0..50)) {
        compare(&parts.concat());
    }

    #[test]
    fn any_mixture_of_markup_is_parsed_as_by_html5ever(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40)) {
        compare(&pieces.concat());
    }

    #[test]
    fn lines_of_well_formed_markup_match_html5ever(
        pieces in prop::collection::vec(prop::sample::select(whole_pieces()), 0..40)
    ) {
        compare_with(&pieces.join("\n"), true);
    }

    #[test]
    fn any_text_is_parsed_as_by_html5ever(html in "[<>/!='\"&;a-cA \n-]{0,60}") {
        compare(&html);
    }
}
