//! Kinds of things that have ids, and the messages when a name does not name exactly one of them.

use std::fmt;

use report::plain::plain;

use super::id::{SHORTEST, Typed};

/// How many of the things that a name could mean are listed.
const MOST_MATCHES: usize = 10;

/// A kind of thing that has ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// What one of them is called.
    pub noun: &'static str,
    /// The prefix of their ids.
    pub prefix: &'static str,
    /// The command that lists them.
    pub list: &'static str,
}

/// Nothing has the name that a person typed, or several things have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotFound(pub(super) String);

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotFound {}

impl Kind {
    /// Reads a text as an id of this kind.
    #[must_use]
    pub fn typed(self, named: &str) -> Typed {
        Typed::new(self.prefix, named)
    }

    /// Nothing has this name.
    #[must_use]
    pub fn not_found(self, named: &str) -> NotFound {
        let Self { noun, list, .. } = self;
        let named = plain(named);
        NotFound(match self.typed(&named) {
            Typed::TooShort => format!(
                "{named} is too short for the id of a {noun}: give at least {SHORTEST} of its last characters; `{list}` \
                 lists the {noun}s"
            ),
            _ => format!("there is no {noun} {named}; `{list}` lists the {noun}s"),
        })
    }

    /// The only thing that was found, and `None` if there is none.
    ///
    /// # Errors
    /// When there are several; the message lists their ids.
    pub fn only<T>(
        self,
        named: &str,
        found: Vec<T>,
        id: impl Fn(&T) -> &str,
    ) -> Result<Option<T>, NotFound> {
        if found.len() > 1 {
            let noun = self.noun;
            let ids: Vec<_> = found.iter().take(MOST_MATCHES).map(id).collect();
            let more = match found.len().saturating_sub(MOST_MATCHES) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            return Err(NotFound(format!(
                "{} names {} {noun}s; give more characters of the id: {}{more}",
                plain(named),
                found.len(),
                ids.join(", ")
            )));
        }
        Ok(found.into_iter().next())
    }

    /// The only id that is this id or ends so.
    ///
    /// # Errors
    /// When there is none, or several.
    pub fn named(
        self,
        named: &str,
        ids: impl IntoIterator<Item = String>,
    ) -> Result<String, NotFound> {
        self.find(named, ids, |id| id, |_| false)
    }

    /// The only thing that has this id, or whose id ends so, or which has another name that is equal.
    ///
    /// # Errors
    /// When there is none, or several.
    pub fn find<T>(
        self,
        named: &str,
        things: impl IntoIterator<Item = T>,
        id: impl Fn(&T) -> &str,
        is_called_so: impl Fn(&T) -> bool,
    ) -> Result<T, NotFound> {
        let typed = self.typed(named);
        let found = things
            .into_iter()
            .filter(|thing| typed.names(id(thing)) || is_called_so(thing))
            .collect();
        let only = self.only(named, found, id)?;
        only.ok_or_else(|| self.not_found(named))
    }
}

/// Why a request failed whose ids were not looked up before: one of them does not exist.
pub(super) fn one_is_unknown(ids: &[(Kind, String)]) -> Option<NotFound> {
    match ids {
        [] => None,
        [(kind, id)] => Some(kind.not_found(id)),
        several => {
            let each = several.iter().map(|(kind, id)| {
                let Kind { noun, list, .. } = kind;
                format!("the {noun} {} (`{list}` lists the {noun}s)", plain(id))
            });
            let each: Vec<_> = each.collect();
            let all = format!("one of these does not exist: {}", each.join(", "));
            Some(NotFound(all))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: Kind = Kind {
        noun: "run",
        prefix: "run",
        list: "assay runs",
    };

    fn ids(number: usize) -> Vec<String> {
        (0..number)
            .map(|number| format!("run_01JD2Y3Z4A5B6C7D8E{number:04}HJKM"))
            .collect()
    }

    #[test]
    fn an_unknown_id_is_answered_with_the_command_that_lists() {
        let whole = "run_01JD2Y3Z4A5B6C7D8E9F0GHJKM";
        for named in [whole, "0GHJKM", "nowhere.example"] {
            assert_eq!(
                RUN.not_found(named).to_string(),
                format!("there is no run {named}; `assay runs` lists the runs")
            );
        }
        assert_eq!(RUN.named(whole, ids(3)).unwrap_err(), RUN.not_found(whole));
    }

    #[test]
    fn an_end_that_is_too_short_is_called_so() {
        let why = RUN.named("7N0", ids(1)).unwrap_err().to_string();
        assert!(
            why.starts_with("7N0 is too short for the id of a run: give at least 4"),
            "{why}"
        );
    }

    #[test]
    fn an_end_of_several_ids_is_refused_with_the_ids() {
        let two = RUN.named("hjkm", ids(2)).unwrap_err().to_string();
        assert_eq!(
            two,
            "hjkm names 2 runs; give more characters of the id: run_01JD2Y3Z4A5B6C7D8E0000HJKM, \
             run_01JD2Y3Z4A5B6C7D8E0001HJKM"
        );
        let many = RUN.named("hjkm", ids(MOST_MATCHES + 2)).unwrap_err();
        assert!(many.to_string().ends_with("0009HJKM and 2 more"), "{many}");
        assert_eq!(
            RUN.named("0001hjkm", ids(2)).unwrap(),
            "run_01JD2Y3Z4A5B6C7D8E0001HJKM"
        );
    }

    #[test]
    fn a_name_of_several_things_or_of_one_and_the_end_of_another_is_refused() {
        let [first, second] =
            ["000H", "001J"].map(|end| format!("org_01JD2Y3Z4A5B6C7D8E9F00{end}"));
        let org = Kind {
            noun: "organization",
            prefix: "org",
            list: "assay orgs",
        };
        let find = |named: &str, names: [&'static str; 2]| {
            let orgs = [(first.clone(), names[0]), (second.clone(), names[1])];
            let found = org.find(named, orgs, |it| &it.0, |it| it.1 == named);
            found.map(|(id, _)| id).map_err(|error| error.to_string())
        };
        assert_eq!(find("Acme", ["Acme", "Beta"]).unwrap(), first);
        assert_eq!(find("abc", ["abc", "Beta"]).unwrap(), first);
        assert_eq!(find("001j", ["Acme", "Beta"]).unwrap(), second);
        assert_eq!(find(&second, ["Acme", "Acme"]).unwrap(), second);
        let both =
            format!("names 2 organizations; give more characters of the id: {first}, {second}");
        assert_eq!(
            find("Acme", ["Acme", "Acme"]).unwrap_err(),
            format!("Acme {both}")
        );
        assert_eq!(
            find("001J", ["001J", "Beta"]).unwrap_err(),
            format!("001J {both}")
        );
        assert_eq!(
            find("acme", ["Acme", "Beta"]).unwrap_err(),
            "there is no organization acme; `assay orgs` lists the organizations"
        );
    }

    #[test]
    fn several_ids_of_which_one_is_unknown_are_all_named() {
        let site = Kind {
            noun: "site",
            prefix: "site",
            list: "assay sites",
        };
        let ids = [(RUN, "run_x".to_owned()), (site, "site_y".to_owned())];
        assert_eq!(one_is_unknown(&[]), None);
        assert_eq!(
            one_is_unknown(&ids).unwrap().to_string(),
            "one of these does not exist: the run run_x (`assay runs` lists the runs), the site site_y (`assay sites` \
             lists the sites)"
        );
    }
}
