use super::*;

const PATIENT: Duration = Duration::from_secs(3_600);
const FAST: Duration = Duration::from_millis(20);

fn limits(connections: usize, interval_ms: u64) -> HostLimits {
    HostLimits {
        connections,
        interval: Duration::from_millis(interval_ms),
        adapts: true,
    }
}

async fn permit(limiter: &Limiter, host: &str) -> Permit {
    limiter.acquire(host, PATIENT).await.unwrap()
}

/// Whether a request could start at once or within `within`.
async fn starts(limiter: &Limiter, host: &str, within: Duration) -> bool {
    tokio::time::timeout(within, limiter.acquire(host, PATIENT))
        .await
        .is_ok()
}

#[tokio::test(start_paused = true)]
async fn requests_start_an_interval_apart() {
    let limiter = Limiter::default();
    let _lease = limiter.lease("a", limits(8, 50));
    let begin = Instant::now();
    for _ in 0..5 {
        drop(permit(&limiter, "a").await);
    }
    assert_eq!(begin.elapsed().as_millis(), 200);
}

#[tokio::test(start_paused = true)]
async fn no_more_requests_are_in_flight_than_allowed() {
    let limiter = Limiter::default();
    let _lease = limiter.lease("a", limits(2, 0));
    let held = (permit(&limiter, "a").await, permit(&limiter, "a").await);
    assert!(!starts(&limiter, "a", Duration::from_secs(1)).await);
    drop(held);
    assert!(starts(&limiter, "a", Duration::from_secs(1)).await);
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_slot_accumulates_no_start_times() {
    let limiter = Arc::new(Limiter::default());
    let _lease = limiter.lease("a", limits(1, 100));
    let held = permit(&limiter, "a").await;
    let starts: Vec<_> = (0..5)
        .map(|_| {
            let limiter = Arc::clone(&limiter);
            tokio::spawn(async move {
                drop(permit(&limiter, "a").await);
                Instant::now()
            })
        })
        .collect();
    tokio::time::sleep(Duration::from_secs(60)).await;
    drop(held);
    let mut times = Vec::new();
    for start in starts {
        times.push(start.await.unwrap());
    }
    times.sort();
    for pair in times.windows(2) {
        assert!(pair[1] - pair[0] >= Duration::from_millis(100));
    }
}

#[tokio::test(start_paused = true)]
async fn the_strictest_limits_apply_to_both_runs_and_end_with_their_run() {
    let limiter = Limiter::default();
    let wide = limiter.lease("a", limits(32, 0));
    let narrow = limiter.lease("a", limits(1, 0));
    let held = permit(&limiter, "a").await;
    assert!(!starts(&limiter, "a", Duration::from_secs(60)).await);
    drop(narrow);
    assert!(starts(&limiter, "a", Duration::from_secs(1)).await);
    drop((wide, held));
}

#[tokio::test(start_paused = true)]
async fn requests_in_flight_count_when_another_run_sets_its_limits() {
    let limiter = Limiter::default();
    let _wide = limiter.lease("a", limits(4, 0));
    let mut held = Vec::new();
    for _ in 0..4 {
        held.push(permit(&limiter, "a").await);
    }
    let _narrow = limiter.lease("a", limits(2, 0));
    held.truncate(2);
    assert!(!starts(&limiter, "a", Duration::from_secs(60)).await);
    held.truncate(1);
    assert!(starts(&limiter, "a", Duration::from_secs(1)).await);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_wait_takes_no_permit() {
    let limiter = Limiter::default();
    let _lease = limiter.lease("a", limits(1, 0));
    for _ in 0..10 {
        let held = permit(&limiter, "a").await;
        assert!(!starts(&limiter, "a", Duration::from_millis(1)).await);
        drop(held);
    }
    assert!(starts(&limiter, "a", Duration::from_millis(1)).await);
}

#[tokio::test(start_paused = true)]
async fn a_refusal_pauses_the_whole_host_and_no_other() {
    let limiter = Limiter::default();
    let begin = Instant::now();
    let first = permit(&limiter, "a").await;
    first.refused(FAST, Some(Duration::from_secs(7)), MAX_RETRY_AFTER);
    drop(first);
    drop(permit(&limiter, "b").await);
    assert_eq!(begin.elapsed(), Duration::ZERO);
    drop(permit(&limiter, "a").await);
    assert_eq!(begin.elapsed().as_secs(), 7);
}

#[tokio::test(start_paused = true)]
async fn requests_do_not_start_all_at_once_after_a_pause() {
    let limiter = Arc::new(Limiter::default());
    let refused = permit(&limiter, "a").await;
    let waiting: Vec<_> = (0..4)
        .map(|_| {
            let limiter = Arc::clone(&limiter);
            tokio::spawn(async move {
                let permit = permit(&limiter, "a").await;
                let started = Instant::now();
                permit.answered(FAST);
                started
            })
        })
        .collect();
    tokio::task::yield_now().await;
    refused.refused(FAST, Some(Duration::from_secs(5)), MAX_RETRY_AFTER);
    drop(refused);
    let mut times = Vec::new();
    for task in waiting {
        times.push(task.await.unwrap());
    }
    times.sort();
    for pair in times.windows(2) {
        assert!(pair[1] - pair[0] >= HostLimits::POLITE.interval);
    }
}

#[tokio::test(start_paused = true)]
async fn without_retry_after_the_backoff_doubles_up_to_its_limit() {
    let limiter = Limiter::default();
    let mut pauses = Vec::new();
    for _ in 0..7 {
        let refused = permit(&limiter, "a").await;
        let at = Instant::now();
        refused.refused(Duration::from_millis(500), None, MAX_RETRY_AFTER);
        drop(refused);
        let next = permit(&limiter, "a").await;
        pauses.push(at.elapsed().as_millis());
        // This refusal is consecutive to the previous one.
        drop(next);
        tokio::time::advance(Duration::from_secs(2)).await;
    }
    assert_eq!(pauses, [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
}

#[tokio::test(start_paused = true)]
async fn a_successful_response_resets_the_backoff() {
    let limiter = Limiter::default();
    for _ in 0..3 {
        let permit = permit(&limiter, "a").await;
        assert_eq!(
            permit.refused(Duration::from_secs(1), None, MAX_RETRY_AFTER),
            1
        );
        drop(permit);
        self::permit(&limiter, "a").await.answered(FAST);
    }
}

#[tokio::test(start_paused = true)]
async fn refusals_of_concurrent_requests_count_once() {
    let limiter = Limiter::default();
    let mut held = Vec::new();
    for _ in 0..8 {
        held.push(permit(&limiter, "a").await);
    }
    for permit in &held {
        assert_eq!(
            permit.refused(Duration::from_secs(1), None, MAX_RETRY_AFTER),
            1
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_retry_after_at_the_limit_is_honored_and_a_longer_one_pauses_for_seconds() {
    let limiter = Limiter::default();
    for (asked, waited) in [(30, 30_000), (31, 4_000), (u64::MAX, 4_000)] {
        let begin = Instant::now();
        let refused = permit(&limiter, "a").await;
        refused.refused(
            Duration::from_millis(500),
            Some(Duration::from_secs(asked)),
            MAX_RETRY_AFTER,
        );
        drop(refused);
        let next = permit(&limiter, "a").await;
        assert_eq!(begin.elapsed().as_millis(), waited, "{asked}");
        next.answered(FAST);
        drop(next);
        tokio::time::advance(Duration::from_secs(2)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn consecutive_refusals_with_a_long_retry_after_double_the_pause_up_to_the_limit() {
    let limiter = Limiter::default();
    let mut pauses = Vec::new();
    for _ in 0..6 {
        let refused = permit(&limiter, "a").await;
        let at = Instant::now();
        refused.refused(
            Duration::from_millis(500),
            Some(Duration::MAX),
            MAX_RETRY_AFTER,
        );
        drop(refused);
        drop(permit(&limiter, "a").await);
        pauses.push(at.elapsed().as_millis());
        tokio::time::advance(Duration::from_secs(2)).await;
    }
    assert_eq!(pauses, [4_000, 4_000, 4_000, 4_000, 8_000, 10_000]);
}

#[tokio::test(start_paused = true)]
async fn a_request_with_a_short_max_wait_fails_immediately() {
    let limiter = Limiter::default();
    let refused = permit(&limiter, "a").await;
    refused.refused(FAST, Some(Duration::from_secs(20)), MAX_RETRY_AFTER);
    drop(refused);
    let impatient = limiter.acquire("a", Duration::from_secs(5)).await;
    assert!(impatient.is_none());
    assert!(limiter.acquire("b", Duration::from_secs(5)).await.is_some());
}

#[tokio::test(start_paused = true)]
async fn refusals_slow_an_own_host_and_latency_does_not() {
    let limiter = Limiter::default();
    let _lease = limiter.lease("a", HostLimits::OWN);
    let mut held = Vec::new();
    for round in 0..10 {
        for _ in 0..32 {
            held.push(permit(&limiter, "a").await);
        }
        for permit in held.drain(..) {
            permit.answered(Duration::from_millis(10 + 2_000 * (round / 5)));
        }
    }
    let begin = Instant::now();
    let refused = permit(&limiter, "a").await;
    refused.refused(Duration::from_secs(1), None, MAX_RETRY_AFTER);
    drop(refused);
    drop(permit(&limiter, "a").await);
    assert_eq!(begin.elapsed().as_secs(), 1);
    for _ in 0..16 {
        held.push(permit(&limiter, "a").await);
    }
    assert!(!starts(&limiter, "a", Duration::from_secs(60)).await);
}

#[tokio::test(start_paused = true)]
async fn unused_hosts_are_removed_and_hosts_in_use_are_kept() {
    let limiter = Limiter::default();
    let _lease = limiter.lease("kept", limits(1, 0));
    let _held = permit(&limiter, "kept").await;
    for number in 0..20_000 {
        drop(permit(&limiter, &format!("host-{number}")).await);
        if number % 500 == 0 {
            tokio::time::advance(Duration::from_secs(1)).await;
        }
    }
    assert!(
        limiter.remembered() <= 2 * SWEEP_THRESHOLD,
        "{}",
        limiter.remembered()
    );
    assert!(!starts(&limiter, "kept", Duration::from_secs(1)).await);
}

#[tokio::test]
async fn permits_of_an_own_host_are_cheap() {
    let limiter = Limiter::default();
    let _lease = limiter.lease("a", HostLimits::OWN);
    let begin = std::time::Instant::now();
    for _ in 0..10_000 {
        permit(&limiter, "a").await.answered(FAST);
    }
    // About 2 ms with optimizations. The limit allows for slow machines without optimizations.
    assert!(
        begin.elapsed() < Duration::from_secs(1),
        "{:?}",
        begin.elapsed()
    );
}

#[tokio::test(start_paused = true)]
async fn try_acquire_succeeds_immediately_or_not_at_all() {
    let limiter = Limiter::default();
    let _lease = limiter.lease("a", limits(2, 50));
    let first = limiter.try_acquire("a").unwrap();
    // Not yet. A failed attempt takes nothing from others.
    for _ in 0..3 {
        let wait = limiter.try_acquire("a").unwrap_err();
        assert_eq!(wait.as_millis(), 50);
    }
    tokio::time::advance(Duration::from_millis(50)).await;
    let second = limiter.try_acquire("a").unwrap();
    // No slot.
    tokio::time::advance(Duration::from_millis(50)).await;
    assert_eq!(limiter.try_acquire("a").unwrap_err(), BUSY);
    drop((first, second));
    assert!(limiter.try_acquire("a").is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_paused_host_returns_the_remaining_pause() {
    let limiter = Limiter::default();
    let _lease = limiter.lease("a", limits(2, 0));
    let permit = limiter.try_acquire("a").unwrap();
    let minute = Duration::from_secs(60);
    permit.refused(Duration::ZERO, Some(minute), minute);
    drop(permit);
    assert_eq!(limiter.try_acquire("a").unwrap_err(), minute);
    assert!(
        limiter
            .acquire_within("a", Duration::from_secs(59))
            .await
            .is_none()
    );
}

#[tokio::test(start_paused = true)]
async fn acquire_within_waits_in_line_and_reserves_no_later_start_time() {
    let limiter = Arc::new(Limiter::default());
    let _lease = limiter.lease("a", limits(1, 10_000));
    let held = limiter.try_acquire("a").unwrap();
    let begin = Instant::now();
    let short = limiter.acquire_within("a", Duration::from_secs(1)).await;
    assert!(short.is_none());
    assert_eq!(begin.elapsed().as_secs(), 1);
    drop(held);
    assert!(
        limiter
            .acquire_within("a", Duration::from_secs(1))
            .await
            .is_none()
    );
    // The start time is still available for a request that waits for it.
    assert!(
        limiter
            .acquire_within("a", Duration::from_secs(10))
            .await
            .is_some()
    );
    assert_eq!(begin.elapsed().as_secs(), 10);
}
