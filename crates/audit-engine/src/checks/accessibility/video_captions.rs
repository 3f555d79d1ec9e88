//! Finds caption tracks of videos without a file.

use domain::Severity;

use crate::aria::AccessTree;
use crate::check::{Evidence, Failures, Outcome};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// A video has a `track` element for captions or subtitles, and at least one of these has a `src`.
    ///
    /// ## Why it matters
    /// Deaf users, and users who watch without sound, need captions to follow speech and sounds. A track
    /// without a file shows nothing, although the player may offer it.
    ///
    /// ## How to fix it
    /// Write the captions as a WebVTT file and reference it in the `src` of the `track`.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Tour</title><video src="tour.mp4" controls><track kind="captions" srclang="en"></video></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Tour</title><video src="tour.mp4" controls><track kind="captions" srclang="en" src="tour.vtt"></video></html>
    /// ```
    ///
    /// ## Limits
    /// The check cannot tell whether a video without a track needs one: the video may be silent, have
    /// burned-in captions, or be an alternative to text on the page. The finding for a page where no track is
    /// broken is therefore a note that costs no score: a person has to review these videos. Muted videos, and
    /// videos without a file, are not checked. The check does not read the caption file.
    ///
    /// ## Also known as
    /// - axe: `video-caption`
    /// - Lighthouse: `video-caption`
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 1.2.2 Captions (Prerecorded) (A)
    /// - W3C ACT rule eac66b, Video element auditory content has accessible alternative
    VIDEO_CAPTIONS {
        id: "video-captions",
        title: "Videos without captions",
        dimension: Accessibility,
        scope: Page,
        severity: Critical,
        confidence: High,
        effort: Medium,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let videos = page
        .html("video")
        .filter(|video| !tree.exposure(*video).hidden && !video.has_attr("muted"))
        .filter(|video| has_file(*video));
    let (mut broken, mut without) = (Failures::default(), Failures::default());
    let (mut is_any, mut is_uncertain) = (false, false);
    for video in videos {
        is_any = true;
        match captions(video) {
            Captions::Present => {}
            _ if tree.exposure(video).uncertain => is_uncertain = true,
            Captions::Broken(track) => broken.extend([tree
                .evidence(track)
                .message("This caption track has no src; expected the URL of a caption file.")]),
            Captions::None => without.extend([note(&tree, video)]),
        }
    }
    match (broken.is_none(), without.is_none()) {
        _ if !is_any => Outcome::NotApplicable,
        (false, _) => {
            broken.extend(without.iter().cloned());
            Outcome::Failed(broken)
        }
        (true, false) => Outcome::Failed(without.with_severity(Severity::Info)),
        (true, true) if is_uncertain => Outcome::CannotTell(
            "A class may hide the video; this cannot be determined in static mode.",
        ),
        (true, true) => Outcome::Passed,
    }
}

fn note<'a>(tree: &AccessTree<'a>, video: ElementRef<'a>) -> Evidence {
    tree.evidence(video).message(
        "This video has no caption track; a person has to review whether it has speech or sounds that need captions.",
    )
}

/// The captions that the markup of a video declares.
enum Captions<'a> {
    Present,
    /// Tracks without a file, the first of them.
    Broken(ElementRef<'a>),
    None,
}

fn captions(video: ElementRef<'_>) -> Captions<'_> {
    let mut broken = None;
    for track in video.children().filter(|child| is_captions(*child)) {
        if has_address(track) {
            return Captions::Present;
        }
        broken = broken.or(Some(track));
    }
    broken.map_or(Captions::None, Captions::Broken)
}

/// Whether the markup gives the video a file. Scripts give others one with sound and captions of their own.
fn has_file(video: ElementRef<'_>) -> bool {
    has_address(video)
        || video
            .children()
            .any(|child| child.is("source") || is_captions(child))
}

fn has_address(element: ElementRef<'_>) -> bool {
    element
        .attr("src")
        .is_some_and(|src| !src.trim().is_empty())
}

/// Whether the element is a track for captions or subtitles. Subtitles are the default kind.
fn is_captions(element: ElementRef<'_>) -> bool {
    let kind = element.attr("kind").unwrap_or("subtitles").trim();
    element.is("track")
        && (kind.eq_ignore_ascii_case("captions") || kind.eq_ignore_ascii_case("subtitles"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn captions_with_a_file_pass() {
        for track in [
            "<track kind=captions src=a.vtt>",
            "<track src=a.vtt>",
            "<track kind=captions><track kind=SUBTITLES src=a.vtt>",
        ] {
            assert_passes(&VIDEO_CAPTIONS, &format!("<video src=v>{track}</video>"));
        }
    }

    #[test]
    fn captions_without_a_file_fail() {
        assert_fails(
            &VIDEO_CAPTIONS,
            "<video src=v><track kind=captions></video>",
            1,
        );
        assert_fails(&VIDEO_CAPTIONS, "<video src=v><track src=' '></video>", 1);
    }

    #[test]
    fn a_video_without_captions_is_a_note() {
        for html in [
            "<video src=v controls></video>",
            "<video controls><source src=v></video>",
            "<video src=v><track kind=descriptions src=d></video>",
            "<video src=v><track src=a></video><video src=w></video>",
        ] {
            let Outcome::Failed(found) = outcome(&VIDEO_CAPTIONS, html) else {
                panic!("{html}");
            };
            assert_eq!(found.severity(Severity::Critical), Severity::Info, "{html}");
        }
    }

    #[test]
    fn a_broken_track_is_no_note() {
        let html = "<video src=v></video><video src=w><track></video>";
        let Outcome::Failed(found) = outcome(&VIDEO_CAPTIONS, html) else {
            panic!("passed");
        };
        assert_eq!(found.severity(Severity::Critical), Severity::Critical);
        assert_eq!(found.total(), 2);
    }

    #[test]
    fn muted_and_hidden_videos_are_not_applicable() {
        assert_not_applicable(&VIDEO_CAPTIONS, "<video src=v muted autoplay loop></video>");
        assert_not_applicable(&VIDEO_CAPTIONS, "<video src=v hidden></video>");
        assert_not_applicable(&VIDEO_CAPTIONS, "<video id=player></video>");
        assert_not_applicable(&VIDEO_CAPTIONS, "<p>x");
    }
}
