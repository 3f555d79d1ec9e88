//! Finds sound that plays automatically and that users cannot stop.

use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// An `audio` or `video` element with `autoplay` and sound has `controls`.
    ///
    /// ## Why it matters
    /// Users of a screen reader cannot hear what it reads while other sound is playing, and cannot find out how to
    /// stop it.
    ///
    /// ## How to fix it
    /// Remove `autoplay`, or add `controls`. For a video without important sound, add `muted`.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Harbour</title><audio src="/waves.mp3" autoplay loop></audio></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Harbour</title><audio src="/waves.mp3" autoplay loop controls></audio></html>
    /// ```
    ///
    /// ## Limits
    /// WCAG allows sound of up to three seconds. The check evaluates the duration only if the address ends with a
    /// media fragment such as `#t=0,3`, so it cannot tell for other sound that does not loop. On a page with
    /// scripts, which may add controls, it cannot tell either.
    ///
    /// ## Also known as
    /// - axe: `no-autoplay-audio`
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 1.4.2 Audio Control (A)
    /// - W3C ACT rule 80f0bf, Audio or video element avoids automatically playing audio
    AUTOPLAY_AUDIO {
        id: "autoplay-audio",
        title: "Sound plays automatically without controls",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// The longest sound that needs no control, in seconds.
const MAX_SECONDS: f64 = 3.0;

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let runs_scripts = page.runs_scripts();
    let players = page.html("audio").chain(page.html("video"));
    let playing = players.filter(|player| {
        player.has_attr("autoplay")
            && !player.has_attr("muted")
            && sources(*player).next().is_some()
    });
    Outcome::for_each(playing, |player| {
        if player.has_attr("controls") {
            return Verdict::Pass;
        }
        if runs_scripts {
            return Verdict::CannotTell("A script may add controls, or stop the sound.");
        }
        let loops = player.has_attr("loop");
        let mut seconds = sources(player).map(fragment_seconds);
        match seconds.next().flatten() {
            Some(seconds) if seconds <= MAX_SECONDS && !loops => Verdict::Pass,
            None if !loops && player.is("video") => {
                Verdict::CannotTell("The video may have no sound, or end within three seconds.")
            }
            None if !loops => Verdict::CannotTell("The sound may end within three seconds."),
            _ if player.is("video") => {
                Verdict::CannotTell("The video may have no sound.")
            }
            _ => tree.failure(
                player,
                "This sound plays automatically, and the element has no controls; expected controls, or no autoplay.",
            ),
        }
    })
}

/// The addresses of what the element plays.
fn sources(player: ElementRef<'_>) -> impl Iterator<Item = &str> {
    let inner = player.children().filter(|child| child.is("source"));
    std::iter::once(player)
        .chain(inner)
        .filter_map(|element| element.attr("src"))
        .filter(|src| !src.trim().is_empty())
}

/// The seconds that a media fragment such as `#t=2,5` selects; none if it has no end.
fn fragment_seconds(address: &str) -> Option<f64> {
    let (_, fragment) = address.split_once('#')?;
    let time = fragment
        .split('&')
        .find_map(|part| part.strip_prefix("t="))?;
    let (start, end) = time.strip_prefix("npt:").unwrap_or(time).split_once(',')?;
    let start: f64 = if start.is_empty() {
        0.0
    } else {
        start.parse().ok()?
    };
    let end: f64 = end.parse().ok()?;
    (end - start).is_finite().then_some(end - start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn endless_or_long_sound_without_controls_fails() {
        for html in [
            "<audio src=a.mp3 autoplay loop></audio>",
            "<audio autoplay loop><source src=a.mp3></audio>",
            "<audio src=a.mp3#t=0,8 autoplay></audio>",
        ] {
            assert_fails(&AUTOPLAY_AUDIO, html, 1);
        }
    }

    #[test]
    fn controls_and_short_sound_pass() {
        for html in [
            "<audio src=a.mp3 autoplay controls loop></audio>",
            "<audio src=a.mp3#t=2,5 autoplay></audio>",
            "<video src=a.mp4 autoplay controls></video>",
        ] {
            assert_passes(&AUTOPLAY_AUDIO, html);
        }
    }

    #[test]
    fn sound_of_unknown_length_and_pages_with_scripts_cannot_tell() {
        for html in [
            "<audio src=a.mp3 autoplay></audio>",
            "<video src=a.mp4 autoplay loop></video>",
            "<audio src=a.mp3 autoplay loop></audio><script>x()</script>",
        ] {
            let outcome = outcome(&AUTOPLAY_AUDIO, html);
            assert!(
                matches!(outcome, Outcome::CannotTell(_)),
                "{html}: {outcome:?}"
            );
        }
    }

    #[test]
    fn silent_players_are_not_applicable() {
        for html in [
            "<video src=a.mp4 autoplay muted></video>",
            "<audio src=a.mp3></audio>",
            "<audio autoplay></audio>",
            "<p>x",
        ] {
            assert_not_applicable(&AUTOPLAY_AUDIO, html);
        }
    }
}
