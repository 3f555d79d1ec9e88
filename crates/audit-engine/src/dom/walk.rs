//! Non-recursive iterators over the tree.

use super::{Dom, NodeId};

/// The children of a node in order.
#[derive(Debug, Clone)]
pub struct Children<'a> {
    dom: &'a Dom,
    next: Option<NodeId>,
}

impl<'a> Children<'a> {
    pub(super) fn new(dom: &'a Dom, of: NodeId) -> Self {
        Self {
            dom,
            next: dom.node(of).and_then(|node| node.first_child),
        }
    }
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        let current = self.next?;
        self.next = self.dom.next_sibling(current);
        Some(current)
    }
}

/// The ancestors of a node, nearest first.
#[derive(Debug, Clone)]
pub struct Ancestors<'a> {
    dom: &'a Dom,
    next: Option<NodeId>,
}

impl<'a> Ancestors<'a> {
    pub(super) fn new(dom: &'a Dom, of: NodeId) -> Self {
        Self {
            dom,
            next: dom.parent(of),
        }
    }
}

impl Iterator for Ancestors<'_> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        let current = self.next?;
        self.next = self.dom.parent(current);
        Some(current)
    }
}

/// The descendants of a node in document order.
#[derive(Debug, Clone)]
pub struct Descendants<'a> {
    dom: &'a Dom,
    root: NodeId,
    next: Option<NodeId>,
}

impl<'a> Descendants<'a> {
    pub(super) fn new(dom: &'a Dom, root: NodeId) -> Self {
        Self {
            dom,
            root,
            next: dom.node(root).and_then(|node| node.first_child),
        }
    }

    /// Continues after the subtree of the node that was returned last.
    pub fn skip_children(&mut self, of: NodeId) {
        self.next = self.after(of);
    }

    fn after(&self, id: NodeId) -> Option<NodeId> {
        let mut current = id;
        loop {
            if current == self.root {
                return None;
            }
            if let Some(sibling) = self.dom.next_sibling(current) {
                return Some(sibling);
            }
            current = self.dom.parent(current)?;
        }
    }
}

impl Iterator for Descendants<'_> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        let current = self.next?;
        self.next = match self.dom.node(current).and_then(|node| node.first_child) {
            Some(child) => Some(child),
            None => self.after(current),
        };
        Some(current)
    }
}
