//! Documents without content until a script runs.

use std::collections::HashSet;

use crate::dom::ElementRef;
use crate::page::{LinkTarget, ResourceKind};
use crate::view::Page;

/// The ids of mount points of application frameworks.
const MOUNT_IDS: [&str; 12] = [
    "root",
    "app",
    "__next",
    "__nuxt",
    "___gatsby",
    "svelte",
    "main-app",
    "react-root",
    "app-root",
    "q-app",
    "elm",
    "ember-root",
];

/// A page with fewer words than this has almost no static text.
pub(crate) const FEW_WORDS: usize = 50;

/// The element that a script fills, on a page with almost no static text.
pub(crate) fn mount_point(page: &Page) -> Option<ElementRef<'_>> {
    let has_script = page
        .resources()
        .iter()
        .any(|resource| resource.kind == ResourceKind::Script);
    if !has_script || page.words() >= FEW_WORDS {
        return None;
    }
    page.elements()
        .find(|element| is_mount(*element) && element.children().next().is_none())
        .filter(|element| element.text().is_empty())
}

fn is_mount(element: ElementRef<'_>) -> bool {
    let by_id = || {
        element
            .attr("id")
            .is_some_and(|id| MOUNT_IDS.contains(&id.trim()))
    };
    element.is("app-root") || (matches!(element.name(), "div" | "main" | "section") && by_id())
}

/// Links of a page that only a browser has, in hundredths, from which the page needs scripts.
pub(crate) const MANY_LINKS: usize = 20;

/// Words of a page that only a browser has, in hundredths, from which the page needs scripts.
const MANY_WORDS: usize = 40;

/// Whether much of a page that a browser showed comes from scripts. Of a page that no browser showed: whether it is an
/// empty shell.
pub(super) fn needs_scripts(page: &Page) -> bool {
    let served = page.as_served();
    let is_shell = mount_point(served).is_some();
    if is_shell || !page.is_rendered() {
        return is_shell;
    }
    let targets = |page: &Page| -> HashSet<String> {
        let internal = page.links().iter().filter_map(|link| match &link.target {
            LinkTarget::Internal(url) => Some(url.to_string()),
            _ => None,
        });
        internal.collect()
    };
    let is_much = |added: usize, all: usize, share: usize| added > 0 && added * 100 >= share * all;
    let words = page.words();
    let added = words.saturating_sub(served.words());
    is_much(added, words, MANY_WORDS) || {
        let (before, after) = (targets(served), targets(page));
        is_much(after.difference(&before).count(), after.len(), MANY_LINKS)
    }
}

/// Whether the document is a frameset, whose text is in other documents.
pub(crate) fn is_frameset(page: &Page) -> bool {
    page.html("frameset").next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_shell(html: &str) -> bool {
        mount_point(&Page::builder().html(html)).is_some()
    }

    #[test]
    fn an_empty_root_with_a_script_is_a_shell() {
        assert!(is_shell("<div id=root></div><script src=app.js></script>"));
        assert!(is_shell(
            "<app-root></app-root><script src=main.js type=module></script>"
        ));
    }

    #[test]
    fn a_rendered_root_is_no_shell() {
        assert!(!is_shell(
            "<div id=root><p>Hello</p></div><script src=app.js></script>"
        ));
    }

    #[test]
    fn a_page_without_scripts_is_no_shell() {
        assert!(!is_shell("<div id=root></div>"));
    }

    #[test]
    fn an_empty_root_beside_text_is_a_widget() {
        let text = "word ".repeat(60);
        assert!(!is_shell(&format!(
            "<p>{text}</p><div id=app></div><script src=a.js></script>"
        )));
    }
}
