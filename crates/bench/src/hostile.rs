//! Documents that are built to cost time or memory: a table of families, and mixtures of their parts.

/// The amount of a part in a document.
#[derive(Debug, Clone, Copy)]
enum Amount {
    /// This number of repetitions.
    Times(usize),
    /// As many repetitions as fill this percentage of the document.
    Share(usize),
}
use Amount::{Share, Times};

/// A text in which `{n}` is the number of the repetition and `{w}` a pseudorandom word.
type Part = (&'static str, Amount);

/// Every family: its name and the parts of its documents.
const FAMILIES: &[(&str, &[Part])] = &[
    // Tags.
    (
        "start tag of attributes",
        &[
            ("<p>x<p", Times(1)),
            (" a{n}", Share(100)),
            (">y", Times(1)),
        ],
    ),
    (
        "end tag of attributes",
        &[
            ("<p>x</p", Times(1)),
            (" a{n}", Share(100)),
            (">y", Times(1)),
        ],
    ),
    (
        "attributes behind svg title",
        &[("<svg><title><p", Times(1)), (" a{n}", Share(100))],
    ),
    (
        "attributes behind cdata",
        &[("<svg><![CDATA[<!--]]><p", Times(1)), (" a{n}", Share(100))],
    ),
    (
        "attributes behind a bogus comment",
        &[("<!x<!-- ><p", Times(1)), (" a{n}", Share(100))],
    ),
    (
        "attributes behind a doctype",
        &[
            ("<!doctype html public '<!-- ><p", Times(1)),
            (" a{n}", Share(100)),
        ],
    ),
    (
        "attributes of a raw end tag",
        &[("<title>x</title", Times(1)), (" a{n}", Share(100))],
    ),
    (
        "attributes of a script's end tag",
        &[
            ("<script><!--<script></script>--></script/", Times(1)),
            ("a{n}/", Share(100)),
        ],
    ),
    (
        "attributes behind a character reference",
        &[
            ("<textarea>&am</textarea\n", Times(1)),
            ("a{n}\n", Share(100)),
        ],
    ),
    (
        "attributes with NUL",
        &[("\0<p", Times(1)), (" \0{n}", Share(100))],
    ),
    (
        "attributes below the bound",
        &[
            ("<p>x<p a='1'a0", Times(1)),
            (" a{n}", Times(990)),
            (">", Times(1)),
            ("<i b='1'c>x", Share(90)),
        ],
    ),
    (
        "tags of 500 attributes",
        &[
            ("<p", Times(1)),
            (" a{n}", Share(1)),
            (" 'b'>", Times(1)),
            ("<p a=1b c=2'd e{n} f{n} g{n} h{n}>", Share(98)),
        ],
    ),
    (
        "tags of 60 attributes",
        &[(
            "<p a b c d e f g h i j k l m n o q r s t u v w x y z aa ab ac ad ae af ag ah ai aj ak al am an ao aq ar as at au av aw ax ay az ba bb bc bd be bf bg bh bi bj bk>",
            Share(100),
        )],
    ),
    (
        "long names of attributes",
        &[("<p attribute{n}>", Share(100))],
    ),
    (
        "long names of elements",
        &[("<element{n}></element{n}>", Share(100))],
    ),
    ("long names of end tags", &[("</elements{n}>", Share(100))]),
    (
        "repeated attributes",
        &[("<p", Times(1)), (" a", Share(100)), (">", Times(1))],
    ),
    (
        "bodies with further attributes",
        &[("<body a{n}=1>", Share(100))],
    ),
    (
        "roots with further attributes",
        &[("<html a{n} b{n} c{n}>", Share(100))],
    ),
    (
        "a value without end",
        &[("<p a='", Times(1)), ("x>", Share(100))],
    ),
    (
        "a very long name",
        &[("<p>", Times(1)), ("<", Times(1)), ("a", Share(100))],
    ),
    ("quotes in names", &[("<p ", Times(1)), ("\"", Share(100))]),
    ("values without quotes", &[("<p a=b'c\"d`e=f>", Share(100))]),
    ("signs that begin nothing", &[("<", Share(100))]),
    ("end tags without name", &[("</>", Share(100))]),
    ("empty declarations", &[("<!>", Share(100))]),
    ("processing instructions", &[("<?a?>", Share(100))]),
    ("doctypes", &[("<!doctype a>", Share(100))]),
    ("empty comments", &[("<!---->", Share(100))]),
    ("comments that end at once", &[("<!-->", Share(100))]),
    ("comments in comments", &[("<!--<!--!>", Share(100))]),
    (
        "a comment without end",
        &[("<!--", Times(1)), ("<!-- a -- ", Share(100))],
    ),
    (
        "cdata",
        &[("<svg>", Times(1)), ("<![CDATA[]]>", Share(100))],
    ),
    (
        "cdata without end",
        &[("<svg><![CDATA[", Times(1)), ("]]", Share(100))],
    ),
    ("nul", &[("<p>", Times(1)), ("\0", Share(100))]),
    ("nul in svg", &[("<svg>", Times(1)), ("\0", Share(100))]),
    (
        "nul in a table",
        &[("<table>", Times(1)), ("\0", Share(100))],
    ),
    (
        "nul in a script",
        &[("<script>", Times(1)), ("\0", Share(100))],
    ),
    ("references without end", &[("&am&\n", Share(100))]),
    (
        "an unknown reference",
        &[("&", Times(1)), ("a", Share(100))],
    ),
    ("references of two characters", &[("&ngE;", Share(100))]),
    (
        "numeric references that are wrong",
        &[("&#x0;", Share(100))],
    ),
    ("carriage returns", &[("\r", Share(100))]),
    (
        "escapes in a script",
        &[
            ("<script>", Times(1)),
            ("<!--<script></script x", Share(100)),
        ],
    ),
    (
        "ends that are none",
        &[("<title>", Times(1)), ("</titl", Share(100))],
    ),
    (
        "long ends that are none",
        &[("<textarea>", Times(1)), ("</textareas a b c", Share(100))],
    ),
    (
        "plain text",
        &[("<plaintext>", Times(1)), ("</plaintext>", Share(100))],
    ),
    ("titles", &[("<title>x</title y>", Share(100))]),
    (
        "raw text without end",
        &[
            ("<svg></svg>", Times(1)),
            ("<style><!--</style a>", Share(99)),
            ("<xmp>", Times(1)),
        ],
    ),
    // Formatting.
    (
        "formatting, reopened",
        &[
            ("<p>", Times(1)),
            ("<b a={n}>", Times(1_000)),
            ("<p>x", Share(90)),
        ],
    ),
    (
        "1,500 formatting elements",
        &[("<b a={n}>", Times(1_500)), ("<b x></b>", Share(98))],
    ),
    (
        "1,000 formatting elements",
        &[("<b a={n}>", Times(1_000)), ("<b x></b>", Share(98))],
    ),
    ("nested formatting", &[("<b><i><u><s><p>", Share(100))]),
    (
        "formatting and blocks",
        &[("<b a={n}><p>", Share(50)), ("</b>", Share(50))],
    ),
    (
        "templates and formatting",
        &[("<template><b a={n}>", Share(100))],
    ),
    (
        "templates in formatting",
        &[("<b a={n}><template>x</template>", Share(100))],
    ),
    ("links in links", &[("<a href={n}><div>", Share(100))]),
    ("links in tables", &[("<table><a href={n}>", Share(100))]),
    ("nobr", &[("<nobr a={n}><p>", Share(100))]),
    ("misnested", &[("<b><p></b>x", Share(100))]),
    (
        "misnested, deep",
        &[("<b><i><em><p></b></i></em>", Share(100))],
    ),
    (
        "many children adopted",
        &[
            ("<b><i><u><s><p>", Times(100)),
            ("<br>", Share(60)),
            ("</b></i></u></s>", Share(38)),
        ],
    ),
    (
        "children adopted again",
        &[
            ("<b><p>", Times(1)),
            ("<br>", Share(50)),
            ("</b><b><div>", Share(48)),
        ],
    ),
    (
        "formatting of one kind, closed",
        &[("<font size={n}></p>", Share(100))],
    ),
    (
        "formatting of many attributes",
        &[("<b a=1 b=2 c=3 d=4 e=5 f=6 g=7 h={n}>x</p>", Share(100))],
    ),
    (
        "formatting in another order",
        &[
            ("<b a={n} b=1 c>", Share(20)),
            ("<b c b=1 a={n}></b>", Share(78)),
        ],
    ),
    (
        "formatting with a long value",
        &[
            ("<b class='", Times(1)),
            ("aaaa ", Share(40)),
            ("'>", Times(1)),
            ("<p>x", Share(58)),
        ],
    ),
    (
        "formatting with a long style",
        &[
            ("<b style='", Times(1)),
            ("color:red;", Share(40)),
            ("'>", Times(1)),
            ("<p>x", Share(58)),
        ],
    ),
    ("markers", &[("<object><b>", Share(100))]),
    (
        "cells and formatting",
        &[("<table><tr><td><b>", Share(100))],
    ),
    // Nesting.
    ("nested blocks", &[("<div>", Share(100))]),
    ("nested lists", &[("<ul><li>", Share(100))]),
    ("nested tables", &[("<table><tr><td>", Share(100))]),
    ("nested templates", &[("<template>", Share(100))]),
    (
        "nested templates, closed",
        &[
            ("<template><div>", Times(1_000)),
            ("</template><template>", Share(90)),
        ],
    ),
    ("nested svg", &[("<svg><g>", Share(100))]),
    ("nested math", &[("<math><mi>", Share(100))]),
    (
        "nested foreign objects",
        &[("<svg><foreignObject>", Share(100))],
    ),
    ("nested ruby", &[("<ruby><rt><rtc>", Share(100))]),
    ("nested framesets", &[("<frameset>", Share(100))]),
    (
        "nested selects",
        &[("<select><option><optgroup>", Share(100))],
    ),
    ("nested buttons", &[("<button>", Share(100))]),
    ("nested definitions", &[("<dl><dt><dd>", Share(100))]),
    ("nested forms", &[("<form><template>", Share(100))]),
    (
        "2,000 open, paragraphs",
        &[("<span>", Times(2_000)), ("<p>", Share(95))],
    ),
    (
        "2,000 open, ends",
        &[("<span>", Times(2_000)), ("</x>", Share(95))],
    ),
    (
        "2,000 open, ends of paragraphs",
        &[("<span>", Times(2_000)), ("</p>", Share(95))],
    ),
    (
        "2,000 open, items",
        &[("<span>", Times(2_000)), ("<li>", Share(95))],
    ),
    (
        "2,000 open, ends of formatting",
        &[("<span>", Times(2_000)), ("</b>", Share(95))],
    ),
    (
        "2,000 open, tables",
        &[("<span>", Times(2_000)), ("<table></table>", Share(95))],
    ),
    (
        "2,000 open, templates",
        &[
            ("<span>", Times(2_000)),
            ("<template></template>", Share(95)),
        ],
    ),
    (
        "2,000 open, forms",
        &[("<span>", Times(2_000)), ("<form></form>", Share(95))],
    ),
    (
        "2,000 open, bodies",
        &[("<span>", Times(2_000)), ("</body><body>", Share(95))],
    ),
    (
        "2,000 open, second roots",
        &[("<span>", Times(2_000)), ("<html>", Share(95))],
    ),
    (
        "2,000 open, formatting",
        &[("<span>", Times(1_900)), ("<b></b>", Share(95))],
    ),
    (
        "2,000 open, foreign",
        &[("<svg>", Times(2_000)), ("</x>", Share(95))],
    ),
    (
        "long foreign names",
        &[
            ("<svg>", Times(1)),
            (
                "<a2345678901234567890123456789012345678901234567890123456789012345678901234567890{w}>",
                Share(40),
            ),
            (
                "</a2345678901234567890123456789012345678901234567890123456789012345678901234567890{w}>",
                Share(58),
            ),
        ],
    ),
    (
        "flat elements at the deepest",
        &[
            ("<div>", Times(600)),
            ("<td>x<i></i><header></header><label></label>", Share(95)),
        ],
    ),
    ("fostered elements", &[("<table><i></i>", Share(100))]),
    (
        "fostered texts",
        &[("<table>", Times(1)), ("x<tr>", Share(100))],
    ),
    ("fostered formatting", &[("<table><b>x", Share(100))]),
    (
        "texts put together",
        &[("<p>", Times(1)), ("x</x>&amp;", Share(100))],
    ),
    (
        "texts of two places",
        &[("<table>", Times(1)), ("x<tr><td></x>y</td>", Share(100))],
    ),
    (
        "modes in turn",
        &[("</body>x<p></html>y<!--z-->", Share(100))],
    ),
    ("line breaks", &[("<br>", Share(100))]),
    (
        "foreign attributes",
        &[(
            "<svg viewbox=1 gradientunits=2 xlink:href=3 zoomandpan=4/>",
            Share(100),
        )],
    ),
    // Indexes.
    ("different links", &[("<a href=?{n}></a>", Share(100))]),
    (
        "different links below a long base",
        &[
            ("<base href='/", Times(1)),
            ("x", Times(2_000)),
            ("'>", Times(1)),
            ("<a href=?{n}></a>", Share(98)),
        ],
    ),
    ("links to fragments", &[("<a href=#{n}></a>", Share(100))]),
    (
        "links that are none",
        &[("<a href=http://[{n}></a>", Share(100))],
    ),
    ("different images", &[("<img src=?{n}>", Share(100))]),
    (
        "images below a long base",
        &[
            ("<base href='/", Times(1)),
            ("x", Times(2_000)),
            ("'>", Times(1)),
            ("<img src=?{n}>", Share(98)),
        ],
    ),
    (
        "canonical addresses",
        &[("<link rel=canonical href=?{n}>", Share(100))],
    ),
    (
        "robots directives",
        &[
            ("<meta name=robots content='", Times(1)),
            ("a,", Share(100)),
        ],
    ),
    (
        "policies",
        &[
            (
                "<meta http-equiv=Content-Security-Policy content='",
                Times(1),
            ),
            ("{n};", Share(100)),
        ],
    ),
    (
        "preview images",
        &[("<meta property=og:image content=?{n}>", Share(100))],
    ),
    ("different ids", &[("<p id=a{n}>", Share(100))]),
    ("one id", &[("<p id=a>", Share(100))]),
    (
        "a very long id, deep",
        &[
            ("<p id=", Times(1)),
            ("a", Share(30)),
            (">", Times(1)),
            ("<i>", Share(68)),
        ],
    ),
    (
        "a very long name, deep",
        &[
            (
                "<aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa>",
                Times(500),
            ),
            ("<img>", Share(90)),
        ],
    ),
    (
        "classes of one element",
        &[("<p class='", Times(1)), ("{w} ", Share(100))],
    ),
    (
        "classes of a root",
        &[
            ("<style>.a .b{display:none}</style><body class='", Times(1)),
            ("{w} ", Share(50)),
            ("'>", Times(1)),
            ("<i class=b>", Share(48)),
        ],
    ),
    ("navigation by name", &[("<div class=nav>", Share(100))]),
    (
        "headers at the deepest",
        &[("<div>", Times(505)), ("<header></header>", Share(98))],
    ),
    ("a text", &[("<p>", Times(1)), ("{w} ", Share(100))]),
    ("a title", &[("<title>", Times(1)), ("{w} ", Share(100))]),
    // Accessibility.
    (
        "labels by id",
        &[(
            "<i role=button id=a{n} aria-labelledby='a1 a2 a3 a4'>x</i>",
            Share(100),
        )],
    ),
    (
        "an element named by very many",
        &[
            ("<i role=button aria-labelledby='", Times(1)),
            ("a{n} ", Share(100)),
        ],
    ),
    (
        "nested names",
        &[
            ("<a href=x role=link>", Times(500)),
            ("<i aria-labelledby='x y z' title=t>", Share(95)),
        ],
    ),
    (
        "nested names by ids",
        &[
            ("<button>", Times(1)),
            ("<i role=button aria-labelledby=a{n}><b id=a{n}>", Share(98)),
        ],
    ),
    (
        "elements that own very many",
        &[
            ("<ul role=list aria-owns='", Times(1)),
            ("a{n} ", Share(60)),
            ("'>", Times(1)),
            ("<li id=a{n}>", Share(38)),
        ],
    ),
    (
        "owners at the deepest",
        &[
            ("<div>", Times(505)),
            (
                "<i role=list aria-owns='a b c d e'></i><i id=a role=option></i>",
                Share(95),
            ),
        ],
    ),
    (
        "items without a list",
        &[("<div>", Times(505)), ("<i role=listitem></i>", Share(95))],
    ),
    ("lists in lists", &[("<div role=list>", Share(100))]),
    (
        "labels in labels",
        &[("<label>", Times(500)), ("<input>", Share(98))],
    ),
    (
        "labels of one field",
        &[
            ("<input id=a>", Times(1)),
            ("<label for=a>x</label>", Share(98)),
        ],
    ),
    (
        "a select of options in names",
        &[("<a href=x><b><select>", Times(1)), ("<option>", Share(98))],
    ),
    (
        "selects in labels",
        &[(
            "<label for=a{n}><select id=a{n}><option>x</select></label>",
            Share(98),
        )],
    ),
    (
        "late summaries",
        &[
            ("<details>", Times(1)),
            ("<br>", Share(40)),
            ("<summary></summary>", Share(58)),
        ],
    ),
    (
        "late legends",
        &[
            ("<fieldset disabled>", Times(1)),
            ("<br>", Share(40)),
            ("<legend>", Times(1)),
            ("<input>", Share(58)),
        ],
    ),
    (
        "late captions",
        &[("<fieldset>", Times(500)), ("<br>", Share(95))],
    ),
    (
        "roles of white space",
        &[
            ("<table role='", Times(1)),
            (" ", Share(40)),
            ("'>", Times(1)),
            ("<tr><td>", Share(58)),
        ],
    ),
    ("long roles", &[("<p role='", Times(1)), ("x ", Share(100))]),
    (
        "hidden elements",
        &[(
            "<p hidden style='display:none;visibility:hidden'>",
            Share(100),
        )],
    ),
    (
        "unknown attributes of aria",
        &[("<p aria-{w}={n}>", Share(100))],
    ),
    ("custom elements", &[("<x-{n} tabindex=0>", Share(100))]),
    // Style sheets.
    (
        "rules by class",
        &[
            ("<style>", Times(1)),
            (".a{n}{display:none}", Share(40)),
            ("</style>", Times(1)),
            ("<p class=a{n}>", Share(58)),
        ],
    ),
    (
        "rules for every element",
        &[
            ("<style>", Times(1)),
            ("p *{display:none}", Share(40)),
            ("</style>", Times(1)),
            ("<p><i>", Share(58)),
        ],
    ),
    (
        "rules of long selectors",
        &[
            ("<style>", Times(1)),
            (
                "p p p p p p p p p p p p p p p p p p p p p p p p p p p p p p{visibility:hidden}",
                Share(50),
            ),
            ("</style>", Times(1)),
            ("<div><p>", Share(48)),
        ],
    ),
    (
        "rules by siblings",
        &[
            ("<style>", Times(1)),
            ("i~i~i~p{display:none}", Times(50)),
            ("</style>", Times(1)),
            ("<i></i><p></p>", Share(95)),
        ],
    ),
    (
        "rules by attributes",
        &[
            ("<style>", Times(1)),
            ("[a*='aaaaaab' i]{display:none}", Times(60)),
            ("</style>", Times(1)),
            (
                "<p a=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa>",
                Share(95),
            ),
        ],
    ),
    (
        "nested negations",
        &[
            ("<style>", Times(1)),
            (":not(", Share(50)),
            ("a", Times(1)),
            (")", Share(40)),
        ],
    ),
    (
        "negations of very many",
        &[
            (
                "<style>p:not(.a,.b,.c,.d,.e,.f,.g,.h,.i,.j,.k,.l,.m,.n,.o,.p,.q,.r,.s,.t){display:none}</style>",
                Times(50),
            ),
            ("<p>", Share(90)),
        ],
    ),
    (
        "a selector of very many parts",
        &[
            ("<style>", Times(1)),
            ("a ", Share(90)),
            ("{display:none}", Times(1)),
        ],
    ),
    (
        "selectors of many parts",
        &[
            ("<style>", Times(1)),
            (
                "a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a{display:a}",
                Share(90),
            ),
        ],
    ),
    (
        "rules in a long rule",
        &[
            ("<style>", Times(1)),
            ("a,", Times(4_000)),
            ("b{", Times(1)),
            ("@media{}", Share(90)),
        ],
    ),
    (
        "rules in rules",
        &[
            ("<style>", Times(1)),
            ("a{", Share(50)),
            ("display:none", Times(1)),
            ("}", Share(40)),
        ],
    ),
    (
        "media in media",
        &[
            ("<style>", Times(1)),
            ("@media screen{", Share(60)),
            ("}", Share(38)),
        ],
    ),
    (
        "braces without end",
        &[("<style>", Times(1)), ("a{b:'", Share(98))],
    ),
    (
        "imports",
        &[("<style>", Times(1)), ("@import url({n});", Share(98))],
    ),
    (
        "style elements",
        &[(
            "<style>a{n}{display:none}</style><link rel=stylesheet href={n}>",
            Share(98),
        )],
    ),
    (
        "style attributes",
        &[(
            "<p style='display:var(--a{n});color:red;visibility:hidden'>",
            Share(98),
        )],
    ),
    (
        "content of parts",
        &[
            ("<style>", Times(1)),
            ("i::before{content:'x{n}'}", Share(40)),
            ("</style>", Times(1)),
            ("<button><i></i></button>", Share(58)),
        ],
    ),
    (
        "comments in a sheet",
        &[("<style>", Times(1)), ("/**/", Share(98))],
    ),
    // Data.
    (
        "arrays of data",
        &[
            ("<script type=application/ld+json>", Times(1)),
            ("[", Share(98)),
        ],
    ),
    (
        "data of very many values",
        &[
            ("<script type=application/ld+json>[0", Times(1)),
            (",{}", Share(95)),
            ("]</script>", Times(1)),
        ],
    ),
    (
        "data of very many keys",
        &[
            ("<script type=application/ld+json>{\"a\":1", Times(1)),
            (",\"b{n}\":{}", Share(95)),
            ("}</script>", Times(1)),
        ],
    ),
    (
        "blocks of data",
        &[(
            "<script type=application/ld+json>{\"@type\":\"A\",\"b\":{n}}</script>",
            Share(98),
        )],
    ),
    (
        "microdata",
        &[(
            "<p itemscope itemtype=https://schema.org/A itemprop=b>",
            Share(98),
        )],
    ),
    (
        "microdata that refers",
        &[(
            "<p itemscope itemref='a b c'><i id=a itemprop=b>",
            Share(98),
        )],
    ),
    (
        "sources of an image",
        &[("<img srcset='", Times(1)), ("a{n} {n}w, ", Share(98))],
    ),
    (
        "cells and headers",
        &[
            ("<table><tr><th id=h>", Times(1)),
            ("<td headers='h h h h'>", Share(98)),
        ],
    ),
    (
        "wide cells",
        &[
            ("<table><tr>", Times(1)),
            ("<td colspan=1000 rowspan=65534>", Share(98)),
        ],
    ),
    (
        "image maps",
        &[
            ("<map name=a>", Times(1)),
            ("<area href={n}>", Share(60)),
            ("<img usemap=#a>", Share(38)),
        ],
    ),
    ("languages", &[("<p lang=a{n}>{w} {w}", Share(98))]),
    (
        "alternates",
        &[("<link rel=alternate hreflang=a{n} href=?{n}>", Share(98))],
    ),
    ("headings", &[("<h{n}></h{n}><h1>x</h1>", Share(98))]),
    ("scripts", &[("<script src=http:/{n}></script>", Share(98))]),
];

/// The number of families.
pub(crate) const fn families() -> usize {
    FAMILIES.len()
}

/// The name of a document: the name of its family, or of a mixture.
pub(crate) fn name(number: usize) -> String {
    match FAMILIES.get(number) {
        Some((name, _)) => (*name).to_owned(),
        None => format!("mixture {}", number - FAMILIES.len()),
    }
}

/// A document of about `bytes` bytes. Numbers beyond the families are mixtures of a few parts in turn.
pub(crate) fn document(number: usize, bytes: usize) -> String {
    let mut chance = Chance(u64::try_from(number).unwrap_or(0).wrapping_add(1));
    let mut html = String::with_capacity(bytes + 64 * 1024);
    html.push_str("<!doctype html><html lang=en><title>x</title>");
    if let Some((_, parts)) = FAMILIES.get(number) {
        for (text, amount) in *parts {
            let (most, end) = match amount {
                Times(times) => (*times, usize::MAX),
                Share(share) => (usize::MAX, html.len() + bytes / 100 * share),
            };
            let mut n = 0;
            while n < most && html.len() < end {
                push(&mut html, text, n, &mut chance);
                n += 1;
            }
        }
        return html;
    }
    let texts: Vec<&str> = FAMILIES
        .iter()
        .flat_map(|(_, parts)| parts.iter().map(|(text, _)| *text))
        .collect();
    let chosen: Vec<&str> = (0..3 + chance.below(6))
        .filter_map(|_| texts.get(chance.below(texts.len())).copied())
        .collect();
    let mut n = 0;
    while html.len() < bytes {
        let text = chosen.get(chance.below(chosen.len())).copied();
        for _ in 0..1 + chance.below(40) {
            push(&mut html, text.unwrap_or("<p>"), n, &mut chance);
            n += 1;
        }
    }
    html
}

fn push(html: &mut String, text: &str, n: usize, chance: &mut Chance) {
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        html.push_str(before);
        rest = match (after.strip_prefix("n}"), after.strip_prefix("w}")) {
            (Some(rest), _) => {
                html.push_str(&n.to_string());
                rest
            }
            (_, Some(rest)) => {
                for _ in 0..1 + chance.below(11) {
                    html.push(char::from(
                        b'a' + u8::try_from(chance.below(26)).unwrap_or(0),
                    ));
                }
                rest
            }
            _ => {
                html.push('{');
                after
            }
        };
    }
    html.push_str(rest);
}

/// Pseudorandom numbers that are the same each time (xorshift64*).
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let mixed = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(mixed).unwrap_or(0) % end.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_the_same_each_time_and_as_long_as_asked_for() {
        for number in [0, families() - 1, families(), families() + 7] {
            let html = document(number, 100_000);
            assert_eq!(html, document(number, 100_000));
            assert!((50_000..200_000).contains(&html.len()), "{}", html.len());
        }
    }
}
