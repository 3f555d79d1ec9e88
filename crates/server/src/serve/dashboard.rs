//! The web pages, over the same stores and limits as the API.

use std::sync::Arc;

use ::dashboard::{
    Argon2Passwords, DashboardSettings, DashboardState, Diagnosis, OperatorSettings, Ports,
};
use anyhow::{Context, Result};
use api::ApiState;
use domain::retention::Retention;
use httpkit::measure::Meter;

use crate::config::Dashboard;

/// The state of the pages. If the dashboard is disabled, only those remain that need nobody to sign in.
pub(super) fn pages(
    state: &ApiState,
    dashboard: &Dashboard,
    retention: Retention,
    versions: Vec<(&'static str, String)>,
    examine: impl Fn() -> Vec<Diagnosis> + Send + Sync + 'static,
) -> Result<DashboardState> {
    let passwords = Argon2Passwords::new(dashboard.hash_cost)
        .context("dashboard.hash_memory_kib or dashboard.hash_iterations")?;
    let settings = &state.settings;
    Ok(DashboardState::new(
        Ports {
            stores: Arc::clone(&state.stores),
            objects: Arc::clone(&state.objects),
            checks: Arc::clone(&state.checks),
            clock: Arc::clone(&state.clock),
            ids: Arc::clone(&state.ids),
            passwords: Arc::new(passwords),
            renderer: state.renderer.clone(),
        },
        state.rate_limits.clone(),
        DashboardSettings {
            variant: settings.variant,
            base_url: settings.base_url.clone(),
            has_sign_in: dashboard.enabled,
            lifetime: dashboard.lifetime,
            allow_plain_http: dashboard.allow_plain_http,
            plans: settings.plans.clone(),
            retention,
            allow_targets: settings.allow_targets.clone(),
            default_max_pages: settings.default_max_pages,
            bounds: settings.bounds,
            on_run_started: Arc::clone(&settings.on_run_started),
            on_run_cancelled: on_run_cancelled(settings.meter.clone()),
            on_brief_queued: Arc::clone(&settings.on_brief_queued),
            operator: OperatorSettings {
                accounts: dashboard.operators.clone(),
                versions,
                examine: Arc::new(examine),
            },
        },
    ))
}

fn on_run_cancelled(meter: Option<Arc<dyn Meter>>) -> Arc<dyn Fn() + Send + Sync> {
    Arc::new(move || {
        if let Some(meter) = &meter {
            meter.run_cancelled();
        }
    })
}
