//! Placeholder text and unfilled template values.

use std::cell::OnceCell;
use std::sync::LazyLock;

use memchr::memmem;

use crate::check::{Evidence, Failures, Outcome};
use crate::common::text::prose::{self, Run};
use crate::declare_check;
use crate::dom::{ElementRef, NodeData, normalize_space};
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Neither the title nor the visible text contains placeholders: "lorem ipsum dolor", a
    /// paragraph or a line in it that begins with "TODO:", the words "undefined" or
    /// "[object Object]" in place of a title or value, an unfilled template expression such as
    /// `{{ title }}` or `<%= title %>`, or a directive that a template engine or a build has not
    /// executed, such as `{% include "head.html" %}` or `//= partials/header.html`.
    ///
    /// ## Why it matters
    /// Visitors see an unfinished or broken page and trust the rest of the site less. Search
    /// results show the placeholder as the title or the snippet.
    ///
    /// ## How to fix it
    /// Write the text that belongs in place of the placeholder. If a template or a script writes it, set the
    /// variable, or omit the element when there is no value.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>About us</title><h1>About us</h1><p>Lorem ipsum dolor sit amet, consectetur adipiscing elit.</p></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>About us</title><h1>About us</h1><p>We have repaired bicycles in the old harbour since 1974.</p></html>
    /// ```
    ///
    /// ## Limits
    /// Text in code, in quotations and in form fields is left out. Template expressions are not
    /// reported on pages whose title, heading or address names templates, or if a script may fill them
    /// in. Within a sentence they are not reported on any page that mentions templates either. Other
    /// phrases for unfinished text, such as "coming soon", are not detected.
    ///
    /// ## Also known as
    /// - Screaming Frog: Content: Lorem Ipsum Placeholder
    /// - Common name: Dummy text
    ///
    /// ## References
    /// - Google Search Central, Influencing your title links in search results
    /// - ECMAScript Language Specification, Object.prototype.toString
    CONTENT_PLACEHOLDER {
        id: "content-placeholder",
        title: "Placeholder text or unfilled template values",
        dimension: Content,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// More findings of one page add no information.
const MAX_FINDINGS: u64 = 20;

/// A page with one of these words, in lower case, may be about templates.
const ABOUT_TEMPLATES: [&str; 21] = [
    "templat",
    "mustache",
    "handlebars",
    "jinja",
    "liquid",
    "angular",
    "vue",
    "twig",
    "helm",
    "placeholder",
    "interpolat",
    "curly",
    "double brace",
    "macro",
    "variable",
    "erb",
    "ejs",
    "django",
    "blade",
    "sprockets",
    "directive",
];

/// Words that tell that a "template" in a title or heading is a design to build a site with.
const OF_DESIGNS: [&str; 9] = [
    "admin",
    "bootstrap",
    "dashboard",
    "html5",
    "landing",
    "portfolio",
    "tailwind",
    "theme",
    "website",
];

/// Starts of directives in text, before which the text has nothing or white space.
const DIRECTIVE_STARTS: [&str; 4] = ["{%", "<%", "//=", "@@include("];

/// The most common placeholder text, in lower case.
const LOREM: &str = "lorem ipsum dolor";

/// The offset of its only letter p; few other words contain that letter.
const LOREM_P: usize = 7;

/// Parts of the URLs and sources of scripts that fill in `{{ }}` in the browser.
const FILLS_TEMPLATES: [&str; 9] = [
    "vue",
    "angular",
    "alpine",
    "mustache",
    "handlebars",
    "ractive",
    "createApp(",
    "hogan",
    "knockout",
];

fn evaluate(page: &Page) -> Outcome {
    if page.text().is_empty() && page.title().is_none() {
        return Outcome::NotApplicable;
    }
    let subject = Subject::new(page);
    let mut failures: Failures = title_finding(page, &subject).into_iter().collect();
    // Prose is part of the text.
    let runs = may_hold_placeholder(page.text()).then(|| prose::all(page));
    for run in runs.into_iter().flatten() {
        if failures.total() >= MAX_FINDINGS {
            break;
        }
        failures.extend(text_finding(run, &subject));
    }
    Outcome::from_failures(failures)
}

/// The subject of the page: words that it is about are not placeholders on it.
struct Subject<'a> {
    page: &'a Page,
    /// Computed only when a template expression is found.
    writes_templates: OnceCell<bool>,
    /// Computed only when an element has nothing but a template expression.
    explains_templates: OnceCell<bool>,
    /// The URL path in lower case.
    path: String,
    /// Path, title and first heading in lower case; computed only when a placeholder is found.
    name: OnceCell<String>,
}

impl<'a> Subject<'a> {
    fn new(page: &'a Page) -> Self {
        Self {
            page,
            writes_templates: OnceCell::new(),
            explains_templates: OnceCell::new(),
            path: page.url().path().to_lowercase(),
            name: OnceCell::new(),
        }
    }

    fn writes_templates(&self) -> bool {
        *self
            .writes_templates
            .get_or_init(|| is_about_templates(self.page) || fills_templates(self.page))
    }

    fn names(&self, word: &str) -> bool {
        self.name().contains(word)
    }

    fn name(&self) -> &str {
        self.name.get_or_init(|| {
            let heading = self.page.html("h1").next().map(ElementRef::text);
            let title = self.page.title().unwrap_or_default();
            let heading = heading.unwrap_or_default();
            format!("{} {title} {heading}", self.path).to_lowercase()
        })
    }

    /// Whether a template expression that is the whole text of its element is no mistake: a script fills it in, or
    /// the page is about templates by its name or its code. The word "template" in the text of a page is not enough:
    /// a design to build sites with is one as well.
    fn explains_templates(&self) -> bool {
        *self.explains_templates.get_or_init(|| {
            let is_design = OF_DESIGNS.iter().any(|word| self.names(word));
            let by_name = ABOUT_TEMPLATES
                .iter()
                .any(|word| self.names(word) && !(is_design && *word == "templat"));
            by_name || shows_templates_in_code(self.page) || fills_templates(self.page)
        })
    }
}

fn is_about_templates(page: &Page) -> bool {
    let text = page.text().to_lowercase();
    ABOUT_TEMPLATES.iter().any(|word| text.contains(word)) || shows_templates_in_code(page)
}

fn shows_templates_in_code(page: &Page) -> bool {
    ["code", "pre", "tt", "kbd", "samp"]
        .iter()
        .flat_map(|name| page.html(name))
        .any(|element| {
            ["{{", "{%", "<%", "//="]
                .iter()
                .any(|start| directly_has(element, start))
        })
}

/// Whether one of the element's own text nodes contains the word.
fn directly_has(element: ElementRef<'_>, word: &str) -> bool {
    let texts = element.dom().children(element.id());
    let own = texts.filter_map(|id| match element.dom().data(id) {
        Some(NodeData::Text(text)) => Some(text),
        _ => None,
    });
    own.into_iter().any(|text| text.contains(word))
}

fn fills_templates(page: &Page) -> bool {
    let by_script = page.html("script").any(|script| {
        let source = script.attr("src").unwrap_or_default().to_lowercase();
        FILLS_TEMPLATES
            .iter()
            .any(|word| source.contains(word) || directly_has(script, word))
    });
    by_script || page.elements_with(Traits::TEMPLATED).next().is_some()
}

fn title_finding(page: &Page, subject: &Subject<'_>) -> Option<Evidence> {
    let element = page.titles().next()?;
    let title = page.title()?;
    let parts = title.split([':', '|', '–', '—', '·', '-']).map(str::trim);
    let is_value = parts.into_iter().any(|part| {
        part == "[object Object]" || (part == "undefined" && !subject.path.contains(part))
    });
    let found = if title.to_lowercase().contains("lorem ipsum dolor") {
        "lorem ipsum"
    } else if is_value {
        "the name of an empty value"
    } else if unfilled(title, title, subject).is_some() {
        "a template expression"
    } else {
        return None;
    };
    let message = format!("The title \"{title}\" contains {found}; expected text.");
    Some(Evidence::node(element).message(message))
}

fn text_finding(run: Run<'_>, subject: &Subject<'_>) -> Option<Evidence> {
    let text = run.text.trim();
    let found = if is_lorem(text) && !is_quoted(run.parent) {
        "The text is \"lorem ipsum\" placeholder text".to_owned()
    } else if is_empty_value(text, run.parent, subject) {
        format!(
            "The text shows \"{}\" in place of a value",
            prose::excerpt(text, 0, 40)
        )
    } else if let Some(note) =
        todo(text, run.parent).filter(|_| !subject.names("todo") && !subject.names("fixme"))
    {
        format!(
            "The text contains a note to the author: \"{}\"",
            prose::excerpt(note, 0, 60)
        )
    } else {
        let whole = run.parent.text();
        let expression = unfilled(text, &whole, subject)?;
        format!(
            "The template expression \"{}\" was not filled in",
            prose::excerpt(expression, 0, 60)
        )
    };
    Some(Evidence::node(run.parent).message(format!("{found}.")))
}

/// The template expression in a text that was not filled in. `whole` is the text of the element around it.
fn unfilled<'a>(text: &'a str, whole: &str, subject: &Subject<'_>) -> Option<&'a str> {
    let found = template_expression(text).or_else(|| directive(text))?;
    // Without the expression, the element has no words.
    let rest = whole.replacen(found, "", 1);
    let is_alone = !rest.contains(char::is_alphabetic) || directive(whole.trim()) == Some(found);
    let is_explained = if is_alone {
        subject.explains_templates()
    } else {
        subject.writes_templates()
    };
    (!is_explained).then_some(found)
}

/// Whether the text may contain a placeholder. Most texts contain none.
fn may_hold_placeholder(text: &str) -> bool {
    static MARKS: LazyLock<[memmem::Finder<'static>; 5]> = LazyLock::new(|| {
        ["[object Object]", "undefined", "TODO", "FIXME", "//="].map(memmem::Finder::new)
    });
    const OF_TEMPLATES: [&[u8]; 4] = [b"{{", b"{%", b"<%", b"@@include("];
    let bytes = text.as_bytes();
    let lorem = || {
        memchr::memchr2_iter(b'p', b'P', bytes)
            .filter_map(|at| text.get(at.checked_sub(LOREM_P)?..))
            .any(is_lorem)
    };
    // One pass over the text for four marks, whose first characters are rare in prose.
    let template = || {
        memchr::memchr3_iter(b'{', b'<', b'@', bytes)
            .filter_map(|at| bytes.get(at..))
            .any(|rest| OF_TEMPLATES.iter().any(|mark| rest.starts_with(mark)))
    };
    MARKS.iter().any(|mark| mark.find(bytes).is_some()) || template() || lorem()
}

/// Whether the text begins with the placeholder, as blocks of placeholder text do. Prose that mentions
/// it has other words before it.
fn is_lorem(text: &str) -> bool {
    text.get(..LOREM.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(LOREM))
}

fn is_quoted(element: ElementRef<'_>) -> bool {
    std::iter::once(element)
        .chain(element.ancestors())
        .any(|up| matches!(up.name(), "q" | "cite" | "blockquote"))
}

/// A page whose URL contains the word is about the word.
fn is_empty_value(text: &str, parent: ElementRef<'_>, subject: &Subject<'_>) -> bool {
    let object = text == "[object Object]" || text.ends_with(": [object Object]");
    (object && !subject.names("[object object]"))
        || (text == "undefined" && parent.is("h1") && !subject.path.contains(text))
}

/// The note to the author in a text. List items and table cells are left out: they may be part of a
/// list of tasks.
fn todo<'a>(text: &'a str, parent: ElementRef<'_>) -> Option<&'a str> {
    const BLOCKS: [&str; 6] = ["p", "div", "dd", "section", "article", "main"];
    if !BLOCKS.contains(&parent.name()) {
        return None;
    }
    let begins = is_note(text) || matches!(text, "TODO" | "TODO." | "FIXME");
    if begins && parent.text().starts_with(&normalize_space(text)) {
        return Some(text);
    }
    note_on_a_line(text)
}

fn is_note(text: &str) -> bool {
    text.starts_with("TODO:") || text.starts_with("FIXME:")
}

/// A note that starts a source line after the end of a sentence. After other words, the line break may
/// be in the middle of prose about such notes.
fn note_on_a_line(text: &str) -> Option<&str> {
    // Most texts have no colon.
    if !text.contains(':') {
        return None;
    }
    let mut before = "";
    for line in text.lines().map(str::trim) {
        if is_note(line) && before.ends_with(['.', ':', '!', '?']) {
            return Some(line);
        }
        before = line;
    }
    None
}

/// The first `{{ name }}` of a text: a path of names, optionally with filters, or the name of a partial or a block
/// alone in its text (`{{> header}}`, `{{#if user}}`).
fn template_expression(text: &str) -> Option<&str> {
    // Searching for one character is faster than for two, and most texts do not contain it.
    let start = text.contains('{').then(|| text.find("{{"))??;
    let behind = text.get(start + 2..)?;
    let end = behind.find("}}")?;
    let inside = behind.get(..end)?.trim_matches(['{', '-', '~']);
    let whole = text.get(start..start + 2 + end + 2)?;
    let mut parts = inside.split('|').map(str::trim);
    let is_alone = || whole.len() == text.trim().len();
    let is_expression = parts.all(is_path_of_names) || (is_alone() && is_block(inside.trim()));
    (inside.len() <= 80 && is_expression).then_some(whole)
}

/// Whether the inside of an expression is a partial or a block: a sign, a name, and perhaps arguments.
fn is_block(inside: &str) -> bool {
    let Some(rest) = inside.strip_prefix(['>', '#', '/', '^']) else {
        return false;
    };
    let mut words = rest.split_whitespace();
    words.next().is_some_and(|word| {
        word.chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '-'))
            && word.contains(|c: char| c.is_ascii_alphabetic())
    })
}

/// The first directive of a template engine or a build at the start of a text or a line: `{% include x %}`,
/// `<%= x %>`, `//= partials/header.html`, `@@include('x')`.
fn directive(text: &str) -> Option<&str> {
    text.lines().map(str::trim).find_map(|line| {
        let start = DIRECTIVE_STARTS
            .iter()
            .find(|start| line.starts_with(**start))?;
        let inside = line.get(start.len()..)?;
        let closed = |end: &str| {
            let at = inside.find(end)?;
            let name = inside.get(..at)?.trim_start_matches(['=', '-', '+']).trim();
            let is_name =
                name.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '@' | '$'));
            is_name.then(|| line.get(..start.len() + at + end.len()))?
        };
        match *start {
            "{%" => closed("%}"),
            "<%" => closed("%>"),
            "//=" => is_address_of_a_part(inside.trim()).then_some(line),
            _ => inside.starts_with(['"', '\'']).then_some(line),
        }
    })
}

/// Whether the argument of `//=` is a file, with or without the name of the directive before it.
fn is_address_of_a_part(argument: &str) -> bool {
    const DIRECTIVES: [&str; 6] = [
        "require",
        "require_tree",
        "require_self",
        "include",
        "link",
        "import",
    ];
    let mut words = argument.split_whitespace();
    let (first, second) = (words.next().unwrap_or_default(), words.next());
    let is_file = |word: &str| {
        word.contains(|c: char| c.is_ascii_alphabetic())
            && (word.contains('/')
                || [".html", ".htm", ".js", ".css"]
                    .iter()
                    .any(|end| word.ends_with(end)))
    };
    DIRECTIVES.contains(&first) || (second.is_none() && is_file(first))
}

fn is_path_of_names(part: &str) -> bool {
    part.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '$'))
        && part
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome_of};

    #[test]
    fn placeholders_in_text_fail() {
        for body in [
            "<p>Lorem ipsum dolor sit amet.",
            "<div>LOREM IPSUM DOLOR</div>",
            "<ul><li> Lorem ipsum dolor</ul>",
            "<p>TODO: describe the options.",
            "<p>TODO</p>",
            "<p>If none is received, send an error:\nTODO: Define error.",
            "<p>It replies with the <b>pack</b>.\n   TODO: Document the response",
            "<h1>undefined</h1>",
            "<p>Price: [object Object]",
            "<td>[object Object]",
            "<p>Hello {{ user.name }}!",
            "<p>{{price|currency}}",
        ] {
            let html = format!("<title>Shop</title><table><tr>{body}</table>");
            let html = if body.starts_with("<td") {
                html
            } else {
                body.to_owned()
            };
            assert_fails(&CONTENT_PLACEHOLDER, &html, 1);
        }
    }

    #[test]
    fn directives_that_were_not_executed_fail() {
        for body in [
            "<p>//= partials/header.html</p>",
            "<div>\n  //= require navigation\n</div>",
            "<div>@@include('./nav.html', {\"x\": 1})</div>",
            "<p>&lt;%= title %></p>",
            "<h1><%= page.title %></h1>",
            "<div>{% include \"head.html\" %}</div>",
            "<div>{%- if user -%}<b>x</b></div>",
            "<div>{{> header}}</div>",
            "<div>{{{ body }}}</div>",
            "<p>{{#if user}}</p>",
        ] {
            assert_fails(&CONTENT_PLACEHOLDER, body, 1);
            // A design to build sites with is called a template as well.
            let theme = format!("<title>Admin dashboard template</title>{body}<p>A free template.");
            assert_fails(&CONTENT_PLACEHOLDER, &theme, 1);
        }
        for title in [
            "{% block title %}{% endblock %}",
            "<%= title %>",
            "{{ title }} – Shop",
        ] {
            let html = format!("<title>{title}</title><p>x");
            assert_fails(&CONTENT_PLACEHOLDER, &html, 1);
        }
    }

    #[test]
    fn signs_of_directives_in_prose_and_code_pass() {
        for html in [
            "<p>The operator //= divides and assigns.",
            "<table><tr><td>//=<td>floor division</table>",
            "<p>//= 2",
            "<p>Growth of {% or less.",
            "<p>a <% b and b %> a",
            "<p>{% 5 %}",
            "<p>@@include is a directive.",
            "<pre>//= require x\n<%= y %></pre>",
            "<p>&lt;%= title %></p><code>&lt;%= title %></code>",
            "<title>Jinja templates</title><p>{% include 'x' %}",
            "<h1>ERB</h1><table><tr><td>&lt;%= x %></table>",
            "<p>In ERB, write &lt;%= x %> to print x.",
            "<p ng-if=x>{{ name }}</p>",
        ] {
            assert_passes(&CONTENT_PLACEHOLDER, html);
        }
    }

    #[test]
    fn placeholders_in_the_title_fail() {
        for title in [
            "undefined | Shop",
            "{{title}}",
            "[object Object]",
            "Lorem ipsum dolor",
        ] {
            assert_fails(
                &CONTENT_PLACEHOLDER,
                &format!("<title>{title}</title><p>x"),
                1,
            );
        }
    }

    #[test]
    fn code_fields_and_quotations_are_left_out() {
        assert_passes(
            &CONTENT_PLACEHOLDER,
            "<p>It prints <code>undefined</code> or <samp>[object Object]</samp>.<pre>TODO: x {{y}}</pre><textarea>Lorem ipsum dolor</textarea><blockquote>Lorem ipsum dolor sit</blockquote>",
        );
    }

    #[test]
    fn documentation_about_placeholders_passes() {
        for html in [
            "<p>It prints the paragraph (“Lorem ipsum dolor sit amet…”) twice.",
            "<p>The value is undefined when the key is missing.",
            "<p>Add a TODO comment: TODO: marks what is left.",
            "<ul><li>TODO: buy milk</ul>",
            "<p>Begin the comment with\nTODO: and your name.",
            "<ul><li>Shopping.\nTODO: buy milk</ul>",
            "<pre>f();\nTODO: x</pre>",
            "<h2>TODO</h2>",
            "<table><tr><td>TODO</table>",
            "<p>In templates, write {{ name }} to print it.",
            "<p>Write {{ name }} here.<pre>{{ name }}</pre>",
            "<p>Use {{citation needed}} and {{#if x}} and {{}}.",
            "<p>A set of sets: {{1, 2}, {3}}.",
            "<p>C++ initializers: int a[2][2] = {{1,2},{3,4}};",
        ] {
            assert_passes(&CONTENT_PLACEHOLDER, html);
        }
    }

    #[test]
    fn a_reference_page_of_the_word_passes() {
        let page = Page::builder()
            .url("/docs/Global_Objects/undefined")
            .html("<title>undefined - JavaScript</title><h1>undefined</h1><p>x");
        assert_eq!(outcome_of(&CONTENT_PLACEHOLDER, &page), Outcome::Passed);
    }

    #[test]
    fn a_page_about_a_todo_list_passes() {
        assert_passes(
            &CONTENT_PLACEHOLDER,
            "<h1>A todo app</h1><p>TODO: water the plants",
        );
    }

    #[test]
    fn templates_that_a_script_fills_in_pass() {
        for html in [
            "<div ng-app>Hello {{ name }}</div>",
            "<p>{{ name }}</p><script src='/js/vue.global.js'></script>",
            "<p>{{ name }}</p><script>Vue.createApp({}).mount('#a')</script>",
            "<p v-if=x>{{ name }}</p>",
        ] {
            assert_passes(&CONTENT_PLACEHOLDER, html);
        }
    }

    #[test]
    fn an_empty_page_is_not_applicable() {
        assert_not_applicable(&CONTENT_PLACEHOLDER, "<body>");
    }
}
