//! The user agents of AI services, from a dated data file.

use std::sync::LazyLock;

const DATA: &str = include_str!("../../../data/ai-user-agents.tsv");

/// The purpose for which an AI user agent fetches pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AgentClass {
    /// To train models.
    Training,
    /// To build a search index for AI answers.
    Search,
    /// On behalf of a user who requested the page.
    User,
    /// To archive the web.
    Archive,
    /// To review advertisements.
    Ads,
    /// None: the user agent is retired.
    Retired,
}

/// A user agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AiAgent {
    /// The product token in robots.txt.
    pub(crate) name: &'static str,
    /// Its purpose.
    pub(crate) class: AgentClass,
    /// The operator's documentation, if it was confirmed.
    pub(crate) source: Option<&'static str>,
    /// A note, which may be empty.
    pub(crate) note: &'static str,
}

/// Every user agent in the order of the file.
pub(crate) fn agents() -> &'static [AiAgent] {
    static AGENTS: LazyLock<Vec<AiAgent>> =
        LazyLock::new(|| DATA.lines().filter_map(parse_line).collect());
    &AGENTS
}

/// Every user agent of a class.
pub(crate) fn of_class(class: AgentClass) -> impl Iterator<Item = &'static AiAgent> {
    agents().iter().filter(move |agent| agent.class == class)
}

fn parse_line(line: &'static str) -> Option<AiAgent> {
    if line.starts_with('#') {
        return None;
    }
    let mut fields = line.split('\t');
    Some(AiAgent {
        name: fields.next().filter(|name| !name.is_empty())?,
        class: parse_class(fields.next()?)?,
        source: fields.next().filter(|source| !source.is_empty()),
        note: fields.next().unwrap_or_default(),
    })
}

fn parse_class(word: &str) -> Option<AgentClass> {
    Some(match word {
        "training" => AgentClass::Training,
        "search" => AgentClass::Search,
        "user" => AgentClass::User,
        "archive" => AgentClass::Archive,
        "ads" => AgentClass::Ads,
        "retired" => AgentClass::Retired,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_file_is_parsed() {
        let lines = DATA.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(agents().len(), lines);
        assert!(lines >= 25);
    }

    #[test]
    fn the_file_has_a_date() {
        let header = DATA.lines().next().unwrap();
        assert!(header.starts_with("# AI user agents as of 20"), "{header}");
    }

    #[test]
    fn names_are_unique_and_sources_are_https() {
        let mut names: Vec<_> = agents().iter().map(|agent| agent.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), agents().len());
        for agent in agents() {
            match agent.source {
                Some(source) => assert!(source.starts_with("https://"), "{agent:?}"),
                None => assert!(agent.note.contains("unconfirmed"), "{agent:?}"),
            }
        }
    }

    #[test]
    fn the_search_index_of_google_is_not_a_training_crawler() {
        let of = |name| agents().iter().find(|a| a.name == name).map(|a| a.class);
        assert_eq!(of("Googlebot"), Some(AgentClass::Search));
        assert_eq!(of("Google-Extended"), Some(AgentClass::Training));
        assert!(of_class(AgentClass::User).any(|agent| agent.name == "ChatGPT-User"));
    }
}
