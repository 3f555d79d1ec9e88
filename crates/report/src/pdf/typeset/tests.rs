use rstest::rstest;
use typst::foundations::Repr;

use super::*;

/// The value as Typst writes it.
fn set(build: impl FnOnce(&mut Typesetter<'_>) -> Value) -> String {
    let fonts = PdfFonts::embedded();
    let without = Without::These(BTreeSet::new());
    build(&mut Typesetter::new(&fonts, &without))
        .repr()
        .to_string()
}

fn line(text: &str, most: usize) -> String {
    let fonts = PdfFonts::embedded();
    let without = Without::These(BTreeSet::new());
    Typesetter::new(&fonts, &without).line(text, most)
}

#[rstest]
#[case("one\r\n two\tthree", "one two three")]
#[case("abc\u{202e}gpj.exe", r"abc\u{202e}gpj.exe")]
#[case("\u{1b}[2J", r"\u{1b}[2J")]
#[case("a\u{200d}b", r"a\u{200d}b")]
#[case("می\u{200c}روم", "می\u{200c}روم")]
#[case(" می \u{200c} ", r"می \u{200c}")]
#[case("✔\u{fe0f} fine", "✔ fine")]
#[case("東京 \u{e001}", "□□ □")]
#[case("👩\u{200d}✈\u{fe0f} ok", "□✈ ok")]
fn what_is_obeyed_is_shown_and_what_no_font_has_is_replaced(
    #[case] text: &str,
    #[case] expected: &str,
) {
    assert_eq!(line(text, 100), expected);
}

#[test]
fn long_texts_are_cut_at_so_many_characters() {
    assert_eq!(line("abcdef", 6), "abcdef");
    assert_eq!(line("abcdefg", 6), "abcdef…");
    assert_eq!(line("abcde fgh", 6), "abcde…");
    assert_eq!(line(&"x ".repeat(10_000), 9), "x x x x x…");
    assert_eq!(line(&" ".repeat(10_000), 9), "…");
    assert_eq!(line("e\u{301}e\u{301}", 1), "e\u{301}…");
}

#[test]
fn plain_words_are_one_string() {
    assert_eq!(set(|set| set.words("Two words.", 99)), "\"Two words.\"");
    assert_eq!(set(|set| set.words("", 99)), "\"\"");
}

#[test]
fn code_and_other_languages_are_marked() {
    assert_eq!(
        set(|set| set.words("Add `alt`, ναι.", 99)),
        r#"(
  runs: (
    "Add ",
    (code: ("alt",)),
    ", ",
    (pieces: ("ναι",), language: "el", rtl: false),
    ".",
  ),
  rtl: none,
)"#
    );
}

#[test]
fn a_text_that_begins_from_the_right_runs_from_the_right() {
    let value = set(|set| set.words("«שלום» alt", 99));
    assert!(value.contains("rtl: \"he\""), "{value}");
    let value = set(|set| set.words("alt «שלום»", 99));
    assert!(value.contains("rtl: none"), "{value}");
}

#[rstest]
#[case("`", "\"`\"")]
#[case("a `b", "\"a `b\"")]
#[case("``` x ```", "\"``` x ```\"")]
fn backticks_without_a_partner_stay(#[case] text: &str, #[case] expected: &str) {
    assert_eq!(set(|set| set.words(text, 99)), expected);
}

#[test]
fn long_words_and_code_may_be_broken() {
    let parts = split("https://ferry.example/aaaaaaaaaaaaaaaa");
    assert_eq!(
        parts,
        [
            "https:", "//ferr", "y.exam", "ple/", "aaaaaa", "aaaaaa", "aaaa"
        ]
    );
    let value = set(|set| set.words(&"y".repeat(21), 99));
    assert_eq!(value.matches("yyyyyy").count(), 3, "{value}");
}

#[test]
fn nothing_is_lost_between_the_runs() {
    let text = "a שלום b 12 ναι, ไทย! «שלום» (3) e\u{301}";
    let fonts = PdfFonts::embedded();
    let text: String = text
        .chars()
        .filter(|&c| c == ' ' || fonts.cover(c))
        .collect();
    let told: String = spoken(&text).iter().map(strings).collect();
    assert_eq!(told, text);
}

#[test]
fn a_bracket_is_closed_where_it_was_opened() {
    let stretch = |text: &str| strings(&spoken(text)[1]);
    assert_eq!(stretch("“שלום (12 שלום)” (3)"), "שלום (12 שלום)");
    assert_eq!(stretch("(שלום)"), "שלום");
}

fn strings(value: &Value) -> String {
    match value {
        Value::Str(text) => text.to_string(),
        Value::Array(parts) => parts.iter().map(strings).collect(),
        Value::Dict(run) => run.get("pieces").map(strings).unwrap_or_default(),
        _ => String::new(),
    }
}

#[test]
fn missing_characters_are_known_by_their_scripts() {
    let fonts = PdfFonts::embedded();
    let without = Without::These(BTreeSet::from(['ß']));
    let mut set = Typesetter::new(&fonts, &without);
    assert_eq!(set.line("東京 ß \u{e001} 🚢", 99), "□□ □ □ □");
    let missing = set.missing();
    let scripts: Vec<_> = missing.keys().copied().collect();
    assert_eq!(
        scripts,
        ["Han", "Latin", "Private use", "Symbols and emoji"]
    );
    assert_eq!(missing["Han"], ['京', '東']);
    let mut set = Typesetter::new(&fonts, &Without::AllButAscii);
    assert_eq!(set.line("déjà", 99), "d?j?");
}
