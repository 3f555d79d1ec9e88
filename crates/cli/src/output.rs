//! Output: data goes to standard output, everything else to standard error.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use crate::exit::Exit;
use crate::runner::{Form, is_here, neutral};

/// Whether standard output supports color: it is a terminal and `NO_COLOR` is unset or empty.
#[must_use]
pub fn wants_color() -> bool {
    let unset = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    unset && io::stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|t| t != "dumb")
}

/// The columns of the terminal on standard output: 80 without a terminal, and at most 120, because longer lines
/// are hard to read.
pub(crate) fn columns() -> u16 {
    const WITHOUT_TERMINAL: u16 = 80;
    const WIDEST: u16 = 120;
    let size = terminal_size::terminal_size_of(io::stdout());
    size.map_or(WITHOUT_TERMINAL, |(width, _)| width.0.min(WIDEST))
}

/// Writes text to standard output. A closed pipe, as in `assay … | head`, is not an error. If GitHub's runner
/// may read the output, workflow commands in it are neutralized.
///
/// # Errors
/// When standard output cannot be written.
pub fn write_data(text: &str) -> io::Result<()> {
    write_as(Form::Words, text)
}

/// Like [`write_data`], for JSON: neutralizing a command does not change the JSON value.
///
/// # Errors
/// When standard output cannot be written.
pub fn write_json(text: &str) -> io::Result<()> {
    write_as(Form::Json, text)
}

/// Like [`write_data`], for text of the given form.
pub(crate) fn write_as(form: Form, text: &str) -> io::Result<()> {
    if is_read_by_runner() {
        write_bytes(neutral(text, form).as_bytes())
    } else {
        write_bytes(text.as_bytes())
    }
}

/// Whether GitHub's runner may read standard output. A regular file gets every byte unchanged; a pipe to the
/// runner cannot be distinguished from a pipe to another program.
pub(crate) fn is_read_by_runner() -> bool {
    is_here() && !is_file()
}

#[cfg(unix)]
fn is_file() -> bool {
    use std::fs::File;
    use std::os::fd::AsFd as _;
    let output = io::stdout().as_fd().try_clone_to_owned().map(File::from);
    let kind = output.and_then(|output| output.metadata());
    kind.is_ok_and(|kind| kind.is_file())
}

#[cfg(not(unix))]
const fn is_file() -> bool {
    false
}

/// Writes data to standard output unchanged: binary data, or text without content of audited pages.
pub(crate) fn write_bytes(data: &[u8]) -> io::Result<()> {
    match write_whole(data) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Writes text that is shown only once, such as a secret, to standard output. A closed pipe is an error.
///
/// # Errors
/// When standard output cannot be written or is closed.
pub fn hand_over(text: &str) -> io::Result<()> {
    if is_read_by_runner() {
        write_whole(neutral(text, Form::Words).as_bytes())
    } else {
        write_whole(text.as_bytes())
    }
}

fn write_whole(data: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(data).and_then(|()| out.flush())
}

/// Writes a line for the user to standard error. Workflow commands of GitHub's runner in it are neutralized.
pub fn write_note(text: &str) {
    if is_here() {
        write_line(&neutral(text, Form::Words));
    } else {
        write_line(text);
    }
}

/// Writes a workflow command for GitHub's runner.
pub(crate) fn write_command(text: &str) {
    write_line(text);
}

fn write_line(text: &str) {
    // A broken standard error cannot be reported.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Prints the help or the usage error and returns the exit status. Workflow commands of GitHub's runner in
/// repeated arguments are neutralized.
pub fn print_usage(usage: &clap::Error) -> Exit {
    if !usage.use_stderr() {
        // A broken standard output cannot be reported.
        let _ = usage.print();
        return Exit::Fine;
    }
    if is_here() {
        write_note(usage.render().to_string().trim_end());
    } else {
        let _ = usage.print();
    }
    Exit::Usage
}

/// Writes an output file. In a job, a special file such as `/dev/stdout` may be read by GitHub's runner; then
/// workflow commands in text are neutralized.
pub(crate) fn write_file(path: &Path, content: &[u8], form: Option<Form>) -> io::Result<()> {
    let is_ordinary = || std::fs::metadata(path).map_or(true, |found| found.is_file());
    match form {
        Some(form) if is_here() && !is_ordinary() => {
            let text = String::from_utf8_lossy(content);
            std::fs::write(path, neutral(&text, form).as_bytes())
        }
        _ => std::fs::write(path, content),
    }
}

/// Writes an error: `error: …`, or `error[code]: …`.
pub fn print_error(code: Option<&str>, message: &str) {
    write_line(&error_line(code, message));
}

/// The line that [`print_error`] writes.
#[must_use]
pub fn error_line(code: Option<&str>, message: &str) -> String {
    let message: String = message
        .chars()
        .map(|c| if c.is_control() && c != '\n' { ' ' } else { c })
        .collect();
    let message = without_os_codes(&message);
    let line = match code {
        Some(code) => format!("error[{code}]: {message}"),
        None => format!("error: {message}"),
    };
    if is_here() {
        neutral(&line, Form::Words).into_owned()
    } else {
        line
    }
}

/// A message without the numbers that the operating system gives to errors, ` (os error 13)`: the words before them say
/// the same.
pub(crate) fn without_os_codes(message: &str) -> String {
    const BEFORE: &str = " (os error ";
    let mut out = String::with_capacity(message.len());
    let mut rest = message;
    while let Some((before, after)) = rest.split_once(BEFORE) {
        let digits = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
        out.push_str(before);
        match digits.strip_prefix(')') {
            Some(end) if digits.len() < after.len() => rest = end,
            _ => {
                out.push_str(BEFORE);
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(
        "cannot read a.json: Permission denied (os error 13)",
        "cannot read a.json: Permission denied"
    )]
    #[case("a (os error 2)\nb (os error -1), c", "a\nb, c")]
    #[case("cannot read a (os error x): no", "cannot read a (os error x): no")]
    #[case("a (os error ", "a (os error ")]
    #[case("a (os error )", "a (os error )")]
    fn numbers_of_the_operating_system_are_left_out(#[case] message: &str, #[case] expected: &str) {
        assert_eq!(without_os_codes(message), expected);
        assert_eq!(error_line(None, message), format!("error: {expected}"));
    }
}
