//! `calls BASE KEYS --clients N --seconds N [--rate N] PATH…`: sends requests to a service from many clients at
//! the same time.
//!
//! Each client has its own connection and one of the keys in the file KEYS, one per line, and requests the
//! paths in turn: `--rate` times per second, or without it as soon as the previous response has arrived. The
//! timeout of a response is 30 s.
//!
//! It prints one line of JSON: the number of responses per status code, the number of failed exchanges, and the
//! response times in milliseconds of responses with a status code below 400.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use reqwest::Client;

const USAGE: &str =
    "usage: calls BASE KEYS --clients N --seconds N [--rate N] PATH…, only for your own server";

/// The timeout of a response.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(30);

/// The load to generate.
struct Load {
    base: String,
    keys: Vec<String>,
    paths: Vec<String>,
    clients: u32,
    length: Duration,
    /// The time between two requests of a client; none to send the next one immediately.
    pause: Option<Duration>,
}

/// The results.
#[derive(Default)]
struct Answers {
    statuses: BTreeMap<u16, u64>,
    failures: BTreeMap<&'static str, u64>,
    good_ms: Vec<f64>,
    slowest_ms: f64,
}

impl Answers {
    fn add(&mut self, other: Self) {
        for (status, count) in other.statuses {
            *self.statuses.entry(status).or_default() += count;
        }
        for (failure, count) in other.failures {
            *self.failures.entry(failure).or_default() += count;
        }
        self.good_ms.extend(other.good_ms);
        self.slowest_ms = self.slowest_ms.max(other.slowest_ms);
    }

    fn into_json(mut self, seconds: f64) -> String {
        self.good_ms.sort_by(f64::total_cmp);
        let at = |hundredths: usize| {
            let place = self.good_ms.len().saturating_sub(1) * hundredths / 100;
            self.good_ms.get(place).copied().unwrap_or_default()
        };
        let statuses = counts(&self.statuses);
        let failures = counts(&self.failures);
        let calls: u64 = self.statuses.values().chain(self.failures.values()).sum();
        format!(
            "{{\"calls\": {calls}, \"seconds\": {seconds:.1}, \"statuses\": {statuses}, \"failures\": {failures}, \
             \"p50_ms\": {:.1}, \"p99_ms\": {:.1}, \"max_ms\": {:.1}, \"slowest_ms\": {:.1}}}",
            at(50),
            at(99),
            at(100),
            self.slowest_ms,
        )
    }
}

fn counts<K: std::fmt::Display>(counted: &BTreeMap<K, u64>) -> String {
    let fields: Vec<_> = counted
        .iter()
        .map(|(name, count)| format!("\"{name}\": {count}"))
        .collect();
    format!("{{{}}}", fields.join(", "))
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "the line is what the program is for")]
async fn main() -> anyhow::Result<()> {
    // reqwest uses the provider of the process.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let load = Arc::new(load(std::env::args().skip(1))?);
    let began = Instant::now();
    let clients: Vec<_> = (0..load.clients)
        .map(|number| tokio::spawn(call(Arc::clone(&load), number)))
        .collect();
    let mut all = Answers::default();
    for client in clients {
        all.add(client.await??);
    }
    println!("{}", all.into_json(began.elapsed().as_secs_f64()));
    Ok(())
}

async fn call(load: Arc<Load>, number: u32) -> anyhow::Result<Answers> {
    let client = Client::builder()
        .no_proxy()
        .pool_max_idle_per_host(1)
        .timeout(RESPONSE_TIMEOUT)
        .build()?;
    let mut next = usize::try_from(number)?;
    let key = load.keys.get(next % load.keys.len()).context("no key")?;
    let mut answers = Answers::default();
    // Spreads the first requests, so that clients with a rate do not all send at the same moment.
    let share = load.pause.unwrap_or_default() * number / load.clients.max(1);
    let mut due = Instant::now() + share;
    let end = Instant::now() + load.length;
    while Instant::now() < end {
        if let Some(pause) = load.pause {
            tokio::time::sleep_until(due.into()).await;
            due = (due + pause).max(Instant::now());
        }
        let path = load.paths.get(next % load.paths.len()).context(USAGE)?;
        next += 1;
        let began = Instant::now();
        let request = client.get(format!("{}{path}", load.base)).bearer_auth(key);
        let answered = match request.send().await {
            Ok(answer) => {
                let status = answer.status().as_u16();
                answer.bytes().await.map(|_| status)
            }
            Err(error) => Err(error),
        };
        let took_ms = began.elapsed().as_secs_f64() * 1_000.0;
        answers.slowest_ms = answers.slowest_ms.max(took_ms);
        match answered {
            Ok(status) => {
                *answers.statuses.entry(status).or_default() += 1;
                if status < 400 {
                    answers.good_ms.push(took_ms);
                }
            }
            Err(error) => *answers.failures.entry(failure(&error)).or_default() += 1,
        }
    }
    Ok(answers)
}

fn failure(error: &reqwest::Error) -> &'static str {
    if error.is_timeout() {
        "timeout"
    } else if error.is_connect() {
        "connect"
    } else {
        "cut off"
    }
}

fn load(mut args: impl Iterator<Item = String>) -> anyhow::Result<Load> {
    let base = args.next().context(USAGE)?;
    let file = args.next().context(USAGE)?;
    let text = std::fs::read_to_string(&file).context(file)?;
    let keys: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    let (mut clients, mut seconds, mut rate, mut paths) = (1, 10, 0, Vec::new());
    while let Some(arg) = args.next() {
        let mut number = || args.next().context(USAGE)?.parse::<u32>().context(USAGE);
        match arg.as_str() {
            "--clients" => clients = number()?,
            "--seconds" => seconds = number()?,
            "--rate" => rate = number()?,
            path if path.starts_with('/') => paths.push(arg),
            _ => bail!(USAGE),
        }
    }
    if keys.is_empty() || paths.is_empty() || clients == 0 {
        bail!(USAGE);
    }
    Ok(Load {
        base: base.trim_end_matches('/').to_owned(),
        keys,
        paths,
        clients,
        length: Duration::from_secs(seconds.into()),
        pause: (rate > 0).then(|| Duration::from_secs(1) / rate),
    })
}
