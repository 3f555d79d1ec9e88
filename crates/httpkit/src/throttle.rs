//! Which requests are let in before anything of them is read.

use std::net::IpAddr;
use std::sync::Arc;

use actix_web::dev::ServiceRequest;

use crate::bearer;
use crate::context::HttpContext;
use crate::problem::{Limit, Problem};
use crate::rate_limits::{
    Caller, HeldPermits, KeyCounted, KnownKey, RateLimitStatus, client_address,
};

/// Seconds after which it is worth asking again where too many requests are under way.
const RETRY_SECONDS: u64 = 1;

/// A request that was let in.
pub(crate) struct Admitted {
    /// Who calls.
    pub caller: Caller,
    /// The key, where it was valid lately.
    pub known: Option<KnownKey>,
    /// Where the key stands, if the call is counted already.
    pub counted: Option<KeyCounted>,
    /// What the request uses until its answer is sent.
    pub permits: HeldPermits,
}

/// A request that was not let in.
pub(crate) struct Refusal {
    /// Why.
    pub problem: Problem,
    /// Whose it was, where that is known.
    pub known: Option<KnownKey>,
    /// Where the key stands.
    pub standing: Option<RateLimitStatus>,
}

/// Lets a request in, or refuses it before anything of it is read; none for a request that is always answered.
pub(crate) fn admit(
    http: &HttpContext,
    request: &ServiceRequest,
) -> Result<Option<Admitted>, Box<Refusal>> {
    let path = request.path();
    if http.paths.exempt.contains(&path) {
        return Ok(None);
    }
    let is_agent = is_below(path, http.paths.agents);
    let known = (is_agent || is_below(path, http.paths.operations))
        .then(|| bearer::key(request.headers()).ok())
        .flatten()
        .and_then(|key| http.rate_limits.known_keys().find(&key.hash()));
    let admitted = match known {
        Some(known) => admit_known(http, known, is_agent)?,
        None => {
            let peer = request.peer_addr().map(|peer| peer.ip());
            let trusted = &http.rate_limits.limits().trusted_proxies;
            admit_address(http, client_address(peer, request.headers(), trusted))?
        }
    };
    Ok(Some(admitted))
}

fn admit_known(
    http: &HttpContext,
    known: KnownKey,
    is_agent: bool,
) -> Result<Admitted, Box<Refusal>> {
    let mut counted = None;
    // The key of a moment ago, of which nothing need be looked up to refuse a call beyond its rate.
    if known.is_fresh(http.clock.now()) {
        match http
            .rate_limits
            .count(http.rate_limit, &http.clock, &known.key)
        {
            Ok(standing) => counted = Some(KeyCounted(standing)),
            Err(exceeded) => {
                return Err(Box::new(Refusal {
                    standing: Some(exceeded.standing()),
                    problem: exceeded.into(),
                    known: Some(known),
                }));
            }
        }
    }
    let counters = http.rate_limits.calls();
    let mut permits = HeldPermits::default();
    let mut taken = counters.calls.acquire(&known, &mut permits);
    let mut limit = Limit::Calls;
    if is_agent && taken.is_ok() {
        taken = counters.agents.acquire(&known, &mut permits);
        limit = Limit::AgentCalls;
    }
    if let Err(who) = taken {
        let detail = format!("The limit of concurrent requests of {who} is reached.");
        return Err(Box::new(Refusal {
            problem: Problem::rate_limited(limit, detail, RETRY_SECONDS),
            standing: counted.and_then(|KeyCounted(standing)| standing),
            known: Some(known),
        }));
    }
    Ok(Admitted {
        caller: Caller::Organization(known.org.clone()),
        known: Some(known),
        counted,
        permits,
    })
}

fn admit_address(http: &HttpContext, address: IpAddr) -> Result<Admitted, Box<Refusal>> {
    let refused = |limit, detail: &'static str, seconds| {
        Box::new(Refusal {
            problem: Problem::rate_limited(limit, detail, seconds),
            known: None,
            standing: None,
        })
    };
    if http.rate_limit.is_some() {
        http.rate_limits
            .count_address(&http.clock, &address)
            .map_err(|exceeded| {
                refused(
                    Limit::AddressRate,
                    "The client address sent too many requests without a valid key.",
                    exceeded.seconds(),
                )
            })?;
    }
    let counters = http.rate_limits.calls();
    let mut permits = HeldPermits::default();
    let of_address = counters.addresses.try_acquire(&address).ok_or_else(|| {
        refused(
            Limit::AddressCalls,
            "The limit of concurrent requests without a valid key of a client address is reached.",
            RETRY_SECONDS,
        )
    })?;
    permits.add(of_address);
    let total = Arc::clone(&counters.anonymous).try_acquire_owned();
    let total = total.map_err(|_| {
        refused(
            Limit::AddressCalls,
            "The limit of concurrent requests without a valid key of this server is reached.",
            RETRY_SECONDS,
        )
    })?;
    permits.add(total);
    Ok(Admitted {
        caller: Caller::Address(address),
        known: None,
        counted: None,
        permits,
    })
}

/// Whether a path is that one or below it.
fn is_below(path: &str, base: &str) -> bool {
    path.strip_prefix(base)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
