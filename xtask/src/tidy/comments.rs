//! Comments that defer work, such as TODO: deferred work belongs in an issue.

use crate::workspace::TextFile;

const MARKS: [&str; 3] = ["TODO", "FIXME", "XXX"];

/// Comments with one of the marks. Documentation may mention a mark, but not begin with it.
pub(super) fn problems(sources: &[TextFile]) -> Vec<String> {
    sources
        .iter()
        .flat_map(|file| {
            comments(&file.text).into_iter().filter_map(|comment| {
                let mark = comment.mark()?;
                Some(format!(
                    "{}:{}: {mark} in a comment: do it, or open an issue",
                    file.path, comment.line
                ))
            })
        })
        .collect()
}

#[derive(Debug, PartialEq, Eq)]
struct Comment<'a> {
    line: usize,
    text: &'a str,
}

impl<'a> Comment<'a> {
    fn mark(&self) -> Option<&'a str> {
        let mut words = self
            .text
            .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .filter(|word| !word.is_empty());
        let marked = |word: &&str| MARKS.contains(word);
        if self.is_documentation() {
            words.next().filter(marked)
        } else {
            words.find(|word| marked(word))
        }
    }

    fn is_documentation(&self) -> bool {
        ["///", "//!", "/**", "/*!"]
            .iter()
            .any(|start| self.text.starts_with(start))
    }
}

/// The comments of a Rust source; string and character literals are skipped.
fn comments(source: &str) -> Vec<Comment<'_>> {
    let mut found = Vec::new();
    let mut rest = source;
    let mut line = 1;
    while !rest.is_empty() {
        let (token, next) = rest.split_at(token_length(rest));
        if token.starts_with("//") || token.starts_with("/*") {
            found.push(Comment { line, text: token });
        }
        line += token.matches('\n').count();
        rest = next;
    }
    found
}

/// The length of what stands at the start: a comment, a literal, a word, or one character.
fn token_length(source: &str) -> usize {
    let mut letters = source.chars();
    match letters.next() {
        Some('/') if source.starts_with("//") => source.find('\n').unwrap_or(source.len()),
        Some('/') if source.starts_with("/*") => block_comment_length(source),
        Some('"') => quoted_length(source, '"'),
        Some('\'') => match (letters.next(), letters.next()) {
            (Some('\\'), _) => quoted_length(source, '\''),
            (Some(letter), Some('\'')) => letter.len_utf8() + 2,
            _ => 1,
        },
        Some(letter) if letter.is_alphabetic() || letter == '_' => {
            let word = source
                .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
                .unwrap_or(source.len());
            let (word, after) = source.split_at(word);
            match word {
                "r" | "br" | "cr" => word.len() + raw_string_length(after),
                _ => word.len(),
            }
        }
        Some(letter) => letter.len_utf8(),
        None => 0,
    }
}

fn block_comment_length(source: &str) -> usize {
    let mut depth = 0_usize;
    let mut length = 0;
    let mut rest = source;
    while !rest.is_empty() {
        let step = if rest.starts_with("/*") {
            depth += 1;
            2
        } else if rest.starts_with("*/") {
            depth = depth.saturating_sub(1);
            2
        } else {
            rest.chars().next().map_or(0, char::len_utf8)
        };
        length += step;
        rest = rest.split_at(step).1;
        if depth == 0 {
            break;
        }
    }
    length
}

fn quoted_length(source: &str, quote: char) -> usize {
    let mut escaped = false;
    source
        .char_indices()
        .skip(1)
        .find(|(_, letter)| {
            let ends = *letter == quote && !escaped;
            escaped = *letter == '\\' && !escaped;
            ends
        })
        .map_or(source.len(), |(at, _)| at + quote.len_utf8())
}

/// The length of a raw string behind its `r`; 0 where none begins.
fn raw_string_length(source: &str) -> usize {
    let unhashed = source.trim_start_matches('#');
    let Some(body) = unhashed.strip_prefix('"') else {
        return 0;
    };
    let hashes = source.len() - unhashed.len();
    let end = format!("\"{}", "#".repeat(hashes));
    let opening = hashes + 1;
    body.find(&end)
        .map_or(source.len(), |at| opening + at + end.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        problems(&[TextFile {
            path: "a.rs".to_owned(),
            text: text.to_owned(),
        }])
    }

    #[test]
    fn plain_comments_are_searched() {
        assert_eq!(
            found("let a = 1;\nlet b = 2; // later: TODO(b) split\n"),
            ["a.rs:2: TODO in a comment: do it, or open an issue"]
        );
        assert_eq!(found("/* a /* FIXME */ */ let a;").len(), 1);
        assert_eq!(found("// see https://example.com/XXX").len(), 1);
    }

    #[test]
    fn documentation_may_speak_of_the_marks_but_not_begin_with_one() {
        assert!(found("/// The text `TODO` is a placeholder.\nfn a() {}").is_empty());
        assert_eq!(found("/// TODO: describe\nfn a() {}").len(), 1);
    }

    #[test]
    fn longer_words_are_other_words() {
        assert!(found("// TODOS, XXXL and A_TODO").is_empty());
    }

    #[test]
    fn strings_and_characters_are_data() {
        for text in [
            "let a = \"// TODO\";",
            "let a = \"\\\"// TODO\";",
            "let a = r\"\\\"; let b = \"// TODO\";",
            "let a = r#\"\" // TODO\"#;",
            "let a = br##\"\"# // TODO\"##;",
            "let a = ('\"', \"// TODO\");",
            "let a = ('\\'', '\"', \"// TODO\");",
            "fn f<'a>(a: &'a str) -> &'a str { \"// TODO\" }",
            "let r#type = b\"// TODO\";",
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn a_comment_behind_literals_is_a_comment() {
        for text in [
            "let a = '\"'; // TODO",
            "let a = r#\"\"\"#; // TODO",
            "let a: &'static str = \"\\\\\"; // TODO",
        ] {
            assert_eq!(found(text).len(), 1, "{text}");
        }
    }
}
