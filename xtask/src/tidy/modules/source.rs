//! What a source file declares and imports, read from its tokens.

use proc_macro2::{Delimiter, Group, LexError, TokenStream, TokenTree};

/// A `use`, or one of several that share a `use`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Import {
    /// The path as written, from its first segment.
    pub(super) path: Vec<String>,
    /// What it brings into scope.
    pub(super) name: Imported,
}

/// What an import brings into scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Imported {
    /// One name.
    One(String),
    /// Everything of a module.
    All,
}

/// A module as it is written, in a file or between braces.
#[derive(Debug, Default)]
pub(super) struct Source {
    /// Its `use` declarations.
    pub(super) imports: Vec<Import>,
    /// Paths in its code that begin with `crate`, `self` or `super`.
    pub(super) paths: Vec<Vec<String>>,
    /// Modules in files of their own.
    pub(super) files: Vec<String>,
    /// Modules between braces.
    pub(super) inline: Vec<(String, Source)>,
}

impl Source {
    /// Reads a file; what is compiled for tests alone is left out.
    pub(super) fn parse(text: &str) -> Result<Self, LexError> {
        let mut source = Self::default();
        source.read(text.parse()?);
        Ok(source)
    }

    fn read(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut rest = tokens.as_slice();
        while let Some((token, after)) = rest.split_first() {
            rest = match token {
                TokenTree::Punct(sign) if sign.as_char() == '#' => after_attribute(after),
                TokenTree::Ident(word) if word == "use" => self.read_use(after),
                TokenTree::Ident(word) if word == "mod" => self.read_mod(after),
                TokenTree::Ident(word) if starts_a_path(&word.to_string()) => {
                    let (path, after) = path_from(rest);
                    if path.len() > 1 {
                        self.paths.push(path);
                    }
                    after
                }
                TokenTree::Group(group) => {
                    self.read(group.stream());
                    after
                }
                _ => after,
            };
        }
    }

    fn read_use<'t>(&mut self, tokens: &'t [TokenTree]) -> &'t [TokenTree] {
        let end = tokens.iter().position(|token| is(token, ';'));
        let (tree, after) = tokens.split_at(end.unwrap_or(tokens.len()));
        read_use_tree(&[], tree, &mut self.imports);
        after
    }

    fn read_mod<'t>(&mut self, tokens: &'t [TokenTree]) -> &'t [TokenTree] {
        match tokens {
            [TokenTree::Ident(name), TokenTree::Group(body), after @ ..] => {
                let mut inline = Self::default();
                inline.read(body.stream());
                self.inline.push((name.to_string(), inline));
                after
            }
            [TokenTree::Ident(name), end, after @ ..] if is(end, ';') => {
                self.files.push(name.to_string());
                after
            }
            _ => tokens,
        }
    }
}

/// What comes after an attribute, and after the item below it where that is for tests alone.
fn after_attribute(tokens: &[TokenTree]) -> &[TokenTree] {
    match tokens {
        [TokenTree::Group(attribute), after @ ..] if is_for_tests(attribute) => {
            let end = after.iter().position(ends_an_item);
            after
                .get(end.map_or(after.len(), |end| end + 1)..)
                .unwrap_or_default()
        }
        [TokenTree::Group(_), after @ ..] => after,
        _ => tokens,
    }
}

/// Whether it is `[cfg(…)]` with the word `test`, and not with `not`.
fn is_for_tests(attribute: &Group) -> bool {
    let tokens: Vec<TokenTree> = attribute.stream().into_iter().collect();
    match tokens.as_slice() {
        [TokenTree::Ident(cfg), TokenTree::Group(condition)] if cfg == "cfg" => {
            let words = words_of(condition.stream());
            words.iter().any(|word| word == "test") && !words.iter().any(|word| word == "not")
        }
        _ => false,
    }
}

fn words_of(tokens: TokenStream) -> Vec<String> {
    tokens
        .into_iter()
        .flat_map(|token| match token {
            TokenTree::Ident(word) => vec![word.to_string()],
            TokenTree::Group(group) => words_of(group.stream()),
            _ => Vec::new(),
        })
        .collect()
}

fn ends_an_item(token: &TokenTree) -> bool {
    match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        other => is(other, ';'),
    }
}

/// Reads `a::{b, c as d, e::*}` behind the segments of `prefix`.
fn read_use_tree(prefix: &[String], tokens: &[TokenTree], imports: &mut Vec<Import>) {
    let mut path = prefix.to_vec();
    let mut rest = tokens;
    let mut alias = None;
    while let Some((token, after)) = rest.split_first() {
        rest = after;
        match token {
            TokenTree::Group(several) => {
                let inner: Vec<TokenTree> = several.stream().into_iter().collect();
                for one in inner.split(|token| is(token, ',')) {
                    read_use_tree(&path, one, imports);
                }
                return;
            }
            TokenTree::Punct(sign) if sign.as_char() == '*' => {
                imports.push(Import {
                    path,
                    name: Imported::All,
                });
                return;
            }
            TokenTree::Ident(word) if word == "as" => {
                alias = rest.first().map(ToString::to_string);
                break;
            }
            TokenTree::Ident(word) => path.push(word.to_string()),
            _ => {}
        }
    }
    // `use a::b::{self}` imports `a::b`.
    if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    if path.len() > prefix.len() || path.len() > 1 {
        let name = alias.or_else(|| path.last().cloned()).unwrap_or_default();
        imports.push(Import {
            path,
            name: Imported::One(name),
        });
    }
}

/// The path that begins with the first token, and what comes after it.
fn path_from(tokens: &[TokenTree]) -> (Vec<String>, &[TokenTree]) {
    let mut path = Vec::new();
    let mut rest = tokens;
    while let [TokenTree::Ident(word), after @ ..] = rest {
        path.push(word.to_string());
        rest = after;
        match rest {
            [first, second, after @ ..] if is(first, ':') && is(second, ':') => rest = after,
            _ => break,
        }
    }
    (path, rest)
}

fn starts_a_path(word: &str) -> bool {
    matches!(word, "crate" | "self" | "super")
}

fn is(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}
