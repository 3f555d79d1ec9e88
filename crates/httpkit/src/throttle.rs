//! Throttling: rejects requests beyond the limits before any of them is read.

use std::net::IpAddr;
use std::sync::Arc;

use actix_web::dev::ServiceRequest;

use crate::bearer;
use crate::context::{HttpContext, is_below};
use crate::problem::{Limit, Problem};
use crate::rate_limits::{
    Caller, HeldPermits, KeyCounted, KnownKey, RateLimitStatus, client_address,
};

/// `Retry-After` in seconds if too many requests are active.
const RETRY_SECONDS: u64 = 1;

/// A request within the limits.
pub(crate) struct Admitted {
    /// The caller.
    pub caller: Caller,
    /// The key, if it was valid recently.
    pub known: Option<KnownKey>,
    /// The rate limit status of the key, if the request is already counted.
    pub counted: Option<KeyCounted>,
    /// The permits that the request holds until its response is sent.
    pub permits: HeldPermits,
}

/// A request beyond a limit.
pub(crate) struct Refusal {
    /// The response.
    pub problem: Problem,
    /// The key, if it was valid recently.
    pub known: Option<KnownKey>,
    /// The rate limit status of the key.
    pub standing: Option<RateLimitStatus>,
}

/// Applies the limits to a request before any of it is read; returns `None` for a path without limits.
pub(crate) fn check(
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
        Some(known) => check_known(http, known, is_agent)?,
        None => {
            let peer = request.peer_addr().map(|peer| peer.ip());
            let trusted = &http.rate_limits.limits().trusted_proxies;
            check_address(http, client_address(peer, request.headers(), trusted))?
        }
    };
    Ok(Some(admitted))
}

fn check_known(
    http: &HttpContext,
    known: KnownKey,
    is_agent: bool,
) -> Result<Admitted, Box<Refusal>> {
    let mut counted = None;
    // A key that was valid within the last seconds: its rate limit applies without a look-up in the database.
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

fn check_address(http: &HttpContext, address: IpAddr) -> Result<Admitted, Box<Refusal>> {
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
