//! The URLs of a `srcset`.

/// The URLs of the image candidates in order (HTML, "parse a srcset attribute").
pub(crate) fn urls(srcset: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = srcset;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        if rest.is_empty() {
            return found;
        }
        let (url, tail) = rest
            .split_once(|c: char| c.is_ascii_whitespace())
            .unwrap_or((rest, ""));
        let bare = url.trim_end_matches(',');
        found.push(bare);
        rest = if bare.len() < url.len() {
            tail
        } else {
            after_descriptors(tail)
        };
    }
}

/// The text after the comma that ends the descriptors; commas in parentheses are ignored.
fn after_descriptors(text: &str) -> &str {
    let mut depth = 0_u32;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth = depth.saturating_add(1),
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => return text.split_at(at).1,
            _ => {}
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_are_left_out() {
        assert_eq!(urls("a.png 1x, b.png 2x"), ["a.png", "b.png"]);
        assert_eq!(urls(" a.png,\n b.png 640w ,"), ["a.png", "b.png"]);
    }

    #[test]
    fn commas_inside_urls_stay() {
        assert_eq!(
            urls("data:image/png;base64,AAAA 1x, /i,w_200/c.png 2x"),
            ["data:image/png;base64,AAAA", "/i,w_200/c.png"]
        );
    }

    #[test]
    fn nothing_has_no_urls() {
        assert!(urls(" , ").is_empty());
    }
}
