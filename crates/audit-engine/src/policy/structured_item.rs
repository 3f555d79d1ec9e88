//! Tokens with parameters (RFC 9651, Structured Field Values), as in `Cross-Origin-Opener-Policy`.
//!
//! Browsers ignore a header that does not follow the grammar completely, parameters included.

/// The token of a structured item; `None` if the header is not a token with well-formed parameters, so that
/// browsers ignore it.
#[must_use]
pub fn token(header: &str) -> Option<&str> {
    let header = header.trim_matches(' ');
    let is_first = |byte: u8| byte.is_ascii_alphabetic() || byte == b'*';
    let (token, rest) = take(header, is_first, is_token_byte)?;
    parameters(rest).then_some(token)
}

/// Whether the text is a list of parameters and nothing else (RFC 9651, section 3.1.2).
fn parameters(mut text: &str) -> bool {
    while let Some(rest) = text.strip_prefix(';') {
        let is_first = |byte: u8| byte.is_ascii_lowercase() || byte == b'*';
        let Some((_, rest)) = take(rest.trim_start_matches(' '), is_first, is_key_byte) else {
            return false;
        };
        text = match rest.strip_prefix('=') {
            None => rest,
            Some(value) => match after_item(value) {
                Some(rest) => rest,
                None => return false,
            },
        };
    }
    text.is_empty()
}

/// The text after a bare item: a string, a token, a number, a byte sequence or a boolean.
fn after_item(text: &str) -> Option<&str> {
    match *text.as_bytes().first()? {
        b'"' => after_string(text.get(1..)?),
        b':' => {
            let (_, rest) = text.get(1..)?.split_once(':')?;
            Some(rest)
        }
        b'?' => text.strip_prefix("?0").or_else(|| text.strip_prefix("?1")),
        b'-' | b'0'..=b'9' => {
            let is_first = |byte: u8| byte == b'-' || byte.is_ascii_digit();
            let is_digit = |byte: u8| byte.is_ascii_digit() || byte == b'.';
            take(text, is_first, is_digit).map(|(_, rest)| rest)
        }
        _ => {
            let is_first = |byte: u8| byte.is_ascii_alphabetic() || byte == b'*';
            take(text, is_first, is_token_byte).map(|(_, rest)| rest)
        }
    }
}

/// The text after the closing quote.
fn after_string(text: &str) -> Option<&str> {
    let mut bytes = text.bytes().enumerate();
    while let Some((place, byte)) = bytes.next() {
        match byte {
            b'"' => return text.get(place + 1..),
            b'\\' => {
                bytes
                    .next()
                    .filter(|(_, byte)| matches!(byte, b'"' | b'\\'))?;
            }
            0x20..=0x7e => {}
            _ => return None,
        }
    }
    None
}

/// Splits after the longest beginning whose first byte and whose other bytes are accepted.
fn take(
    text: &str,
    is_first: impl Fn(u8) -> bool,
    is_other: impl Fn(u8) -> bool,
) -> Option<(&str, &str)> {
    text.bytes().next().filter(|byte| is_first(*byte))?;
    let others = text.bytes().skip(1).take_while(|byte| is_other(*byte));
    text.split_at_checked(1 + others.count())
}

fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~:/".contains(&byte)
}

fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-.*".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_with_and_without_parameters_is_read() {
        for header in [
            "same-origin",
            " same-origin ",
            "same-origin; report-to=\"coop\"",
            "same-origin;a;b=?1;c=-1.5;d=:YQ==:;e=tok;f=\"a\\\"b\"",
        ] {
            assert_eq!(token(header), Some("same-origin"), "{header}");
        }
    }

    #[test]
    fn what_browsers_ignore_has_no_token() {
        for header in [
            "",
            "\"same-origin\"",
            "same-origin, same-origin",
            "same-origin;",
            "same-origin; Report-To=\"x\"",
            "same-origin; report-to=\"x",
            "same-origin; report-to=",
            "same-origin unsafe-none",
            "1",
        ] {
            assert_eq!(token(header), None, "{header}");
        }
    }
}
