//! The engine's own JavaScript world of a page.

use serde_json::Value;

use super::cdp::commands::{CreateIsolatedWorld, Evaluate};
use super::cdp::{CdpError, HUNG, Session};

/// The name of the world.
pub(super) const WORLD: &str = "assay";

/// The world of one document: its scripts see the tree of the page, and nothing that scripts of the page define. It ends
/// with the document.
#[derive(Debug, Clone, Copy)]
pub(super) struct World<'a> {
    tab: &'a Session,
    id: i64,
}

impl<'a> World<'a> {
    /// The world of the document that the frame shows now.
    pub(super) async fn enter(tab: &'a Session, frame: &str) -> Result<Self, CdpError> {
        let create = CreateIsolatedWorld {
            frame_id: frame,
            world_name: WORLD,
        };
        let id = tab.call_within(&create, HUNG).await?.id;
        Ok(Self { tab, id })
    }

    /// Its number in the protocol.
    pub(super) const fn id(self) -> i64 {
        self.id
    }

    /// The value of an expression. The page answers also while it waits for something, such as a window that it opened.
    pub(super) async fn evaluate(self, expression: &str) -> Result<Value, CdpError> {
        self.ask(expression, false).await
    }

    /// What an expression promises. The page answers when nothing holds its scripts any more.
    pub(super) async fn promised(self, expression: &str) -> Result<Value, CdpError> {
        self.ask(expression, true).await
    }

    async fn ask(self, expression: &str, await_promise: bool) -> Result<Value, CdpError> {
        let evaluate = Evaluate {
            expression,
            context_id: Some(self.id),
            return_by_value: true,
            await_promise,
        };
        let evaluated = self.tab.call_within(&evaluate, HUNG).await?;
        Ok(evaluated.result.value)
    }
}
