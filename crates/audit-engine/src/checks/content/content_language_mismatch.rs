//! Text in another language than its `lang` attribute declares.

use crate::check::{Evidence, Outcome};
use crate::common::text::filler::is_filler;
use crate::common::text::languages::{self, Guess};
use crate::common::text::prose;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::text::word_count;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The main text of the page is in the language that `lang` declares for it.
    ///
    /// ## Why it matters
    /// A screen reader pronounces the words by the rules of the declared language, so listeners
    /// cannot understand text in another language. Browsers offer the wrong translation and
    /// hyphenate incorrectly.
    ///
    /// ## How to fix it
    /// Set `lang` on the `html` start tag to the language of the text, for example `lang="de"` for
    /// German. Set a separate `lang` on parts in another language.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Fähren</title><main><h1>Fähren über die Bucht</h1><p>Unsere beiden Fähren fahren an jedem Tag des Jahres über die Bucht. Die erste verlässt den alten Hafen um sechs Uhr am Morgen, die letzte kehrt kurz vor Mitternacht zurück, und dazwischen gibt es alle dreißig Minuten eine Überfahrt. Im Juli und im August kommt ein drittes Schiff dazu, und dann warten Sie niemals länger als zwanzig Minuten auf Ihre Abfahrt.</p></main></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="de"><title>Fähren</title><main><h1>Fähren über die Bucht</h1><p>Unsere beiden Fähren fahren an jedem Tag des Jahres über die Bucht. Die erste verlässt den alten Hafen um sechs Uhr am Morgen, die letzte kehrt kurz vor Mitternacht zurück, und dazwischen gibt es alle dreißig Minuten eine Überfahrt. Im Juli und im August kommt ein drittes Schiff dazu, und dann warten Sie niemals länger als zwanzig Minuten auf Ihre Abfahrt.</p></main></html>
    /// ```
    ///
    /// ## Limits
    /// Texts of fewer than 50 words, code, filler text such as "lorem ipsum", and languages that the detection does not support are
    /// left out. Languages that are easily confused, such as Danish and Norwegian or Czech and
    /// Slovak, are never reported as a mismatch.
    ///
    /// ## Also known as
    /// - ACT: `ucwvc8`
    /// - WCAG: 3.1.1 Language of Page
    /// - Common name: Wrong page language
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 3.1.1 Language of Page (A)
    /// - W3C ACT rule ucwvc8, HTML page language subtag matches default language
    CONTENT_LANGUAGE_MISMATCH {
        id: "content-language-mismatch",
        title: "Content language does not match the lang attribute",
        dimension: Content,
        scope: Page,
        severity: Serious,
        confidence: Medium,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const FEWEST_WORDS: usize = 50;

/// Enough text for a reliable result.
const MAX_BYTES: usize = 20_000;

fn evaluate(page: &Page) -> Outcome {
    let Some(main) = page.main_element() else {
        return Outcome::NotApplicable;
    };
    let Some((holder, declared)) = declared_language(main) else {
        return Outcome::NotApplicable;
    };
    let Some(language) = languages::by_tag(declared) else {
        return Outcome::NotApplicable;
    };
    let text = text_in(page, main, declared);
    if word_count(&text) < FEWEST_WORDS {
        return Outcome::NotApplicable;
    }
    if is_filler(&text) {
        return Outcome::NotApplicable;
    }
    match languages::guess(&text, language) {
        Guess::Same => Outcome::Passed,
        Guess::Unsure => {
            Outcome::CannotTell("The language of the text could not be detected reliably.")
        }
        Guess::Other(found) => {
            let code = languages::code(found).unwrap_or_default();
            Outcome::failed(vec![Evidence::node(holder).message(format!(
                "The page declares lang=\"{declared}\", but its text is in {found}; expected lang=\"{code}\"."
            ))])
        }
    }
}

/// The nearest `lang` on the element or its ancestors, and the element that has it.
fn declared_language(main: ElementRef<'_>) -> Option<(ElementRef<'_>, &str)> {
    std::iter::once(main)
        .chain(main.ancestors())
        .find_map(|element| Some((element, element.attr("lang")?.trim())))
        .filter(|(_, lang)| !lang.is_empty())
}

/// The prose of the main part that declares no other language and is not filler text.
fn text_in(page: &Page, main: ElementRef<'_>, declared: &str) -> String {
    let mut text = String::new();
    for run in prose::main_part(page, main) {
        if text.len() >= MAX_BYTES {
            break;
        }
        if is_in_language(run.parent, declared) && !is_filler(run.text) {
            text.push_str(run.text.trim());
            text.push(' ');
        }
    }
    text
}

fn is_in_language(element: ElementRef<'_>, declared: &str) -> bool {
    let nearest = std::iter::once(element)
        .chain(element.ancestors())
        .find_map(|element| element.attr("lang"));
    nearest.is_none_or(|lang| languages::primary(lang) == languages::primary(declared))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    const GERMAN: &str = "Unsere beiden Fähren fahren an jedem Tag des Jahres über die Bucht. Die erste verlässt den alten Hafen um sechs Uhr am Morgen, die letzte kehrt kurz vor Mitternacht zurück, und dazwischen gibt es alle dreißig Minuten eine Überfahrt. Im Juli und im August kommt ein drittes Schiff dazu, und dann warten Sie niemals länger als zwanzig Minuten.";
    const ENGLISH: &str = "Our two ferries cross the bay every day of the year. The first one leaves the old harbour at six in the morning, the last one returns shortly before midnight, and in between there is a crossing every thirty minutes. In July and August a third boat joins them, and then you never wait longer than twenty minutes.";
    const DANISH: &str = "Vores to færger sejler over bugten hver dag hele året. Den første forlader den gamle havn klokken seks om morgenen, den sidste kommer tilbage kort før midnat, og ind imellem er der en overfart hver halve time. I juli og august kommer et tredje skib til, og så venter man aldrig mere end tyve minutter på sin afgang fra kajen.";
    const RUSSIAN: &str = "Наши два парома пересекают залив каждый день в году. Первый уходит из старой гавани в шесть часов утра, последний возвращается незадолго до полуночи, а между ними паром ходит каждые тридцать минут. В июле и августе к ним присоединяется третье судно, и тогда вы никогда не ждёте дольше двадцати минут своего отправления от причала в старой гавани.";

    fn page(lang: &str, text: &str) -> String {
        format!("<html lang='{lang}'><body><nav>Menu</nav><p>{text}</p></body>")
    }

    #[test]
    fn filler_text_has_no_language() {
        let lorem = "<p>Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua.</p>";
        let cicero = "<p>Nemo enim ipsam voluptatem quia voluptas sit aspernatur aut odit aut fugit, sed quia consequuntur magni dolores eos qui ratione.</p>";
        for filler in [
            lorem.repeat(6),
            cicero.repeat(6),
            format!("{lorem}{cicero}").repeat(3),
        ] {
            assert_not_applicable(&CONTENT_LANGUAGE_MISMATCH, &page("en", &filler));
            // The rest of the page is what is evaluated.
            let mixed = format!("{filler}<p>{ENGLISH}");
            assert_passes(&CONTENT_LANGUAGE_MISMATCH, &page("en", &mixed));
            let mixed = format!("{filler}<p>{GERMAN}");
            assert_fails(&CONTENT_LANGUAGE_MISMATCH, &page("en", &mixed), 1);
        }
    }

    #[test]
    fn a_text_in_the_declared_language_passes() {
        assert_passes(&CONTENT_LANGUAGE_MISMATCH, &page("de-AT", GERMAN));
        assert_passes(&CONTENT_LANGUAGE_MISMATCH, &page("EN", ENGLISH));
        assert_passes(&CONTENT_LANGUAGE_MISMATCH, &page("ru", RUSSIAN));
    }

    #[test]
    fn a_text_in_another_language_fails() {
        assert_fails(&CONTENT_LANGUAGE_MISMATCH, &page("en", GERMAN), 1);
        assert_fails(&CONTENT_LANGUAGE_MISMATCH, &page("de", ENGLISH), 1);
        assert_fails(&CONTENT_LANGUAGE_MISMATCH, &page("en", RUSSIAN), 1);
        assert_fails(&CONTENT_LANGUAGE_MISMATCH, &page("ja", ENGLISH), 1);
    }

    #[test]
    fn the_language_declared_on_main_is_used() {
        let html = format!("<html lang=de><main lang=en>{ENGLISH}</main>");
        assert_passes(&CONTENT_LANGUAGE_MISMATCH, &html);
    }

    #[test]
    fn similar_languages_pass() {
        for lang in ["no", "nb", "nn"] {
            assert_passes(&CONTENT_LANGUAGE_MISMATCH, &page(lang, DANISH));
        }
    }

    #[test]
    fn short_texts_and_unknown_languages_are_not_applicable() {
        assert_not_applicable(
            &CONTENT_LANGUAGE_MISMATCH,
            &page("en", "Hallo Welt, wie geht es dir?"),
        );
        assert_not_applicable(&CONTENT_LANGUAGE_MISMATCH, &page("eu", GERMAN));
        assert_not_applicable(&CONTENT_LANGUAGE_MISMATCH, &page("x-klingon", GERMAN));
        assert_not_applicable(&CONTENT_LANGUAGE_MISMATCH, &page("", GERMAN));
    }

    #[test]
    fn code_is_left_out() {
        let html = format!("<html lang=de><p>Beispiel:</p><pre>{ENGLISH}</pre>");
        assert_not_applicable(&CONTENT_LANGUAGE_MISMATCH, &html);
    }

    #[test]
    fn parts_that_declare_another_language_are_left_out() {
        let html =
            format!("<html lang=de><p>{GERMAN}<blockquote lang=en>{ENGLISH}{ENGLISH}</blockquote>");
        assert_passes(&CONTENT_LANGUAGE_MISMATCH, &html);
    }

    #[test]
    fn a_list_of_names_does_not_fail() {
        let names = "AbstractButton ActionListener BufferedReader CharSequence DateFormat EnumMap FileReader HashMap InputStream JFrame KeyStore ListIterator MathContext NumberFormat ObjectName ParseException QName Runnable StringBuilder TreeMap URLDecoder Vector WeakReference XMLReader ZipFile ".repeat(3);
        assert!(!matches!(
            outcome(&CONTENT_LANGUAGE_MISMATCH, &page("en", &names)),
            Outcome::Failed(_)
        ));
    }

    #[test]
    fn japanese_with_many_english_names_does_not_fail() {
        let text = "このメソッドは HashMap を返します。引数 InputStream は null であってはなりません。 BufferedReader と FileReader を使って読み込みます。 StringBuilder ZipFile URLDecoder KeyStore ListIterator MathContext NumberFormat ".repeat(4);
        assert!(!matches!(
            outcome(&CONTENT_LANGUAGE_MISMATCH, &page("ja", &text)),
            Outcome::Failed(_)
        ));
    }
}
