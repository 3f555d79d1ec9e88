//! Short descriptions of elements, with which a reader finds them in the source.

use crate::dom::ElementRef;

/// Longer names and addresses are left out: the excerpt of the finding has them.
const LONGEST: usize = 60;

/// The last segment of the path of a URL; `None` if it has none, or for embedded data.
pub(crate) fn file_name(url: &str) -> Option<&str> {
    let url = url.trim();
    if url
        .get(..5)
        .is_some_and(|start| start.eq_ignore_ascii_case("data:"))
    {
        return None;
    }
    let path = url.split(['?', '#']).next()?;
    path.rsplit('/')
        .next()
        .filter(|name| !name.is_empty() && name.len() <= LONGEST)
}

/// ` named "email"`, from the `name` or else the `id` of a form field; empty if it has neither.
pub(crate) fn field_name(field: ElementRef<'_>) -> String {
    let named = |attribute| {
        field
            .attr(attribute)
            .map(str::trim)
            .filter(|value| !value.is_empty() && value.len() <= LONGEST)
    };
    match (named("name"), named("id")) {
        (Some(name), _) => format!(" named \"{name}\""),
        (None, Some(id)) => format!(" with the id \"{id}\""),
        (None, None) => String::new(),
    }
}

/// " It contains only the image cart.svg." of a link or button whose only content is an image or an icon; empty for
/// other content.
pub(crate) fn picture_in(element: ElementRef<'_>) -> String {
    /// Elements that are searched.
    const MOST: usize = 20;
    let mut pictures = element.descendants().take(MOST).filter_map(|inner| {
        if inner.is("img") {
            return Some(format!("image {}", file_name(inner.attr("src")?)?));
        }
        let is_icon = |class: &&str| {
            class.len() <= LONGEST
                && ["fa-", "bi-", "icon-", "mdi-"]
                    .iter()
                    .any(|set| class.starts_with(set))
        };
        let classes = inner.attr("class")?.split_ascii_whitespace();
        // Size and stacking come before and after the name of the icon.
        let named = classes.filter(is_icon).find(|class| {
            ![
                "fa-stack",
                "fa-fw",
                "fa-sm",
                "fa-lg",
                "fa-xs",
                "fa-circle",
                "fa-inverse",
            ]
            .iter()
            .any(|other| class.starts_with(other))
        })?;
        Some(format!("icon {named}"))
    });
    pictures.next().map_or_else(String::new, |picture| {
        format!(" It contains only the {picture}.")
    })
}

/// The known word that differs least from `word`; `None` if all differ in more than two letters, or in half of them.
pub(crate) fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const MOST: usize = 2;
    if word.len() > LONGEST {
        return None;
    }
    let most = MOST.min(word.len() / 2);
    known
        .map(|known| (distance(word, known), known))
        .filter(|(distance, _)| *distance <= most)
        .min()
        .map(|(_, known)| known)
}

/// How many letters have to be inserted, removed or replaced to turn one word into the other. Two neighbours that are
/// exchanged count once.
fn distance(one: &str, other: &str) -> usize {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut above: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    let mut before = None;
    for (line, &letter) in one.iter().enumerate() {
        let mut next = vec![line + 1];
        let mut left = line + 1;
        let mut previous = None;
        for (place, &wanted) in other.iter().enumerate() {
            let at = |row: &[usize], place: usize| row.get(place).copied().unwrap_or(usize::MAX);
            let replaced = at(&row, place) + usize::from(letter != wanted);
            let mut least = replaced.min(left + 1).min(at(&row, place + 1) + 1);
            if before == Some(wanted) && previous == Some(letter) && place > 0 {
                least = least.min(at(&above, place - 1).saturating_add(1));
            }
            next.push(least);
            left = least;
            previous = Some(wanted);
        }
        above = std::mem::replace(&mut row, next);
        before = Some(letter);
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_segment_of_a_path_is_its_file_name() {
        assert_eq!(file_name("https://e.com/a/plan.png?x=/y"), Some("plan.png"));
        assert_eq!(file_name("plan.png#x"), Some("plan.png"));
        assert_eq!(file_name("/a/"), None);
        assert_eq!(file_name("data:image/png;base64,aa/b"), None);
        assert_eq!(file_name(&"x".repeat(100)), None);
    }

    #[test]
    fn the_picture_of_a_link_is_named() {
        let inside = |html: &str| {
            let page = crate::view::Page::builder().html(&format!("<a href=x>{html}</a>"));
            let link = page.html("a").next().map(picture_in);
            link.unwrap_or_default()
        };
        let stack = "<span class='fa-stack fa-lg'><i class='fas fa-circle fa-stack-2x'></i><i class='fab fa-twitter fa-stack-1x'></i></span>";
        assert_eq!(inside(stack), " It contains only the icon fa-twitter.");
        assert_eq!(
            inside("<img src=/a/cart.svg>"),
            " It contains only the image cart.svg."
        );
        assert_eq!(inside("<b class=x></b>"), "");
    }

    #[test]
    fn the_nearest_word_has_few_other_letters() {
        let known = ["aria-labelledby", "aria-label", "link", "list"];
        let nearest = |word| nearest(word, known.into_iter());
        assert_eq!(nearest("aria-labeledby"), Some("aria-labelledby"));
        assert_eq!(nearest("lnik"), Some("link"));
        assert_eq!(nearest("banana"), None);
        assert_eq!(nearest("x"), None);
        assert_eq!(nearest(&"x".repeat(100_000)), None);
    }

    #[test]
    fn exchanged_neighbours_count_once() {
        assert_eq!(distance("lnik", "link"), 1);
        assert_eq!(distance("abc", "abc"), 0);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
