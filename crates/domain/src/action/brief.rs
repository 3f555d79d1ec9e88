//! Briefs: instructions for working on an action item.

use chrono::{DateTime, Utc};

use super::InvalidAction;
use super::fields::{bounded, without_nul};
use crate::id::ActionId;
use crate::named_enum::named_enum;

/// The maximum number of characters of the instructions.
pub const MAX_INSTRUCTIONS_CHARS: usize = 2_000;
/// The format of every brief, as the wire names it.
pub const BRIEF_FORMAT: &str = "markdown";

/// The maximum number of attempts to generate a brief.
pub const MAX_BRIEF_ATTEMPTS: u32 = 3;
/// The error of a brief whose attempts all crashed.
pub const BRIEF_GIVEN_UP: &str =
    "Generating the brief failed. The operator of the server finds the cause in the log.";

named_enum! {
    /// The status of a brief.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum BriefStatus {
        /// Not requested.
        #[default]
        None = "none",
        /// Queued for generation.
        Queued = "queued",
        /// Generation is running.
        Generating = "generating",
        /// The brief is available.
        Ready = "ready",
        /// Generation failed, with the reason.
        Failed = "failed",
    }
}

/// Instructions of the requester for a brief: 1 to 2,000 characters, no NUL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instructions(String);

impl Instructions {
    /// The instructions in a request, without the white space around them; none where nothing is
    /// left.
    ///
    /// # Errors
    /// When they are too long or hold a NUL; the error names the field `instructions`.
    pub fn parse(text: &str) -> Result<Option<Self>, InvalidAction> {
        let text = text.trim();
        without_nul("instructions", text)?;
        bounded("instructions", text, MAX_INSTRUCTIONS_CHARS)?;
        Ok((!text.is_empty()).then(|| Self(text.to_owned())))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A request for a brief.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BriefRequest {
    /// The requester's instructions.
    pub instructions: Option<Instructions>,
    /// When.
    pub at: DateTime<Utc>,
}

/// The brief of an action item. One that was never requested has the status `none`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionBrief {
    /// The item.
    pub action_id: ActionId,
    /// The status.
    pub status: BriefStatus,
    /// The requester's instructions.
    pub instructions: Option<Instructions>,
    /// The latest brief. It stays available while a new one is generated.
    pub content: Option<String>,
    /// When the latest brief was generated.
    pub generated_at: Option<DateTime<Utc>>,
    /// Why generation failed, for the requester; set exactly if it failed.
    pub error: Option<String>,
    /// The number of requests, without those that found one queued.
    pub generation: u64,
}

impl ActionBrief {
    /// The brief of an item before the first request.
    #[must_use]
    pub const fn none(action_id: ActionId) -> Self {
        Self {
            action_id,
            status: BriefStatus::None,
            instructions: None,
            content: None,
            generated_at: None,
            error: None,
            generation: 0,
        }
    }

    /// Asks for the brief. True where a job is to be queued: not where one is queued already, which
    /// will use the new instructions if there are any. A brief that is being written is begun anew.
    pub fn ask(&mut self, request: &BriefRequest) -> bool {
        let queued = self.status == BriefStatus::Queued;
        if !queued || request.instructions.is_some() {
            self.instructions.clone_from(&request.instructions);
        }
        if queued {
            return false;
        }
        self.status = BriefStatus::Queued;
        self.error = None;
        self.generation = self.generation.saturating_add(1);
        true
    }

    /// Stores what was written, or why nothing was. False, and nothing is changed, where nobody is
    /// writing it.
    pub fn finish(&mut self, written: Result<String, String>, at: DateTime<Utc>) -> bool {
        if self.status != BriefStatus::Generating {
            return false;
        }
        match written {
            Ok(content) => {
                self.status = BriefStatus::Ready;
                self.content = Some(content);
                self.generated_at = Some(at);
            }
            Err(error) => {
                self.status = BriefStatus::Failed;
                self.error = Some(error);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brief() -> ActionBrief {
        ActionBrief::none(ActionId::parse("act_01JD2Y3Z4A5B6C7D8E9F0GHJKM").unwrap())
    }

    fn asked(words: &str) -> BriefRequest {
        BriefRequest {
            instructions: Instructions::parse(words).unwrap(),
            at: DateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn asking_while_queued_queues_nothing_and_keeps_the_words() {
        let mut brief = brief();
        assert!(brief.ask(&asked("Use TypeScript.")));
        assert!(!brief.ask(&asked("")));
        assert_eq!(
            brief.instructions.as_ref().unwrap().as_str(),
            "Use TypeScript."
        );
        assert!(!brief.ask(&asked("Use Rust.")));
        assert_eq!(brief.instructions.as_ref().unwrap().as_str(), "Use Rust.");
        assert_eq!(brief.generation, 1);
    }

    #[test]
    fn what_is_written_after_the_brief_was_asked_for_again_is_dropped() {
        let mut brief = brief();
        brief.ask(&asked(""));
        brief.status = BriefStatus::Generating;
        assert!(brief.ask(&asked("Again.")));
        assert!(!brief.finish(Ok("old".to_owned()), DateTime::UNIX_EPOCH));
        brief.status = BriefStatus::Generating;
        assert!(brief.finish(Ok("new".to_owned()), DateTime::UNIX_EPOCH));
        assert_eq!(brief.status, BriefStatus::Ready);
        assert_eq!(brief.content.as_deref(), Some("new"));
        assert_eq!(brief.generation, 2);
    }

    #[test]
    fn what_was_ready_stays_until_there_is_something_newer() {
        let mut brief = brief();
        brief.ask(&asked(""));
        brief.status = BriefStatus::Generating;
        brief.finish(Ok("first".to_owned()), DateTime::UNIX_EPOCH);
        brief.ask(&asked(""));
        brief.status = BriefStatus::Generating;
        brief.finish(Err("It failed.".to_owned()), DateTime::UNIX_EPOCH);
        assert_eq!(brief.status, BriefStatus::Failed);
        assert_eq!(brief.error.as_deref(), Some("It failed."));
        assert_eq!(brief.content.as_deref(), Some("first"));
        brief.ask(&asked(""));
        assert_eq!(brief.error, None);
    }

    #[test]
    fn instructions_are_bounded() {
        assert_eq!(Instructions::parse(" \n"), Ok(None));
        assert!(Instructions::parse(&"ä".repeat(2_000)).is_ok());
        for wrong in ["a\0b", &"ä".repeat(2_001)] {
            let error = Instructions::parse(wrong).unwrap_err();
            assert_eq!(error.field(), Some("instructions"));
        }
    }
}
