//! Links to the form that accepts findings of a site.

use url::form_urlencoded::Serializer;

/// The address of the form, filled in with a check and a cause of it.
pub(super) fn waiver_form_path(site: &str, check_id: &str, cause: Option<&str>) -> String {
    let mut query = Serializer::new(String::new());
    query.append_pair("check", check_id);
    query.extend_pairs(cause.map(|cause| ("cause", cause)));
    format!("/sites/{site}/waivers?{}#new", query.finish())
}
