//! Audits a site and prints its scores: `cargo run --example audit -- https://example.com`.

use audit_engine::{AuditOptions, Auditor};
use domain::report::{Report, Variant};
use domain::score::DimensionWeights;

#[tokio::main]
#[expect(clippy::print_stdout, reason = "an example shows what it does")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::args().nth(1).ok_or("name a URL")?;
    let audit = Auditor::new(AuditOptions::default())?.audit(&url).await?;
    let report = Report::assemble(
        &audit.result,
        Variant::Current,
        &DimensionWeights::default(),
    );
    println!("{}: {}", report.url, report.score.overall);
    for issue in &report.issues {
        println!(
            "{} {} ({} places)",
            issue.severity, issue.title, issue.occurrences_total
        );
    }
    Ok(())
}
