//! Statistical language detection.

use whatlang::{Detector, Lang, Script};

/// The minimum confidence of a detected language.
const SURE: f64 = 0.9;

/// The detected language of a text, compared with the declared language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Guess {
    /// The declared language, or one that is easily confused with it.
    Same,
    /// Another language, by its English name.
    Other(&'static str),
    /// The language cannot be determined.
    Unsure,
}

/// Primary language subtag, the detector's language, English name. Languages that are rare on the web are
/// excluded, because the detector often reports them for short texts.
const LANGUAGES: [(&str, Lang, &str); 58] = [
    ("af", Lang::Afr, "Afrikaans"),
    ("am", Lang::Amh, "Amharic"),
    ("ar", Lang::Ara, "Arabic"),
    ("az", Lang::Aze, "Azerbaijani"),
    ("be", Lang::Bel, "Belarusian"),
    ("bg", Lang::Bul, "Bulgarian"),
    ("bn", Lang::Ben, "Bengali"),
    ("bs", Lang::Hrv, "Croatian"),
    ("ca", Lang::Cat, "Catalan"),
    ("cs", Lang::Ces, "Czech"),
    ("da", Lang::Dan, "Danish"),
    ("de", Lang::Deu, "German"),
    ("el", Lang::Ell, "Greek"),
    ("en", Lang::Eng, "English"),
    ("es", Lang::Spa, "Spanish"),
    ("et", Lang::Est, "Estonian"),
    ("fa", Lang::Pes, "Persian"),
    ("fi", Lang::Fin, "Finnish"),
    ("fr", Lang::Fra, "French"),
    ("gu", Lang::Guj, "Gujarati"),
    ("he", Lang::Heb, "Hebrew"),
    ("hi", Lang::Hin, "Hindi"),
    ("hr", Lang::Hrv, "Croatian"),
    ("hu", Lang::Hun, "Hungarian"),
    ("hy", Lang::Hye, "Armenian"),
    ("id", Lang::Ind, "Indonesian"),
    ("it", Lang::Ita, "Italian"),
    ("ja", Lang::Jpn, "Japanese"),
    ("ka", Lang::Kat, "Georgian"),
    ("km", Lang::Khm, "Khmer"),
    ("kn", Lang::Kan, "Kannada"),
    ("ko", Lang::Kor, "Korean"),
    ("lt", Lang::Lit, "Lithuanian"),
    ("lv", Lang::Lav, "Latvian"),
    ("mk", Lang::Mkd, "Macedonian"),
    ("ml", Lang::Mal, "Malayalam"),
    ("mr", Lang::Mar, "Marathi"),
    ("ms", Lang::Ind, "Indonesian"),
    ("nb", Lang::Nob, "Norwegian"),
    ("nl", Lang::Nld, "Dutch"),
    ("nn", Lang::Nob, "Norwegian"),
    ("no", Lang::Nob, "Norwegian"),
    ("pl", Lang::Pol, "Polish"),
    ("pt", Lang::Por, "Portuguese"),
    ("ro", Lang::Ron, "Romanian"),
    ("ru", Lang::Rus, "Russian"),
    ("sk", Lang::Slk, "Slovak"),
    ("sl", Lang::Slv, "Slovene"),
    ("sr", Lang::Srp, "Serbian"),
    ("sv", Lang::Swe, "Swedish"),
    ("ta", Lang::Tam, "Tamil"),
    ("te", Lang::Tel, "Telugu"),
    ("th", Lang::Tha, "Thai"),
    ("tr", Lang::Tur, "Turkish"),
    ("uk", Lang::Ukr, "Ukrainian"),
    ("ur", Lang::Urd, "Urdu"),
    ("vi", Lang::Vie, "Vietnamese"),
    ("zh", Lang::Cmn, "Chinese"),
];

/// Languages that are easily confused with each other.
const SIMILAR: [&[Lang]; 9] = [
    &[Lang::Nob, Lang::Dan, Lang::Swe],
    &[Lang::Hrv, Lang::Srp, Lang::Slv],
    &[Lang::Ces, Lang::Slk],
    &[Lang::Spa, Lang::Cat, Lang::Por],
    &[Lang::Afr, Lang::Nld],
    &[Lang::Bul, Lang::Mkd],
    &[Lang::Tur, Lang::Aze],
    &[Lang::Hin, Lang::Mar],
    &[Lang::Rus, Lang::Bel, Lang::Ukr],
];

/// The primary subtag of a language tag, in lower case.
pub(crate) fn primary(tag: &str) -> String {
    let subtag = tag.trim().split(['-', '_']).next().unwrap_or_default();
    subtag.to_ascii_lowercase()
}

/// The language of a tag, if it can be detected.
pub(crate) fn by_tag(tag: &str) -> Option<Lang> {
    let subtag = primary(tag);
    LANGUAGES
        .iter()
        .find(|(known, _, _)| *known == subtag)
        .map(|(_, language, _)| *language)
}

/// Compares the detected language of a text with the declared one. The result is another language only if
/// the whole text and both its halves agree on it.
pub(crate) fn guess(text: &str, declared: Lang) -> Guess {
    let detector = Detector::with_allowlist(LANGUAGES.iter().map(|(_, lang, _)| *lang).collect());
    let Some(whole) = detector.detect(text) else {
        return Guess::Unsure;
    };
    if is_similar(whole.lang(), declared) {
        return Guess::Same;
    }
    let (first, second) = text.split_at(text.floor_char_boundary(text.len() / 2));
    let agree = [first, second]
        .iter()
        .all(|half| detector.detect_lang(half) == Some(whole.lang()));
    match name(whole.lang()) {
        Some(name)
            if whole.confidence() >= SURE && agree && is_one_script(text, whole.script()) =>
        {
            Guess::Other(name)
        }
        _ => Guess::Unsure,
    }
}

/// The code and the English name of the language of a text; `None` if it is not certain.
pub(crate) fn detect(text: &str) -> Option<(&'static str, &'static str)> {
    let detector = Detector::with_allowlist(LANGUAGES.iter().map(|(_, lang, _)| *lang).collect());
    let whole = detector.detect(text)?;
    let is_sure = whole.confidence() >= SURE && is_one_script(text, whole.script());
    let has_twin = SIMILAR.iter().any(|group| group.contains(&whole.lang()));
    let mut known = LANGUAGES.iter();
    let (code, _, name) = known.find(|(_, known, _)| *known == whole.lang())?;
    (is_sure && !has_twin).then_some((*code, *name))
}

fn is_similar(found: Lang, declared: Lang) -> bool {
    found == declared
        || SIMILAR
            .iter()
            .any(|group| group.contains(&found) && group.contains(&declared))
}

/// The code of a language by its English name.
pub(crate) fn code(name: &str) -> Option<&'static str> {
    let mut known = LANGUAGES.iter();
    known
        .find(|(_, _, known)| *known == name)
        .map(|(code, _, _)| *code)
}

fn name(language: Lang) -> Option<&'static str> {
    LANGUAGES
        .iter()
        .find(|(_, known, _)| *known == language)
        .map(|(_, _, name)| *name)
}

/// Whether almost all letters are in the script of the detected language. A text in two scripts may be in
/// the rarer one, with names in the other.
fn is_one_script(text: &str, script: Script) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let (latin, all) = letters.fold((0_usize, 0_usize), |(latin, all), c| {
        (latin + usize::from(is_latin(c)), all + 1)
    });
    let of_script = if script == Script::Latin {
        latin
    } else {
        all - latin
    };
    of_script * 100 >= all * if script == Script::Latin { 95 } else { 70 }
}

const fn is_latin(c: char) -> bool {
    matches!(c, 'A'..='Z' | 'a'..='z' | '\u{AA}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_by_their_primary_subtag() {
        assert_eq!(by_tag("pt-BR"), Some(Lang::Por));
        assert_eq!(by_tag(" EN_us "), Some(Lang::Eng));
        assert_eq!(by_tag("und"), None);
        assert_eq!(by_tag(""), None);
    }

    #[test]
    fn two_scripts_in_one_text_leave_it_open() {
        let text = "単語 HashMap BufferedReader InputStream StringBuilder";
        assert_eq!(guess(text, Lang::Jpn), Guess::Unsure);
    }
}
