//! Validation of `hreflang` language and region codes.

use crate::common::text::language::LanguageTag;

/// The fault of an `hreflang` value, as a predicate; `None` for `x-default` and valid codes.
pub(crate) fn hreflang_fault(value: &str) -> Option<String> {
    let value = value.trim();
    if value.is_empty() {
        return Some("is empty".to_owned());
    }
    if value.eq_ignore_ascii_case("x-default") {
        return None;
    }
    if value.contains('_') {
        return Some("contains an underscore; expected a hyphen".to_owned());
    }
    let mut parts = value.split('-');
    let language = parts.next().unwrap_or_default().to_ascii_lowercase();
    if !is_language(&language) {
        return Some(format!(
            "starts with `{language}`, which is not a valid language code"
        ));
    }
    let mut rest = parts.peekable();
    rest.next_if(|part| part.len() == 4 && is_alphabetic(part));
    match rest.next() {
        None => None,
        Some(region) if is_region(region) => None,
        // Variants and extensions, for example `de-1996`, are valid by RFC 5646.
        Some(variant)
            if variant.len() >= 4 && variant.bytes().all(|b| b.is_ascii_alphanumeric()) =>
        {
            None
        }
        Some(region) => Some(format!(
            "contains `{region}`, which is not a valid region code"
        )),
    }
}

fn is_alphabetic(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Whether the code is in ISO 639-1 or has three letters. There are thousands of three-letter codes, so all are accepted.
fn is_language(code: &str) -> bool {
    match code.len() {
        2 => LanguageTag::parse(code) == LanguageTag::Known,
        3 => is_alphabetic(code),
        _ => false,
    }
}

/// Whether the code is in ISO 3166-1 alpha-2, is `XK` for Kosovo, or has three digits (UN M.49).
fn is_region(code: &str) -> bool {
    match code.len() {
        2 => REGIONS
            .split_ascii_whitespace()
            .any(|known| known.eq_ignore_ascii_case(code)),
        3 => code.bytes().all(|byte| byte.is_ascii_digit()),
        _ => false,
    }
}

const REGIONS: &str = "\
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS \
    BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE \
    EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM \
    HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC \
    LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA \
    NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW \
    SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO \
    TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_the_standard_are_valid() {
        for code in [
            "x-default",
            "en",
            "EN-gb",
            "zh-Hant",
            "zh-Hant-TW",
            "es-419",
            "haw",
            "de-1996",
            "iw",
        ] {
            assert_eq!(hreflang_fault(code), None, "{code}");
        }
    }

    #[test]
    fn common_mistakes_are_not() {
        for code in [
            "", "en-UK", "jp", "en_US", "english", "en-EU", "e", "de-", "1",
        ] {
            assert!(hreflang_fault(code).is_some(), "{code}");
        }
    }
}
