//! Retired names that were private to this project, and their standard terms.

use std::str::FromStr;

use proc_macro2::{TokenStream, TokenTree};

use crate::workspace::TextFile;

/// The file with the list, named in every message.
const FILE: &str = "xtask/src/tidy/retired.rs";

/// A retired name and its replacement.
const RETIRED: &[(&str, &str)] = &[
    ("Beats", "HeartbeatConfig"),
    ("BroughtForward", "RepairedTimestamps"),
    ("Courier", "WebhookDispatcher"),
    ("Crew", "WorkerPool"),
    ("Culprit", "TopOffender"),
    ("DeliveryTurns", "DeliveryFairness"),
    ("Desk", "BriefJob, or TypstWorld"),
    ("Entrance", "StartPageHints"),
    ("Errands", "BackgroundTasks"),
    ("Fate", "LinkStatus"),
    ("GoOn", "std::ops::ControlFlow"),
    ("House", "RetentionSweep"),
    ("Housekeeping", "RetentionStore"),
    ("Lookout", "QueueListener"),
    ("Met", "Owner"),
    ("Moment", "Now"),
    ("NotVisited", "TargetRejected"),
    ("Office", "WorkerContext"),
    ("Patience", "RequestTimeout"),
    ("Pulse", "Heartbeat"),
    ("Resting", "Backoff"),
    ("Sight", "ObservationMode"),
    ("Standing", "RateLimitStatus"),
    ("Sway", "BidiInfluence"),
    ("Tidied", "SweepReport"),
    ("Tongue", "ScriptLanguage"),
    ("Traffic", "RateLimits"),
    ("bring_forward", "repair_future_timestamps"),
    ("conclude", "complete_run"),
    ("judge", "evaluate, validate, check or verdict"),
    ("keep_house", "sweep"),
    ("said_by", "outcome_of"),
    ("tell", "report, log or notify"),
    ("turns_with_screen", "depends_on_orientation"),
];

/// Uses of retired names in sources, one sentence each. Comments and strings may contain them, because most are also words.
pub(super) fn problems(sources: &[TextFile]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources {
        let Ok(tokens) = TokenStream::from_str(&source.text) else {
            // The compiler says so.
            continue;
        };
        let mut used = Vec::new();
        collect(tokens, &mut used);
        found.extend(
            used.into_iter().map(|(old, new)| {
                format!("{}: `{old}` is retired: use {new} ({FILE})", source.path)
            }),
        );
    }
    found
}

/// Each retired name once.
fn collect(tokens: TokenStream, used: &mut Vec<(&'static str, &'static str)>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => collect(group.stream(), used),
            TokenTree::Ident(name) => {
                let retired = RETIRED.iter().find(|(old, _)| name == *old);
                if let Some(pair) = retired.filter(|pair| !used.contains(pair)) {
                    used.push(*pair);
                }
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems_in(text: &str) -> Vec<String> {
        problems(&[TextFile {
            path: "a.rs".to_owned(),
            text: text.to_owned(),
        }])
    }

    #[test]
    fn a_retired_name_is_found_wherever_it_is_used() {
        let found = problems_in("fn f() { let x = [House::new(), House::new()]; }");
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("RetentionSweep"), "{found:?}");
    }

    #[test]
    fn words_in_comments_and_texts_are_not_names() {
        let text = "/* House */ // House\nconst A: &str = \"House\"; struct HouseNumber;";
        assert!(problems_in(text).is_empty());
    }
}
