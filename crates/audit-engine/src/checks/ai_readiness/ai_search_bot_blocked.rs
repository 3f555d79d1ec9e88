//! AI search crawlers that robots.txt blocks.

use crate::check::Outcome;
use crate::common::robots::ai_agents::AgentClass;
use crate::common::robots::bot_access;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// robots.txt allows the crawlers that build the indexes of AI search to fetch the start page.
    /// They include OAI-SearchBot, Claude-SearchBot, PerplexityBot, Googlebot, Bingbot and
    /// Applebot.
    ///
    /// ## Why it matters
    /// An AI assistant that searches the web finds only pages that its crawler may fetch. A site
    /// that blocks these crawlers is not found and not cited in answers.
    ///
    /// ## How to fix it
    /// Let the search crawlers in: delete the `Disallow: /` that applies to them, or give them a separate group:
    /// `User-agent: OAI-SearchBot` followed by `Allow: /`. Training crawlers, such as GPTBot, have separate names and
    /// can stay blocked.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Ferries</title><h1>Ferries</h1></html>
    /// === /robots.txt
    /// HTTP/1.1 200 OK
    /// Content-Type: text/plain
    ///
    /// User-agent: GPTBot
    /// User-agent: OAI-SearchBot
    /// Disallow: /
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Ferries</title><h1>Ferries</h1></html>
    /// === /robots.txt
    /// HTTP/1.1 200 OK
    /// Content-Type: text/plain
    ///
    /// User-agent: GPTBot
    /// Disallow: /
    /// ```
    ///
    /// ## Limits
    /// Only the rules for the start page are evaluated. Firewalls that block crawlers despite
    /// robots.txt are not detected. The set of crawlers changes over time; the list is dated.
    ///
    /// ## Also known as
    /// - Common name: OAI-SearchBot blocked
    ///
    /// ## References
    /// - RFC 9309, Robots Exclusion Protocol, section 2.2
    /// - OpenAI, Overview of OpenAI Crawlers
    /// - Anthropic, Does Anthropic crawl data from the web, and how can site owners block the crawler?
    /// - Perplexity, Perplexity Crawlers
    AI_SEARCH_BOT_BLOCKED {
        id: "ai-search-bot-blocked",
        title: "AI search crawlers blocked by robots.txt",
        dimension: AiReadiness,
        scope: Origin,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    bot_access::evaluate(site, AgentClass::Search)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn audited(robots: &str) -> Tallied {
        audit(
            &AI_SEARCH_BOT_BLOCKED,
            &format!(
                "=== /\n<p>x\n=== /robots.txt\nHTTP/1.1 200 OK\nContent-Type: text/plain\n\n{robots}"
            ),
        )
    }

    #[test]
    fn a_site_without_robots_txt_passes() {
        let tallied = audit(&AI_SEARCH_BOT_BLOCKED, "=== /\n<p>x");
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn each_blocked_crawler_with_a_named_group_is_a_finding() {
        let tallied =
            audited("User-agent: oai-searchbot\nUser-agent: PerplexityBot\nDisallow: /\n");
        assert_eq!((tallied.affected, tallied.findings.len()), (1, 2));
        assert_eq!(tallied.findings[0].cause, "oai-searchbot");
        let occurrence = &tallied.findings[0].occurrences[0];
        assert_eq!(occurrence.url, "https://example.com/robots.txt");
        assert_eq!(occurrence.line, Some(3));
    }

    #[test]
    fn the_wildcard_rule_is_one_finding() {
        let tallied = audited("User-agent: *\nDisallow: /\n\nUser-agent: AssayBot\nAllow: /\n");
        assert_eq!(tallied.findings.len(), 1);
        assert_eq!(tallied.findings[0].cause, "*");
    }

    #[test]
    fn blocked_training_crawlers_pass() {
        let tallied = audited(
            "User-agent: GPTBot\nUser-agent: Google-Extended\nUser-agent: CCBot\nDisallow: /\n",
        );
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn blocked_parts_of_the_site_pass() {
        let tallied = audited("User-agent: *\nDisallow: /private\nDisallow: /*?q=\n");
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }
}
