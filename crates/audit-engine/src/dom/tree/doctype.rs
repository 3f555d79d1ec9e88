//! Doctypes and quirks mode (HTML Standard, section 13.2.6.4.1).

use html5ever::tokenizer::Doctype as Token;

use super::super::{Doctype, Quirks};
use super::{Mode, TreeBuilder};

/// Prefixes of public identifiers that select quirks mode, in lower case.
const QUIRKS_PREFIXES: [&str; 55] = [
    "+//silmaril//dtd html pro v0r11 19970101//",
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
    "-//as//dtd html 3.0 aswedit + extensions//",
    "-//ietf//dtd html 2.0 level 1//",
    "-//ietf//dtd html 2.0 level 2//",
    "-//ietf//dtd html 2.0 strict level 1//",
    "-//ietf//dtd html 2.0 strict level 2//",
    "-//ietf//dtd html 2.0 strict//",
    "-//ietf//dtd html 2.0//",
    "-//ietf//dtd html 2.1e//",
    "-//ietf//dtd html 3.0//",
    "-//ietf//dtd html 3.2 final//",
    "-//ietf//dtd html 3.2//",
    "-//ietf//dtd html 3//",
    "-//ietf//dtd html level 0//",
    "-//ietf//dtd html level 1//",
    "-//ietf//dtd html level 2//",
    "-//ietf//dtd html level 3//",
    "-//ietf//dtd html strict level 0//",
    "-//ietf//dtd html strict level 1//",
    "-//ietf//dtd html strict level 2//",
    "-//ietf//dtd html strict level 3//",
    "-//ietf//dtd html strict//",
    "-//ietf//dtd html//",
    "-//metrius//dtd metrius presentational//",
    "-//microsoft//dtd internet explorer 2.0 html strict//",
    "-//microsoft//dtd internet explorer 2.0 html//",
    "-//microsoft//dtd internet explorer 2.0 tables//",
    "-//microsoft//dtd internet explorer 3.0 html strict//",
    "-//microsoft//dtd internet explorer 3.0 html//",
    "-//microsoft//dtd internet explorer 3.0 tables//",
    "-//netscape comm. corp.//dtd html//",
    "-//netscape comm. corp.//dtd strict html//",
    "-//o'reilly and associates//dtd html 2.0//",
    "-//o'reilly and associates//dtd html extended 1.0//",
    "-//o'reilly and associates//dtd html extended relaxed 1.0//",
    "-//sq//dtd html 2.0 hotmetal + extensions//",
    "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
    "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
    "-//spyglass//dtd html 2.0 extended//",
    "-//sun microsystems corp.//dtd hotjava html//",
    "-//sun microsystems corp.//dtd hotjava strict html//",
    "-//w3c//dtd html 3 1995-03-24//",
    "-//w3c//dtd html 3.2 draft//",
    "-//w3c//dtd html 3.2 final//",
    "-//w3c//dtd html 3.2//",
    "-//w3c//dtd html 3.2s draft//",
    "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental 19960712//",
    "-//w3c//dtd html experimental 970421//",
    "-//w3c//dtd w3 html//",
    "-//w3o//dtd w3 html 3.0//",
    "-//webtechs//dtd mozilla html 2.0//",
    "-//webtechs//dtd mozilla html//",
];

/// Public identifiers that select quirks mode.
const QUIRKS_IDS: [&str; 3] = [
    "-//w3o//dtd w3 html strict 3.0//en//",
    "-/w3c/dtd html 4.0 transitional/en",
    "html",
];

/// The system identifier that selects quirks mode.
const QUIRKS_SYSTEM: &str = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd";

/// Prefixes of public identifiers that select limited-quirks mode.
const LIMITED_PREFIXES: [&str; 2] = [
    "-//w3c//dtd xhtml 1.0 frameset//",
    "-//w3c//dtd xhtml 1.0 transitional//",
];

/// Prefixes of public identifiers that select limited-quirks mode with a system identifier and
/// quirks mode without one.
const SPLIT_PREFIXES: [&str; 2] = [
    "-//w3c//dtd html 4.01 frameset//",
    "-//w3c//dtd html 4.01 transitional//",
];

/// Name, public and system identifier.
type Ids<'a> = (Option<&'a str>, Option<&'a str>, Option<&'a str>);

impl TreeBuilder {
    /// Processes a doctype.
    pub(in super::super) fn doctype(&mut self, token: &Token) {
        self.ignore_line_feed = false;
        if self.mode != Mode::Initial {
            self.error("DOCTYPE in body");
            return;
        }
        let ids = (
            token.name.as_deref(),
            token.public_id.as_deref(),
            token.system_id.as_deref(),
        );
        if !is_conforming(ids) {
            self.error("Bad DOCTYPE");
        }
        self.quirks = if token.force_quirks {
            Quirks::Full
        } else {
            quirks(ids)
        };
        let text = |part: Option<&str>| part.unwrap_or_default().to_owned();
        self.doctype = Some(Doctype {
            name: text(ids.0),
            public_id: text(ids.1),
            system_id: text(ids.2),
        });
        self.mode = Mode::BeforeHtml;
    }
}

/// Whether the doctype is not a parse error to html5ever, which accepts those of older standards.
fn is_conforming(ids: Ids<'_>) -> bool {
    let (Some("html"), public, system) = ids else {
        return false;
    };
    matches!(
        (public, system),
        (None, None | Some("about:legacy-compat"))
            | (
                Some("-//W3C//DTD HTML 4.0//EN"),
                None | Some("http://www.w3.org/TR/REC-html40/strict.dtd")
            )
            | (
                Some("-//W3C//DTD HTML 4.01//EN"),
                None | Some("http://www.w3.org/TR/html4/strict.dtd")
            )
            | (
                Some("-//W3C//DTD XHTML 1.0 Strict//EN"),
                Some("http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd")
            )
            | (
                Some("-//W3C//DTD XHTML 1.1//EN"),
                Some("http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd")
            )
    )
}

/// The mode that a doctype selects. A missing identifier is passed as an empty string.
pub(in super::super) fn quirks_of(name: &str, public: &str, system: &str) -> Quirks {
    let (public, system) = [public, system]
        .map(|part| Some(part).filter(|part| !part.is_empty()))
        .into();
    quirks((Some(name), public, system))
}

/// The mode that a doctype selects.
fn quirks((name, public, system): Ids<'_>) -> Quirks {
    let lower = |part: Option<&str>| part.map(str::to_ascii_lowercase);
    let (public, system) = (lower(public), lower(system));
    let public = public.as_deref();
    let begins = |prefixes: &[&str]| {
        public.is_some_and(|public| prefixes.iter().any(|prefix| public.starts_with(prefix)))
    };
    if name != Some("html")
        || public.is_some_and(|public| QUIRKS_IDS.contains(&public))
        || system.as_deref() == Some(QUIRKS_SYSTEM)
        || begins(&QUIRKS_PREFIXES)
        || system.is_none() && begins(&SPLIT_PREFIXES)
    {
        Quirks::Full
    } else if begins(&LIMITED_PREFIXES) || begins(&SPLIT_PREFIXES) {
        Quirks::Limited
    } else {
        Quirks::None
    }
}
