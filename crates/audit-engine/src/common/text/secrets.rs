//! Detection of private keys and access tokens by their distinctive formats.

use std::sync::LazyLock;

use data_encoding::HEXLOWER;
use memchr::memmem;
use sha2::{Digest, Sha256};

/// A secret in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Secret {
    /// Its kind, with an article.
    pub(crate) what: &'static str,
    /// The number of line ends before it.
    pub(crate) lines_before: u32,
    /// Its first four characters. No other part of the value is stored.
    pub(crate) start: String,
    /// A digest that identifies the secret and is the same on every run.
    pub(crate) digest: String,
}

/// The format of a kind of secret: a fixed prefix and a number of characters from an alphabet.
struct Form {
    what: &'static str,
    prefix: &'static str,
    alphabet: fn(u8) -> bool,
    least: usize,
    most: usize,
    /// The minimum entropy in bits per character. Text with less is a placeholder.
    least_entropy: f64,
}

const fn form(
    what: &'static str,
    prefix: &'static str,
    alphabet: fn(u8) -> bool,
    least: usize,
    most: usize,
) -> Form {
    let least_entropy = if least < 20 { 2.8 } else { 3.5 };
    Form {
        what,
        prefix,
        alphabet,
        least,
        most,
        least_entropy,
    }
}

const AWS: &str = "an AWS access key";
const GITHUB: &str = "a GitHub token";
const STRIPE: &str = "a live secret key of Stripe";
const SLACK: &str = "a Slack token";

const FORMS: [Form; 16] = [
    form(AWS, "AKIA", is_base32, 16, 16),
    form(AWS, "ASIA", is_base32, 16, 16),
    form(GITHUB, "ghp_", is_alphanumeric, 36, 36),
    form(GITHUB, "gho_", is_alphanumeric, 36, 36),
    form(GITHUB, "ghu_", is_alphanumeric, 36, 36),
    form(GITHUB, "ghs_", is_alphanumeric, 36, 36),
    form(GITHUB, "ghr_", is_alphanumeric, 36, 36),
    form(GITHUB, "github_pat_", is_word, 82, 82),
    form("a GitLab token", "glpat-", is_url_safe, 20, 20),
    form("an npm token", "npm_", is_alphanumeric, 36, 36),
    form(STRIPE, "sk_live_", is_alphanumeric, 24, 247),
    form(STRIPE, "rk_live_", is_alphanumeric, 24, 247),
    form(SLACK, "xoxb-", is_url_safe, 40, 250),
    form(SLACK, "xoxp-", is_url_safe, 40, 250),
    form("an API key of SendGrid", "SG.", is_dotted, 66, 66),
    form(
        "an API key of Anthropic",
        "sk-ant-api03-",
        is_url_safe,
        93,
        95,
    ),
];

const KEY_BEGIN: &str = "-----BEGIN ";
const KEY_END: &str = "PRIVATE KEY-----";
/// The minimum length of a private key. The shortest private keys have about 64 characters.
const LEAST_KEY_CHARS: usize = 60;
/// Words that occur in placeholders.
const PLACEHOLDERS: [&str; 6] = ["example", "xxxx", "12345", "00000", "abcde", "your"];

/// Whether the text can contain a secret. A cheap pre-check for a whole page.
pub(crate) fn may_hold(text: &str) -> bool {
    static MARKS: LazyLock<Marks> = LazyLock::new(Marks::new);
    MARKS.are_in(text.as_bytes())
}

/// The prefixes of all secret formats, so that one pass over a text finds almost all of them.
struct Marks {
    /// Prefixes with an underscore or a hyphen and the offset of the first one, by the byte before it.
    hyphened: [Vec<(&'static [u8], usize)>; 256],
    /// All other prefixes.
    plain: Vec<memmem::Finder<'static>>,
}

impl Marks {
    fn new() -> Self {
        let mut marks = Self {
            hyphened: std::array::from_fn(|_| Vec::new()),
            plain: Vec::new(),
        };
        for prefix in FORMS.iter().map(|form| form.prefix).chain([KEY_END]) {
            let bytes = prefix.as_bytes();
            let at = prefix.find(['_', '-']);
            let before = at.and_then(|at| bytes.get(at.checked_sub(1)?));
            let alike = before.and_then(|byte| marks.hyphened.get_mut(usize::from(*byte)));
            match at.zip(alike) {
                Some((at, alike)) => alike.push((bytes, at)),
                None => marks.plain.push(memmem::Finder::new(prefix)),
            }
        }
        marks
    }

    fn are_in(&self, text: &[u8]) -> bool {
        memchr::memchr2_iter(b'_', b'-', text).any(|at| self.one_stands_around(text, at))
            || self.plain.iter().any(|finder| finder.find(text).is_some())
    }

    fn one_stands_around(&self, text: &[u8], at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|at| text.get(at));
        let alike = before.and_then(|byte| self.hyphened.get(usize::from(*byte)));
        alike.is_some_and(|alike| {
            alike.iter().any(|(prefix, mark)| {
                let start = at.checked_sub(*mark).and_then(|start| text.get(start..));
                start.is_some_and(|rest| rest.starts_with(prefix))
            })
        })
    }
}

/// The secrets in a text, ordered by kind and then by position.
pub(crate) fn find(text: &str) -> impl Iterator<Item = Secret> {
    let mut lines = Lines::default();
    let tokens = FORMS.iter().flat_map(move |form| tokens(text, form));
    tokens
        .chain(private_keys(text))
        .map(move |(at, secret)| Secret {
            lines_before: lines.before(text, at),
            ..secret
        })
}

/// Counts line ends from the last requested position, so that ascending positions cost one pass.
#[derive(Default)]
struct Lines {
    at: usize,
    ended: usize,
}

impl Lines {
    /// The number of line ends before the position.
    fn before(&mut self, text: &str, at: usize) -> u32 {
        if at < self.at {
            *self = Self::default();
        }
        let passed = text.as_bytes().get(self.at..at).unwrap_or_default();
        self.ended += memchr::memchr_iter(b'\n', passed).count();
        self.at = at;
        u32::try_from(self.ended).unwrap_or(u32::MAX)
    }
}

/// Tokens of a format, each with its byte offset.
fn tokens(text: &str, form: &'static Form) -> impl Iterator<Item = (usize, Secret)> {
    text.match_indices(form.prefix).filter_map(move |(at, _)| {
        let (before, rest) = text.split_at_checked(at)?;
        let body = rest.strip_prefix(form.prefix)?;
        // One character more than the maximum shows that the text continues.
        let length = body
            .bytes()
            .take(form.most + 1)
            .take_while(|byte| (form.alphabet)(*byte))
            .count();
        let (token, after) = body.split_at_checked(length)?;
        let alone = !before.ends_with(is_part_of_a_word) && !after.starts_with(is_part_of_a_word);
        let real = (form.least..=form.most).contains(&length)
            && alone
            && !is_placeholder(token)
            && entropy(token) >= form.least_entropy;
        real.then(|| {
            let secret = Secret {
                what: form.what,
                lines_before: 0,
                start: form.prefix.chars().take(4).collect(),
                digest: digest(token),
            };
            (at, secret)
        })
    })
}

/// PEM blocks with a body, each with its byte offset, without keys that need a passphrase.
fn private_keys(text: &str) -> impl Iterator<Item = (usize, Secret)> {
    text.match_indices(KEY_END).filter_map(move |(end, _)| {
        let (head, rest) = text.split_at_checked(end)?;
        let kind = key_kind(head)?;
        let begin = end - kind.len() - KEY_BEGIN.len();
        let body = rest.strip_prefix(KEY_END)?.split("-----").next()?;
        // In a script, the two characters `\n` can separate the lines.
        let plain = body.replace("\\n", "\n").replace("\\r", "");
        let base64: String = plain
            .lines()
            .map(|line| line.trim().trim_matches(['"', '\'', '+', ' ', ',']))
            .collect();
        let real = !kind.contains("ENCRYPTED")
            && base64.len() >= LEAST_KEY_CHARS
            && base64
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte))
            && entropy(&base64) >= 4.0;
        real.then(|| {
            let secret = Secret {
                what: "a private key",
                lines_before: 0,
                start: "----".to_owned(),
                digest: digest(&base64),
            };
            (begin, secret)
        })
    })
}

/// The text between `BEGIN` and `PRIVATE KEY`, for example `RSA `.
fn key_kind(head: &str) -> Option<&str> {
    let nearest = head.floor_char_boundary(head.len().saturating_sub(40));
    let (_, near) = head.split_at_checked(nearest)?;
    near.rsplit_once(KEY_BEGIN).map(|(_, kind)| kind)
}

fn is_placeholder(token: &str) -> bool {
    let token = token.to_ascii_lowercase();
    PLACEHOLDERS.iter().any(|word| token.contains(word))
}

const fn is_base32(byte: u8) -> bool {
    byte.is_ascii_uppercase() || matches!(byte, b'2'..=b'7')
}

const fn is_alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

const fn is_url_safe(byte: u8) -> bool {
    is_word(byte) || byte == b'-'
}

const fn is_dotted(byte: u8) -> bool {
    is_url_safe(byte) || byte == b'.'
}

fn is_part_of_a_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Shannon entropy in bits per byte.
fn entropy(text: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in text.bytes() {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    let total = f64::from(u32::try_from(text.len()).unwrap_or(u32::MAX).max(1));
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| f64::from(*count) / total)
        .map(|share| -share * share.log2())
        .sum()
}

fn digest(secret: &str) -> String {
    let hash = Sha256::digest(secret.as_bytes());
    HEXLOWER.encode(hash.get(..4).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_beginning_is_found_wherever_it_stands() {
        for prefix in FORMS.iter().map(|form| form.prefix).chain([KEY_END]) {
            for text in [prefix.to_owned(), format!("a-b_ é-{prefix}x")] {
                assert!(may_hold(&text), "{text}");
            }
        }
        assert!(!may_hold(
            "-_ghp glpat_x sk-live A KIA S.G. class='a-b' PRIVATE KEY -----"
        ));
    }

    // The token is assembled here, so that secret scanners do not report this file.
    fn github() -> String {
        format!("ghp_{}", "q7RtZ2mVx9LcW4nKb8YdHs3PfJg6TaEu1oSi")
    }

    fn kinds(text: &str) -> Vec<&'static str> {
        find(text).map(|secret| secret.what).collect()
    }

    #[test]
    fn tokens_are_found_where_they_stand_alone() {
        let token = github();
        assert_eq!(kinds(&format!("key: '{token}',")), [GITHUB]);
        assert!(kinds(&format!("a{token}")).is_empty());
        assert!(kinds(&format!("{token}x")).is_empty());
        assert!(kinds("ghp_tooShort").is_empty());
    }

    #[test]
    fn nothing_but_the_beginning_is_kept() {
        let secret = find(&github()).next().unwrap();
        assert_eq!((secret.start.as_str(), secret.digest.len()), ("ghp_", 8));
    }

    #[test]
    fn lines_are_counted_for_each_kind_from_the_beginning() {
        let aws = format!("AKIA{}", "Q3EGRTW5ZLMNX7BD");
        let text = format!("\n{0}\n\n{aws} {0}\n{aws}", github());
        let found: Vec<_> = find(&text)
            .map(|secret| (secret.what, secret.lines_before))
            .collect();
        assert_eq!(found, [(AWS, 3), (AWS, 4), (GITHUB, 1), (GITHUB, 3)]);
    }

    #[test]
    fn examples_and_repetitions_are_no_secrets() {
        assert!(kinds("AKIAIOSFODNN7EXAMPLE").is_empty());
        assert!(kinds(&format!("ghp_{}", "a".repeat(36))).is_empty());
        assert!(kinds(&format!("sk_live_{}", "x".repeat(24))).is_empty());
        assert!(kinds("AKIA2222222222222222").is_empty());
    }

    #[test]
    fn an_access_key_is_found() {
        assert_eq!(kinds(&format!("\"AKIA{}\"", "Q3EGRTW5ZLMNX7BD")), [AWS]);
    }

    #[test]
    fn private_keys_need_a_body() {
        let body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\nMzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu";
        let pem = |kind: &str, body: &str| {
            format!("-----BEGIN {kind}PRIVATE KEY-----\n{body}\n-----END {kind}PRIVATE KEY-----")
        };
        assert_eq!(kinds(&pem("", body)), ["a private key"]);
        assert_eq!(
            kinds(&pem("RSA ", &body.replace('\n', "\\n"))),
            ["a private key"]
        );
        assert!(kinds(&pem("", "...")).is_empty());
        assert!(kinds(&pem("ENCRYPTED ", body)).is_empty());
        assert!(kinds(&pem("", &"A".repeat(200))).is_empty());
    }
}
