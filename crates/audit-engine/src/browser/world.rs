//! The engine's own JavaScript world of a page.

use serde_json::Value;

use super::cdp::commands::{CreateIsolatedWorld, DescribeObject, Evaluate, EvaluateObject};
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

    /// The number in snapshots of the node that an expression names. None if it names none.
    pub(super) async fn node(self, expression: &str) -> Result<Option<i64>, CdpError> {
        let ask = EvaluateObject {
            expression,
            context_id: self.id,
        };
        let Some(object_id) = self.tab.call_within(&ask, HUNG).await?.result.object_id else {
            return Ok(None);
        };
        let describe = DescribeObject {
            object_id: &object_id,
        };
        let described = self.tab.call_within(&describe, HUNG).await?;
        Ok(Some(described.node.backend_id))
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
