//! Keys judged for what is mounted beside the operations.

use actix_web::{HttpMessage, HttpRequest, HttpResponse};

use crate::dispatch::{admit_key, who_asks};
use crate::outer::{CallerKey, CallerOrg, request_id};
use crate::patience::Patience;
use crate::problem::{Code, Problem};
use crate::traffic::KeyCounted;
use crate::{ApiState, bearer};

/// Judges the key of a request as the operations do: 401, then 402, then 429. The request counts as a call.
///
/// # Errors
/// The problem, as the answer to the request.
pub async fn admit(state: ApiState, request: HttpRequest) -> Result<(), HttpResponse> {
    let settings = std::sync::Arc::clone(&state.settings);
    let respond = |problem: Problem| problem.respond(&settings.base_url, &request_id(&request));
    let key = bearer::key(request.headers()).map_err(respond)?;
    let (caller, known, counted) = who_asks(&request);
    let traffic = state.traffic.clone();
    let judged = Patience::new()
        .block_in_turn(&traffic, &caller, move || admit_key(&state, &key, counted))
        .await
        .map_err(|problem| {
            if let Some(known) = known {
                let mut extensions = request.extensions_mut();
                extensions.insert(CallerOrg(known.org));
                extensions.insert(CallerKey(known.key));
            }
            let mut response = respond(problem);
            if let Some(KeyCounted(Some(standing))) = counted {
                standing.show(response.headers_mut());
            }
            response
        })?;
    match judged {
        Ok(org) => {
            request.extensions_mut().insert(CallerOrg(org));
            Ok(())
        }
        Err(refused) => {
            let (problem, standing) = *refused;
            let mut response = respond(problem);
            if let Some(standing) = standing {
                standing.show(response.headers_mut());
            }
            Err(response)
        }
    }
}

/// The answer to a request whose `Host` or `Origin` is none that this service goes by.
#[must_use]
pub fn strange_host(state: &ApiState, request: &HttpRequest) -> HttpResponse {
    let problem = Problem::new(
        Code::Forbidden,
        "The header Host or Origin names another service. The operator sets `server.base_url` to the address that callers use.",
    );
    problem.respond(&state.settings.base_url, &request_id(request))
}
