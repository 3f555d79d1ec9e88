//! User-triggered AI fetchers that robots.txt blocks.

use crate::check::Outcome;
use crate::common::robots::ai_agents::AgentClass;
use crate::common::robots::bot_access;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// Some agents fetch a page because a user asks an AI assistant about it: ChatGPT-User,
    /// Claude-User, Perplexity-User, MistralAI-User and Meta-ExternalFetcher. robots.txt allows
    /// them to fetch the start page.
    ///
    /// ## Why it matters
    /// A user gives an AI assistant the URL of the page, or asks a question that the page answers,
    /// and the assistant may not fetch it. The site loses that visitor.
    ///
    /// ## How to fix it
    /// Allow the agents that fetch a page because a person asked for it: delete the `Disallow: /` that applies to
    /// them, or give them a separate group: `User-agent: ChatGPT-User` followed by `Allow: /`.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Ferries</title><h1>Ferries</h1></html>
    /// === /robots.txt
    /// HTTP/1.1 200 OK
    /// Content-Type: text/plain
    ///
    /// User-agent: ChatGPT-User
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
    /// User-agent: ChatGPT-User
    /// Disallow: /account/
    /// ```
    ///
    /// ## Limits
    /// Only the rules for the start page are evaluated. Some operators state that robots.txt may
    /// not apply to such requests; the rule is still reported, because other agents follow it.
    ///
    /// ## Also known as
    /// - Common name: ChatGPT-User blocked
    ///
    /// ## References
    /// - RFC 9309, Robots Exclusion Protocol, section 2.2
    /// - OpenAI, Overview of OpenAI Crawlers
    /// - Mistral, Mistral crawlers
    AI_USER_FETCHER_BLOCKED {
        id: "ai-user-fetcher-blocked",
        title: "User-triggered AI fetchers blocked by robots.txt",
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
    bot_access::evaluate(site, AgentClass::User)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    #[test]
    fn a_blocked_fetcher_fails() {
        let site =
            "=== /\n<p>x\n=== /robots.txt\nHTTP/1.1 200 OK\n\nUser-agent: claude-user\nDisallow: /";
        let tallied = audit(&AI_USER_FETCHER_BLOCKED, site);
        assert_eq!((tallied.affected, tallied.findings.len()), (1, 1));
        assert_eq!(tallied.findings[0].title, "robots.txt blocks Claude-User");
    }

    #[test]
    fn blocked_search_crawlers_pass() {
        let site =
            "=== /\n<p>x\n=== /robots.txt\nHTTP/1.1 200 OK\n\nUser-agent: bingbot\nDisallow: /";
        let tallied = audit(&AI_USER_FETCHER_BLOCKED, site);
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }
}
