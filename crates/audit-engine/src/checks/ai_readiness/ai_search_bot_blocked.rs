//! Crawlers that feed AI search may fetch the site.

use crate::check::Outcome;
use crate::common::robots::ai_agents::AgentClass;
use crate::common::robots::bot_access;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// robots.txt lets the crawlers that build the indexes of AI search fetch the start page:
    /// OAI-SearchBot, Claude-SearchBot, PerplexityBot, Googlebot, Bingbot, Applebot and others.
    ///
    /// ## Why it matters
    /// An assistant that searches the web finds only what its crawler may fetch. A site that keeps
    /// these crawlers out is not found and not cited in answers.
    ///
    /// ## How to fix it
    /// Remove the `Disallow: /` of these crawlers from robots.txt, or give them a group of their own:
    /// `User-agent: OAI-SearchBot` and below it `Allow: /`. Crawlers for training, such as GPTBot,
    /// have names of their own and can stay out.
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
    /// Only the rules for the start page are looked at. Firewalls that turn crawlers away in spite of
    /// robots.txt are not noticed. Which crawlers there are changes; the list is dated.
    ///
    /// ## References
    /// - RFC 9309, Robots Exclusion Protocol, section 2.2
    /// - OpenAI, Overview of OpenAI Crawlers
    /// - Anthropic, Does Anthropic crawl data from the web, and how can site owners block the crawler?
    /// - Perplexity, Perplexity Crawlers
    AI_SEARCH_BOT_BLOCKED {
        id: "ai-search-bot-blocked",
        title: "robots.txt keeps crawlers of AI search out",
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
    bot_access::judge(site, AgentClass::Search)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn judged(robots: &str) -> Tallied {
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
    fn each_crawler_that_is_named_is_a_finding() {
        let tallied = judged("User-agent: oai-searchbot\nUser-agent: PerplexityBot\nDisallow: /\n");
        assert_eq!((tallied.affected, tallied.findings.len()), (1, 2));
        assert_eq!(tallied.findings[0].cause, "oai-searchbot");
        let occurrence = &tallied.findings[0].occurrences[0];
        assert_eq!(occurrence.url, "https://example.com/robots.txt");
        assert_eq!(occurrence.line, Some(3));
    }

    #[test]
    fn the_rule_for_all_agents_is_one_finding() {
        let tallied = judged("User-agent: *\nDisallow: /\n\nUser-agent: AssayBot\nAllow: /\n");
        assert_eq!(tallied.findings.len(), 1);
        assert_eq!(tallied.findings[0].cause, "*");
    }

    #[test]
    fn training_crawlers_may_stay_out() {
        let tallied = judged(
            "User-agent: GPTBot\nUser-agent: Google-Extended\nUser-agent: CCBot\nDisallow: /\n",
        );
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn parts_of_the_site_may_stay_closed() {
        let tallied = judged("User-agent: *\nDisallow: /private\nDisallow: /*?q=\n");
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }
}
