//! Texts without the parts that differ from page to page: numbers, hashes, and the parameters of URLs.

/// Letters and digits from which a word with both is taken for a hash or an id.
const LEAST_HASH_CHARS: usize = 8;

/// The text with a sign in place of each number and each hash, and its URLs without parameters and fragments.
pub(crate) fn without(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let is_url = rest.starts_with("http://") || rest.starts_with("https://");
        let end = if is_url {
            let ends =
                |letter: char| letter.is_whitespace() || matches!(letter, '"' | '\'' | ')' | ',');
            rest.find(ends).unwrap_or(rest.len())
        } else {
            next_url(rest)
        };
        let (part, after) = rest.split_at(end);
        let part = match part.find(['?', '#']).filter(|_| is_url) {
            Some(end) => part.split_at(end).0,
            None => part,
        };
        push_words(&mut out, part);
        rest = after;
    }
    out
}

/// Where the next URL in the text begins; its end if there is none.
fn next_url(text: &str) -> usize {
    let found = ["http://", "https://"]
        .iter()
        .filter_map(|scheme| text.find(scheme));
    found.min().unwrap_or(text.len())
}

fn push_words(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = first.is_ascii_alphanumeric();
        let ends = |letter: char| letter.is_ascii_alphanumeric() != is_word;
        let (part, after) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
        if is_word {
            push_word(out, part);
        } else {
            out.push_str(part);
        }
        rest = after;
    }
}

fn push_word(out: &mut String, word: &str) {
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    if has_digit && word.len() >= LEAST_HASH_CHARS {
        out.push('#');
        return;
    }
    let mut was_digit = false;
    for letter in word.chars() {
        let is_digit = letter.is_ascii_digit();
        if !is_digit {
            out.push(letter);
        } else if !was_digit {
            out.push('#');
        }
        was_digit = is_digit;
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("Error: none", "Error: none")]
    #[case("Chunk 12 of 345", "Chunk # of #")]
    #[case("h1 and x2y", "h# and x#y")]
    #[case("index-3f9a8b1c.js", "index-#.js")]
    #[case(
        "at https://a.example/p/4?q=1#f, line 3",
        "at https://a.example/p/#, line #"
    )]
    #[case("'https://a.example/x?y' ü", "'https://a.example/x' ü")]
    #[case("why? #1", "why? ##")]
    fn parts_that_differ_are_replaced(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(without(text), expected);
    }
}
