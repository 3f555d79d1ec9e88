//! A prompt taken apart by the rules of CommonMark, in a stricter reading of line ends than any reader
//! has, and what must hold of its parts. The property tests and the fuzz target share it.

use domain::action::MAX_DESCRIPTION_CHARS;

use crate::untrusted::MAX_CHARS;

/// What stands outside of fences that hold words of others, and the lines within those.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Apart {
    /// Our words: lines, commands, and what stands behind opening fences.
    pub(crate) outside: Vec<String>,
    /// Words of others.
    pub(crate) inside: Vec<Quoted>,
}

/// A line of a fence that holds words of others.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Quoted {
    /// Whose words they are said to be.
    pub(crate) mark: String,
    /// The line.
    pub(crate) line: String,
}

/// Takes Markdown apart: a fence begins with three or more backticks or tildes, at most three spaces
/// before, and ends with as many or more of the same and nothing behind. One that stays open is an
/// error.
pub(crate) fn apart(markdown: &str) -> Result<Apart, String> {
    let (mut outside, mut inside) = (Vec::new(), Vec::new());
    let mut open: Option<(char, usize, Option<&str>)> = None;
    for line in markdown.split(is_line_end) {
        let bare = line.trim_start_matches(' ');
        let indent = line.len() - bare.len();
        let mark = bare.chars().next().filter(|c| "`~".contains(*c));
        let run = mark.map_or(0, |mark| bare.chars().take_while(|c| *c == mark).count());
        let is_fence = indent < 4 && run >= 3;
        let behind = bare.split_at(run).1;
        match (open, mark) {
            (None, Some(mark)) if is_fence && !(mark == '`' && behind.contains('`')) => {
                open = Some((mark, run, behind.strip_prefix("text ")));
                outside.push(behind.to_owned());
            }
            (Some((bar, length, _)), Some(mark))
                if is_fence && mark == bar && run >= length && behind.trim().is_empty() =>
            {
                open = None;
            }
            (Some((_, _, Some(mark))), _) => inside.push(Quoted {
                mark: mark.to_owned(),
                line: line.to_owned(),
            }),
            // Commands are our words.
            (None | Some((_, _, None)), _) => outside.push(line.to_owned()),
        }
    }
    match open {
        None => Ok(Apart { outside, inside }),
        Some(_) => Err("a fence stays open".to_owned()),
    }
}

/// What a prompt breaks, beside the same prompt about harmless texts; nothing where every word of
/// others stands in a fence, is bounded and can be seen.
pub(crate) fn violation(prompt: &str, calm: &Apart) -> Option<String> {
    let found = match apart(prompt) {
        Ok(found) => found,
        Err(why) => return Some(why),
    };
    let mut pairs = found.outside.iter().zip(&calm.outside);
    if let Some((is, should)) = pairs.find(|(is, should)| is != should) {
        return Some(format!("outside of fences stands {is:?}, not {should:?}"));
    }
    if found.outside.len() != calm.outside.len() {
        return Some("more or less stands outside of fences".to_owned());
    }
    if let Some(c) = prompt.chars().find(|c| is_unseen(*c)) {
        return Some(format!("a character cannot be seen: {c:?}"));
    }
    let is_long = |quoted: &&Quoted| quoted.line.chars().count() > most_chars(&quoted.mark);
    let long = found.inside.iter().find(is_long)?;
    Some(format!("a line is too long: {long:?}"))
}

/// The most characters of a line within a fence.
fn most_chars(mark: &str) -> usize {
    match mark {
        // Words of people are bounded where they come in; a tab becomes four spaces.
        "organization" | "asker" => MAX_DESCRIPTION_CHARS * 4,
        // With a name of ours before it.
        _ => MAX_CHARS + 20,
    }
}

fn is_line_end(c: char) -> bool {
    !is_plain(c)
        && matches!(c, '\n'..='\r' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Controls, directions, zero width, tags, variation selectors, fillers, separators of lines: written
/// down anew, since the list of the product is what is tested.
fn is_unseen(c: char) -> bool {
    let is_control = || c.is_control() && c != '\n';
    let is_filler = || "\u{ad}\u{34f}\u{61c}\u{115f}\u{1160}\u{180e}\u{3164}\u{ffa0}".contains(c);
    let is_mark = || {
        matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
            || matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
            || c >= '\u{e0000}'
    };
    !is_plain(c) && (is_control() || is_filler() || is_mark())
}

/// Most characters; fuzzing takes its time over every comparison that it watches.
fn is_plain(c: char) -> bool {
    matches!(c, ' '..='~')
}
