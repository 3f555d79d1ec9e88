//! The tree of a snapshot as it is shown.
//!
//! A snapshot has the flat tree (CSS Scoping Module Level 1, section 3.3): the nodes of a shadow tree stand below its
//! host, and the host's own children in the slots that show them. Nodes of shadow trees are marked.

use std::collections::{HashMap, HashSet};

use super::Snapshot;
use super::read::{DocumentSnapshot, Sparse};

/// The children of each node of a snapshot, as they are shown. Made in one pass over the nodes.
#[derive(Debug)]
pub(super) struct FlatTree {
    children: Vec<Vec<usize>>,
    scopes: Vec<u32>,
}

/// Whose shadow tree a node is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shadow {
    /// One that the page made.
    OfPage,
    /// One of the browser's own controls: the text of an input, the triangle of `details`.
    OfBrowser,
}

impl FlatTree {
    pub(super) fn new(snapshot: &Snapshot, document: &DocumentSnapshot) -> Self {
        let nodes = &document.nodes;
        let shadows = shadows(snapshot, &nodes.shadow_root_type);
        let generated: HashSet<usize> = nodes.pseudo_type.index.iter().copied().collect();
        let is_left_out = |node: usize| {
            generated.contains(&node) || shadows.get(&node) == Some(&Shadow::OfBrowser)
        };
        let count = nodes.node_type.len();
        let (mut children, mut scopes) = (vec![Vec::new(); count], vec![0; count]);
        // The shown ancestor of each node: what a control shows of the page stands in the control's place.
        let mut shown: Vec<usize> = (0..count).collect();
        let mut hosts: HashMap<usize, u32> = HashMap::new();
        for (node, parent) in nodes.parent_index.iter().enumerate() {
            // A parent comes before its children, so there are no cycles.
            let parent = usize::try_from(*parent)
                .ok()
                .filter(|parent| *parent < node);
            let Some(parent) = parent.and_then(|parent| shown.get(parent).copied()) else {
                continue;
            };
            if is_left_out(node) {
                if let Some(own) = shown.get_mut(node) {
                    *own = parent;
                }
                continue;
            }
            if let Some(own) = children.get_mut(parent) {
                own.push(node);
            }
            if shadows.contains_key(&node) {
                let outer = scopes.get(parent).copied().unwrap_or_default();
                let next = u32::try_from(hosts.len() + 1).unwrap_or(u32::MAX);
                let name = nodes.node_name.get(parent);
                let is_custom = name.is_some_and(|name| snapshot.string(*name).contains('-'));
                // Below an element that can be a host begins a tree of its own.
                let scope = match outer {
                    0 => *hosts.entry(parent).or_insert(next),
                    _ if is_custom => *hosts.entry(parent).or_insert(next),
                    outer => outer,
                };
                if let Some(own) = scopes.get_mut(node) {
                    *own = scope;
                }
            }
        }
        Self { children, scopes }
    }

    /// The children of a node as they are shown.
    pub(super) fn children(&self, node: usize) -> &[usize] {
        self.children.get(node).map_or(&[], Vec::as_slice)
    }

    /// The tree that the ids of a node belong to: 0 for the document, else the number of a shadow tree.
    pub(super) fn scope(&self, node: usize) -> u32 {
        self.scopes.get(node).copied().unwrap_or_default()
    }
}

fn shadows(snapshot: &Snapshot, marked: &Sparse) -> HashMap<usize, Shadow> {
    let marked = marked.index.iter().zip(&marked.value);
    marked
        .map(|(node, kind)| match snapshot.string(*kind) {
            "open" | "closed" => (*node, Shadow::OfPage),
            _ => (*node, Shadow::OfBrowser),
        })
        .collect()
}
