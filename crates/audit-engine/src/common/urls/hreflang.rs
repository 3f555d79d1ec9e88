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
    let mut parts = value.split('-').peekable();
    let language = parts.next().unwrap_or_default().to_ascii_lowercase();
    if !is_language(&language) {
        return Some(format!(
            "starts with `{language}`, which is not a valid language code"
        ));
    }
    if value.ends_with('-') {
        return Some("ends with a hyphen".to_owned());
    }
    rest_fault(parts)
}

/// The fault of the subtags after the language: a script, a region, variants, extensions and private use, in this
/// order (RFC 5646, section 2.1).
fn rest_fault<'a>(mut parts: std::iter::Peekable<impl Iterator<Item = &'a str>>) -> Option<String> {
    parts.next_if(|part| is_extended_language(part));
    parts.next_if(|part| is_script(part));
    parts.next_if(|part| is_region(part));
    let mut variants: Vec<String> = Vec::new();
    while let Some(variant) = parts.next_if(|part| is_variant(part)) {
        let variant = variant.to_ascii_lowercase();
        if variants.contains(&variant) {
            return Some(format!("repeats the variant `{variant}`"));
        }
        variants.push(variant);
        if variants.len() > MOST_VARIANTS {
            return Some("has too many variants".to_owned());
        }
    }
    let next = parts.next()?;
    match next.len() {
        1 => extension_fault(next, parts),
        0 => Some("contains two hyphens in a row".to_owned()),
        _ if is_region(next) || is_script(next) => Some(format!(
            "contains `{next}` in the wrong place or twice; expected language, script, region"
        )),
        _ => Some(format!(
            "contains `{next}`, which is not a valid region code"
        )),
    }
}

/// The fault of the extensions and the private part, from the first subtag of one character.
fn extension_fault<'a>(
    first: &'a str,
    mut parts: std::iter::Peekable<impl Iterator<Item = &'a str>>,
) -> Option<String> {
    let mut singletons: Vec<String> = Vec::new();
    let mut singleton = first;
    loop {
        let is_private = singleton.eq_ignore_ascii_case("x");
        let shortest = if is_private { 1 } else { 2 };
        let name = singleton.to_ascii_lowercase();
        if !is_alphanumeric(singleton) {
            return Some(format!("contains `{singleton}`, which is not a subtag"));
        }
        if singletons.contains(&name) {
            return Some(format!("contains the extension `{singleton}` twice"));
        }
        singletons.push(name);
        let is_part = |part: &&str| (shortest..=8).contains(&part.len()) && is_alphanumeric(part);
        let mut count = 0_usize;
        while parts.next_if(is_part).is_some() {
            count = count.saturating_add(1);
        }
        if count == 0 {
            return Some(format!("has the extension `{singleton}` without a value"));
        }
        match parts.next() {
            None => return None,
            Some(next) if next.len() == 1 && !is_private => singleton = next,
            Some(next) => return Some(format!("contains `{next}`, which is not a subtag")),
        }
    }
}

/// More variants than any language has.
const MOST_VARIANTS: usize = 8;

/// Three letters, as in `zh-yue`.
fn is_extended_language(part: &str) -> bool {
    part.len() == 3 && is_alphabetic(part)
}

fn is_script(part: &str) -> bool {
    part.len() == 4 && is_alphabetic(part)
}

/// Whether the subtag is a registered variant. Many region names look like one, such as `germany`.
fn is_variant(part: &str) -> bool {
    VARIANTS
        .split_ascii_whitespace()
        .any(|known| known.eq_ignore_ascii_case(part))
}

fn is_alphanumeric(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric())
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

/// The variants in the IANA Language Subtag Registry.
const VARIANTS: &str = "\
    1606nict 1694acad 1901 1959acad 1994 1996 abl1943 akhmimic akuapem alalc97 aluku anpezo ao1990 \
    aranes arevela arevmda arkaika asante auvern baku1926 balanka barla basiceng bauddha bciav \
    bcizbl biscayan biske blasl bohairic bohoric boont bornholm cisaup colb1945 cornu creiss \
    dajnko ekavsk emodeng fascia fayyumic fodom fonipa fonkirsh fonnapa fonupa fonxsamp gallo \
    gascon gherd grclass grital grmistr hanoi hepburn heploc hognorsk hsistemo huett ijekavsk \
    itihasa ivanchov jauer jyutping kkcor kleinsch kociewie kscor laukika leidentr lemosin \
    lengadoc lipaw ltg1929 ltg2007 luna1918 lycopol mdcegyp mdctrans mesokem metelko monoton \
    ndyuka nedis newfound nicard njiva nulik osojs oxendict pahawh2 pahawh3 pahawh4 pamaka peano \
    pehoeji petr1708 pinyin polyton provenc puter rigik rozaj rumgr sahidic saigon scotland scouse \
    simple solba sotav spanglis surmiran sursilv sutsilv synnejyl tailo tarask tongyong tunumiit \
    uccor ucrcor ulster unifon vaidika valbadia valencia vallader vecdruka viennese vivaraup \
    wadegile xsistemo";

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
            "zh-yue-Hant-HK",
            "sl-IT-rozaj-biske-1994",
            "en-GB-oxendict",
            "de-DE-u-co-phonebk",
            "en-a-bbb-x-a-ccc",
            "de-x-a",
        ] {
            assert_eq!(hreflang_fault(code), None, "{code}");
        }
    }

    #[test]
    fn subtags_in_the_wrong_place_are_not() {
        for code in [
            "en-US-Latn",
            "en-US-US",
            "en-US-GB",
            "zh-Hant-Hans",
            "en-US-",
            "en--US",
            "de-DEUT-DE-AT",
            "en-abcd1",
            "en-abcd-efgh",
            "en-1a",
            "en-u",
            "en-u-co-u-ka",
            "en-x",
            "de-1996-1996",
            "en-english12",
            "en-US-ab",
            "de-germany",
            "en-english",
        ] {
            assert!(hreflang_fault(code).is_some(), "{code}");
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
