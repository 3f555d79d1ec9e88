//! A random sample of findings to review against their pages, which measures the accuracy of the catalogue.

use anyhow::{Context, Result, anyhow};
use audit_engine::egress::EgressOptions;
use audit_engine::{AuditOptions, Auditor, default_user_agent};
use clap::Args;
use domain::report::{Finding, Occurrence};
use domain::target::AllowTarget;

/// The arguments of the command.
#[derive(Debug, Args)]
pub(crate) struct SampleArgs {
    /// The sites to audit; their hosts are allowed, external links are not requested.
    #[arg(required = true)]
    urls: Vec<String>,
    /// The random seed. The same seed on the same site draws the same findings.
    #[arg(long)]
    seed: u64,
    /// The number of findings per check and site.
    #[arg(long, default_value_t = 10)]
    per_check: usize,
    /// Run only these checks.
    #[arg(long = "check")]
    checks: Vec<String>,
    /// The maximum number of pages per site.
    #[arg(long, default_value_t = 2_000)]
    max_pages: u32,
    /// An additional allowed target.
    #[arg(long = "allow-target", default_value = "127.0.0.1")]
    allow_targets: Vec<AllowTarget>,
}

/// Audits the sites and draws from the findings of every check: one line each, tab-separated:
/// check, URL, line, selector, message, excerpt.
pub(crate) fn draw(args: &SampleArgs) -> Result<String> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let mut out = format!(
        "# seed {}, {} findings per check and site\n",
        args.seed, args.per_check
    );
    out.push_str("check\turl\tline\tselector\tmessage\texcerpt\n");
    for url in &args.urls {
        let findings = runtime.block_on(findings(args, url))?;
        for check in ids(&findings) {
            let occurrences: Vec<&Occurrence> = findings
                .iter()
                .filter(|finding| finding.check_id == check)
                .flat_map(|finding| finding.occurrences())
                .collect();
            for occurrence in chosen(occurrences, args.per_check, args.seed) {
                out.push_str(&line(&check, occurrence));
            }
        }
    }
    Ok(out)
}

async fn findings(args: &SampleArgs, url: &str) -> Result<Vec<Finding>> {
    let only: Result<Vec<_>> = args
        .checks
        .iter()
        .map(|id| audit_engine::checks::find(id).ok_or_else(|| anyhow!("unknown check {id}")))
        .collect();
    let only = only?;
    let options = AuditOptions {
        max_pages: args.max_pages,
        external: false,
        only: (!only.is_empty()).then_some(only),
        ..AuditOptions::default()
    };
    let allow = args.allow_targets.iter().cloned().collect();
    let auditor = Auditor::with_egress(EgressOptions::new(allow, default_user_agent()), options)?;
    let audit = auditor
        .audit(url)
        .await
        .with_context(|| format!("cannot audit {url}"))?;
    Ok(audit.result.findings)
}

fn ids(findings: &[Finding]) -> Vec<String> {
    let mut ids: Vec<String> = findings
        .iter()
        .map(|finding| finding.check_id.clone())
        .collect();
    ids.sort();
    ids.dedup();
    ids
}

/// Draws without repetition, and keeps the order of the site.
fn chosen<T>(items: Vec<T>, most: usize, seed: u64) -> Vec<T> {
    let mut state = seed;
    let mut ranked: Vec<(u64, usize, T)> = items
        .into_iter()
        .enumerate()
        .map(|(index, item)| (next(&mut state), index, item))
        .collect();
    ranked.sort_by_key(|(rank, index, _)| (*rank, *index));
    ranked.truncate(most);
    ranked.sort_by_key(|(_, index, _)| *index);
    ranked.into_iter().map(|(_, _, item)| item).collect()
}

/// SplitMix64 (Steele, Lea and Flood, 2014): small, and good enough to draw with.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn line(check: &str, occurrence: &Occurrence) -> String {
    let line = occurrence
        .line
        .map(|line| line.to_string())
        .unwrap_or_default();
    let fields = [
        check,
        &occurrence.url,
        &line,
        occurrence.selector.as_deref().unwrap_or_default(),
        &occurrence.message,
        occurrence.snippet.as_deref().unwrap_or_default(),
    ];
    let clean: Vec<String> = fields
        .iter()
        .map(|field| {
            field
                .chars()
                .map(|c| if c.is_control() { ' ' } else { c })
                .collect()
        })
        .collect();
    format!("{}\n", clean.join("\t"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_draws_the_same() {
        let items: Vec<u32> = (0..1_000).collect();
        assert_eq!(chosen(items.clone(), 10, 7), chosen(items.clone(), 10, 7));
        assert_ne!(chosen(items.clone(), 10, 7), chosen(items, 10, 8));
    }

    #[test]
    fn nothing_is_drawn_twice_and_the_order_is_kept() {
        let drawn = chosen((0..50).collect::<Vec<u32>>(), 20, 3);
        assert_eq!(drawn.len(), 20);
        assert!(drawn.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn fewer_findings_than_asked_for_are_all_drawn() {
        assert_eq!(chosen(vec![1, 2], 10, 1), [1, 2]);
    }
}
