//! The targets of fragments.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::script_shell::mount_point;
use crate::bounds::page::MAX_PLACES;
use crate::dom::ElementRef;
use crate::view::Page;

/// Texts of skip links, in lower case: English, German, French, Spanish, Portuguese, Italian, Dutch, Swedish,
/// Danish, Norwegian, Polish, Czech, Russian, Japanese, Chinese.
const SKIP_WORDS: [&str; 27] = [
    "skip",
    "jump to",
    "go to content",
    "go to main",
    "zum inhalt",
    "zum hauptinhalt",
    "springe",
    "überspringen",
    "aller au contenu",
    "passer au contenu",
    "aller directement",
    "saltar",
    "ir al contenido",
    "pular",
    "ir para o conteúdo",
    "salta al",
    "vai al contenuto",
    "naar inhoud",
    "naar de inhoud",
    "naar hoofdinhoud",
    "hoppa till",
    "spring til",
    "hopp til",
    "przejdź do",
    "přeskočit",
    "перейти к",
    "スキップ",
];

/// Whether the text of a link is that of a skip link.
pub(crate) fn is_skip_link(name: &str) -> bool {
    let name = name.to_lowercase();
    SKIP_WORDS.iter().any(|word| name.contains(word))
}

/// The elements of a page that fragments may refer to.
pub(crate) struct Targets<'a> {
    page: &'a Page,
    /// The first `a` element of each name. Indexed once, because a page may have thousands of links.
    anchors: HashMap<&'a str, ElementRef<'a>>,
}

impl<'a> Targets<'a> {
    /// The targets of a page.
    pub(crate) fn new(page: &'a Page) -> Self {
        let mut anchors = HashMap::new();
        for anchor in page.html("a") {
            if let Some(name) = anchor.attr("name") {
                anchors.entry(name).or_insert(anchor);
            }
        }
        Self { page, anchors }
    }

    /// The element that a fragment refers to (HTML Standard, find a potential indicated element).
    pub(crate) fn find(&self, fragment: &str) -> Option<ElementRef<'a>> {
        let find = |id: &str| {
            self.page
                .by_id(id)
                .or_else(|| self.anchors.get(id).copied())
        };
        find(fragment).or_else(|| {
            let decoded = decode(fragment);
            let root = self.page.root();
            find(&decoded).or_else(|| root.filter(|_| decoded.eq_ignore_ascii_case("top")))
        })
    }
}

/// The target name of a fragment; none if it has none, or is probably a route or a setting of a script.
pub(crate) fn place(fragment: &str) -> Option<&str> {
    let name = fragment.split(":~:").next().unwrap_or_default();
    let is_setting = name.starts_with(['/', '!', '?']) || name.contains(['=', '&', '/']);
    (!name.is_empty() && !is_setting && !is_range_of_lines(name)).then_some(name)
}

/// Whether the fragment refers to lines of source code, such as `7-12` and `L7-L12`: scripts highlight them,
/// and no element has such an id.
fn is_range_of_lines(name: &str) -> bool {
    let line = |text: &str| {
        let number = text.strip_prefix(['L', 'l']).unwrap_or(text);
        number.parse::<u32>().ok()
    };
    name.split_once('-')
        .and_then(|(first, last)| Some(line(first)? < line(last)?))
        .unwrap_or(false)
}

/// Attributes of links that scripts handle.
const SIGNS: [&str; 8] = [
    "role",
    "onclick",
    "aria-controls",
    "aria-expanded",
    "aria-haspopup",
    "aria-selected",
    "aria-pressed",
    "download",
];

/// Prefixes of attributes that scripts read.
const SCRIPT_PREFIXES: [&str; 8] = ["data-", "@", "v-", "x-", "ng-", "(", "hx-", "uk-"];

/// Words in classes and ids of controls that scripts handle.
const CONTROL_WORDS: [&str; 36] = [
    "accordion",
    "burger",
    "carousel",
    "close",
    "collapse",
    "collapsed",
    "collapsible",
    "control",
    "dropdown",
    "expand",
    "fancybox",
    "flyout",
    "hamburger",
    "js",
    "lightbox",
    "magnific",
    "modal",
    "next",
    "offcanvas",
    "open",
    "pager",
    "pagination",
    "popover",
    "popup",
    "prev",
    "previous",
    "slide",
    "slider",
    "slideshow",
    "submenu",
    "swiper",
    "tab",
    "tablist",
    "tabs",
    "toggle",
    "toggler",
];

/// Names of fragments that stand for none.
const NO_PLACES: [&str; 8] = [
    "0",
    "_",
    "none",
    "null",
    "void",
    "undefined",
    "javascript",
    "noop",
];

/// Ancestors of a link that are searched for the signs of a control.
const MOST_ANCESTORS: usize = 3;

/// Whether a script probably handles the link: its markup, or that of a list of controls around it, has the signs
/// of a control.
pub(crate) fn is_handled(link: ElementRef<'_>) -> bool {
    link.attrs().any(|attribute| {
        let name = attribute.name;
        SIGNS.contains(&name)
            || SCRIPT_PREFIXES
                .iter()
                .any(|prefix| name.starts_with(prefix))
    })
}

/// Whether the link, whose target does not exist, is probably a control that a script handles: its class or id, or
/// that of what is around it, is that of a control, or a script in the page names the fragment. A link that scrolls
/// smoothly still needs its target.
pub(crate) fn is_control(link: ElementRef<'_>, fragment: &str, scripts: &ScriptNames<'_>) -> bool {
    let scrolls = ["class", "id"].iter().any(|name| {
        let words = link.attr(name).unwrap_or_default().to_ascii_lowercase();
        words.contains("scroll")
    });
    let is_around = |up: ElementRef<'_>| {
        let names_roles = [
            "tablist",
            "menu",
            "menubar",
            "toolbar",
            "listbox",
            "radiogroup",
        ];
        names_roles.iter().any(|role| up.attr_is("role", role))
            || (!matches!(up.name(), "body" | "main" | "html") && has_control_word(up))
    };
    !scrolls
        && (NO_PLACES.contains(&fragment)
            || has_control_word(link)
            || link.ancestors().take(MOST_ANCESTORS).any(is_around)
            || scripts.have(fragment))
}

fn has_control_word(element: ElementRef<'_>) -> bool {
    let words = ["class", "id"]
        .into_iter()
        .filter_map(|name| element.attr(name));
    words
        .flat_map(|words| words.split(|c: char| !c.is_ascii_alphanumeric()))
        .any(|word| {
            CONTROL_WORDS
                .iter()
                .any(|known| word.eq_ignore_ascii_case(known))
        })
}

/// The words of the scripts inside a page.
#[derive(Debug, Default)]
pub(crate) struct ScriptNames<'a>(HashSet<&'a str>);

impl<'a> ScriptNames<'a> {
    /// Reads the scripts of the page that browsers run.
    pub(crate) fn new(page: &'a Page) -> Self {
        let texts = page.running_scripts();
        let texts = texts.flat_map(|script: ElementRef<'a>| {
            let dom = script.dom();
            dom.children(script.id()).filter_map(|id| dom.run(id))
        });
        Self(texts.flat_map(words).collect())
    }

    /// Whether a script has the name as a word.
    fn have(&self, name: &str) -> bool {
        let mut parts = words(name).peekable();
        parts.peek() == Some(&name) && self.0.contains(name)
    }
}

/// The words of a text: letters, digits, hyphens and underscores.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    text.split(move |c: char| !is_part(c))
        .filter(|word| !word.is_empty())
}

/// The fragment targets of a page as a Bloom filter. If [`Places::may_have`] returns false the target does not
/// exist; it returns true for about one of 400 missing targets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Places {
    bits: Box<[u8]>,
    is_complete: bool,
}

impl Places {
    /// The memory use in bytes.
    pub(crate) const fn bytes(&self) -> usize {
        self.bits.len()
    }
}

/// Bits per target, and how many of them are set.
const BITS: usize = 16;
const SET: u32 = 4;

impl Places {
    /// The fragment targets of a page.
    pub(crate) fn new(page: &Page) -> Self {
        let anchors = page.html("a").filter_map(|anchor| anchor.attr("name"));
        let names: Vec<&str> = page.ids().map(|(id, _)| id).chain(anchors).collect();
        let is_complete = names.len() <= MAX_PLACES
            && !page.document().truncated
            && !page.dom().truncated()
            && mount_point(page).is_none();
        if !is_complete {
            return Self::default();
        }
        let mut bits = vec![0_u8; (names.len() * BITS).div_ceil(8)];
        for name in names {
            for (byte, bit) in Self::spots(name, bits.len()) {
                if let Some(byte) = bits.get_mut(byte) {
                    *byte |= bit;
                }
            }
        }
        Self {
            bits: bits.into(),
            is_complete,
        }
    }

    /// Whether all targets of the page are known.
    pub(crate) const fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Whether a fragment, as written in a link, may refer to a target on the page.
    pub(crate) fn may_have(&self, fragment: &str) -> bool {
        let decoded = decode(fragment);
        !self.is_complete
            || decoded.eq_ignore_ascii_case("top")
            || self.has(fragment)
            || self.has(&decoded)
    }

    fn has(&self, name: &str) -> bool {
        let mut spots = Self::spots(name, self.bits.len());
        !self.bits.is_empty()
            && spots.all(|(byte, bit)| self.bits.get(byte).is_some_and(|found| found & bit != 0))
    }

    fn spots(name: &str, bytes: usize) -> impl Iterator<Item = (usize, u8)> {
        // FNV-1a; the bit positions are derived from its two halves.
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let all = u64::try_from(bytes).unwrap_or(1).saturating_mul(8).max(1);
        let step = (hash >> 32) | 1;
        (0..SET).map(move |number| {
            let spot = hash.wrapping_add(step.wrapping_mul(u64::from(number)) ^ (hash >> 29)) % all;
            let byte = usize::try_from(spot / 8).unwrap_or(usize::MAX);
            (byte, 1_u8 << (spot % 8))
        })
    }
}

fn decode(fragment: &str) -> Cow<'_, str> {
    if !fragment.contains('%') {
        return Cow::Borrowed(fragment);
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.bytes();
    while let Some(byte) = rest.next() {
        let mut ahead = rest.clone();
        let mut digit = || {
            ahead
                .next()
                .and_then(|hex| char::from(hex).to_digit(16))
                .and_then(|digit| u8::try_from(digit).ok())
        };
        match (byte, digit(), digit()) {
            (b'%', Some(high), Some(low)) => {
                bytes.push(high * 16 + low);
                rest = ahead;
            }
            _ => bytes.push(byte),
        }
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_names_and_the_top_are_found_as_written_or_decoded() {
        let page = Page::builder().html("<p id=a><a name=b></a><p id=ü><p id='x%20y'>");
        let targets = Targets::new(&page);
        for fragment in ["a", "b", "%C3%BC", "ü", "x%20y", "Top"] {
            assert!(targets.find(fragment).is_some(), "{fragment}");
        }
        assert!(targets.find("c").is_none() && targets.find("A").is_none());
    }

    #[test]
    fn a_target_takes_two_bytes() {
        let ids: String = (0..1_000).map(|n| format!("<p id=x{n}>")).collect();
        let page = Page::builder().html(&format!("{ids}<a name=b></a><p id=ü>"));
        let places = Places::new(&page);
        assert_eq!(places.bits.len(), 2 * 1_002);
        assert!((0..1_000).all(|n| places.may_have(&format!("x{n}"))));
        assert!(
            ["b", "%C3%BC", "top"]
                .iter()
                .all(|name| places.may_have(name))
        );
        let taken = (0..1_000).filter(|n| places.may_have(&format!("y{n}")));
        assert!(taken.count() < 10);
        assert!(!Places::new(&Page::builder().html("<p>")).may_have("a"));
    }

    #[test]
    fn a_script_shell_may_have_every_target() {
        let html = "<div id=root></div><script src=app.js></script>";
        assert!(Places::new(&Page::builder().html(html)).may_have("a"));
    }
}
