//! Where fragments lead within a page.

use std::collections::HashMap;

use crate::dom::ElementRef;
use crate::page::Page;

/// What skip links say, in lower case: English, German, French, Spanish, Portuguese, Italian,
/// Dutch, Swedish, Danish, Norwegian, Polish, Czech, Russian, Japanese, Chinese.
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

/// Whether a link with this name is a skip link by what it says.
pub(crate) fn is_skip_link(name: &str) -> bool {
    let name = name.to_lowercase();
    SKIP_WORDS.iter().any(|word| name.contains(word))
}

/// The elements of a page that fragments may lead to.
pub(crate) struct Targets<'a> {
    page: &'a Page,
    /// The first `a` element of each name. Looked for once: a page may have thousands of links.
    anchors: HashMap<&'a str, ElementRef<'a>>,
}

impl<'a> Targets<'a> {
    /// Those of a page.
    pub(crate) fn of(page: &'a Page) -> Self {
        let mut anchors = HashMap::new();
        for anchor in page.html("a") {
            if let Some(name) = anchor.attr("name") {
                anchors.entry(name).or_insert(anchor);
            }
        }
        Self { page, anchors }
    }

    /// The element that a fragment leads to (HTML Standard, find a potential indicated element).
    pub(crate) fn find(&self, fragment: &str) -> Option<ElementRef<'a>> {
        let decoded = decode(fragment);
        let find = |id: &str| {
            self.page
                .by_id(id)
                .or_else(|| self.anchors.get(id).copied())
        };
        find(fragment).or_else(|| find(&decoded)).or_else(|| {
            self.page
                .root()
                .filter(|_| decoded.eq_ignore_ascii_case("top"))
        })
    }
}

fn decode(fragment: &str) -> String {
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
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_names_and_the_top_are_found_as_written_or_decoded() {
        let page = Page::builder().html("<p id=a><a name=b></a><p id=ü><p id='x%20y'>");
        let targets = Targets::of(&page);
        for fragment in ["a", "b", "%C3%BC", "ü", "x%20y", "Top"] {
            assert!(targets.find(fragment).is_some(), "{fragment}");
        }
        assert!(targets.find("c").is_none() && targets.find("A").is_none());
    }
}
