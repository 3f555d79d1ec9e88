//! The state of all sites in one sentence.

use domain::ports::SiteTotals;
use domain::text::{count, enumeration, grouped};
use report::Band;

/// The state of all sites in one sentence; none where there is no site.
pub(super) fn state_sentence(totals: &SiteTotals, has_actions: bool) -> Option<String> {
    let audited: u64 = totals.by_score.iter().map(|(_, sites)| sites).sum();
    let scores = match (totals.sites, audited, totals.by_score.as_slice()) {
        (0, ..) => return None,
        (1, 0, _) => "Your site has not been audited yet".to_owned(),
        (sites, 0, _) => {
            return Some(format!(
                "None of your {} has been audited yet.",
                count(sites, "site", "sites")
            ));
        }
        (1, _, [(score, _), ..]) => {
            let word = Band::from_score(*score).word();
            format!("Your site scores {score} of 100, which is {word}")
        }
        _ => bands(totals, audited),
    };
    let missing = totals.sites.saturating_sub(audited);
    let mut rest = Vec::new();
    if audited > 0 && missing > 0 {
        let has = if missing == 1 { "has" } else { "have" };
        rest.push(format!("{} {has} not been audited yet", grouped(missing)));
    }
    if has_actions && totals.open_critical > 0 {
        let are = if totals.open_critical == 1 {
            "is"
        } else {
            "are"
        };
        let items = count(
            totals.open_critical,
            "critical action item",
            "critical action items",
        );
        rest.push(format!("{items} {are} open"));
    }
    Some(match rest.is_empty() {
        true => format!("{scores}."),
        false => format!("{scores}; {}.", enumeration(&rest)),
    })
}

/// How many sites are in which band.
fn bands(totals: &SiteTotals, audited: u64) -> String {
    let sites_in = |band| -> u64 {
        let scores = totals.by_score.iter();
        let in_band = scores.filter(|(score, _)| Band::from_score(*score) == band);
        in_band.map(|(_, sites)| sites).sum()
    };
    let parts: Vec<_> = [Band::Good, Band::Fair, Band::Poor]
        .into_iter()
        .map(|band| (band, sites_in(band)))
        .filter(|(_, sites)| *sites > 0)
        .collect();
    let of_all = count(audited, "audited site", "audited sites");
    match parts.as_slice() {
        [(band, 2..)] => format!("All {of_all} are {}", band.word()),
        parts => {
            let parts: Vec<_> = parts
                .iter()
                .map(|(band, sites)| {
                    let are = if *sites == 1 { "is" } else { "are" };
                    format!("{} {are} {}", grouped(*sites), band.word())
                })
                .collect();
            format!("Of {of_all}, {}", enumeration(&parts))
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::nothing(0, &[], 0, None)]
    #[case::one_new(1, &[], 0, Some("Your site has not been audited yet."))]
    #[case::all_new(3, &[], 0, Some("None of your 3 sites has been audited yet."))]
    #[case::one(1, &[(87, 1)], 2, Some("Your site scores 87 of 100, which is fair; 2 critical action items are open."))]
    #[case::all_good(2, &[(90, 1), (95, 1)], 0, Some("All 2 audited sites are good."))]
    #[case::mixed(
        7,
        &[(30, 1), (70, 2), (91, 1), (99, 2)],
        1,
        Some("Of 6 audited sites, 3 are good, 2 are fair and 1 is poor; 1 has not been audited yet and 1 critical action item is open.")
    )]
    fn sentences(
        #[case] sites: u64,
        #[case] by_score: &[(u8, u64)],
        #[case] open_critical: u64,
        #[case] expected: Option<&str>,
    ) {
        let totals = SiteTotals {
            sites,
            by_score: by_score.to_vec(),
            open_critical,
        };
        assert_eq!(state_sentence(&totals, true).as_deref(), expected);
    }

    #[test]
    fn a_variant_without_action_items_does_not_mention_them() {
        let totals = SiteTotals {
            sites: 1,
            by_score: vec![(95, 1)],
            open_critical: 3,
        };
        let sentence = state_sentence(&totals, false);
        assert_eq!(
            sentence.as_deref(),
            Some("Your site scores 95 of 100, which is good.")
        );
    }
}
