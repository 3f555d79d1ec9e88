use api_types::handoff as wire;
use domain::action::{Dossier, HandoffFormat};
use domain::ports::{CheckCatalogue, CheckGuide};
use report::handoff::{HandoffItem, render};

use super::same_variants::{ToDomain, ToWire, same_variants};

same_variants! { HandoffFormat, wire::HandoffFormat: Markdown, Cursor }

/// The prompt of these items, in order.
pub(crate) fn handoff(
    dossiers: &[Dossier],
    checks: &dyn CheckCatalogue,
    format: HandoffFormat,
) -> wire::Handoff {
    let docs: Vec<_> = dossiers.iter().map(|item| docs(item, checks)).collect();
    let items: Vec<_> = dossiers
        .iter()
        .zip(&docs)
        .map(|(dossier, docs)| HandoffItem {
            dossier,
            docs: docs.as_ref(),
        })
        .collect();
    let ids = dossiers.iter().map(|dossier| dossier.item.id.to_string());
    wire::Handoff {
        format: format.to_wire(),
        prompt: render(&items, format),
        action_ids: ids.collect(),
    }
}

/// The requested format.
pub(crate) fn handoff_format(asked: Option<wire::HandoffFormat>) -> HandoffFormat {
    asked.map(ToDomain::to_domain).unwrap_or_default()
}

/// The documentation of an item's check.
fn docs(dossier: &Dossier, checks: &dyn CheckCatalogue) -> Option<CheckGuide> {
    checks.guide(&dossier.item.audit.as_ref()?.check_id)
}
