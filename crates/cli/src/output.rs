//! What is written where: data to the standard output, everything else to the standard error.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use crate::exit::Exit;
use crate::runner::{Form, is_here, neutral};

/// Whether the standard output takes colour: it is a terminal and `NO_COLOR` is unset or empty.
#[must_use]
pub fn wants_color() -> bool {
    let unset = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    unset && io::stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|t| t != "dumb")
}

/// Columns of the terminal behind the standard output: 80 where there is none, or where it is wider,
/// since longer lines are hard to read.
pub(crate) fn columns() -> u16 {
    const WIDEST: u16 = 80;
    let size = terminal_size::terminal_size_of(io::stdout());
    size.map_or(WIDEST, |(width, _)| width.0.min(WIDEST))
}

/// Writes words to the standard output. A reader that has gone away, as in `assay … | head`, is no
/// error. Where GitHub's runner may read it, nothing in it is a command.
///
/// # Errors
/// When the standard output cannot be written.
pub fn write_data(text: &str) -> io::Result<()> {
    write_as(Form::Words, text)
}

/// As [`write_data`], for JSON, which means the same wherever it is read.
///
/// # Errors
/// When the standard output cannot be written.
pub fn write_json(text: &str) -> io::Result<()> {
    write_as(Form::Json, text)
}

/// As [`write_data`], for a text of that form.
pub(crate) fn write_as(form: Form, text: &str) -> io::Result<()> {
    if is_read_by_runner() {
        write_bytes(neutral(text, form).as_bytes())
    } else {
        write_bytes(text.as_bytes())
    }
}

/// Whether the standard output may be what GitHub's runner reads. A file is not, and gets every byte as it is; a
/// pipe cannot be told from that to another program.
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

/// Writes data to the standard output as it is: data that is no text, or has no words of others.
pub(crate) fn write_bytes(data: &[u8]) -> io::Result<()> {
    match write_whole(data) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Writes words to the standard output that are shown this once, so that a reader that has gone away is
/// an error.
///
/// # Errors
/// When the standard output cannot be written, or nobody reads it.
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

/// Writes a line for the person watching, to the standard error. For GitHub's runner nothing in it is a command.
pub fn write_note(text: &str) {
    if is_here() {
        write_line(&neutral(text, Form::Words));
    } else {
        write_line(text);
    }
}

/// Writes a command to GitHub's runner.
pub(crate) fn write_command(text: &str) {
    write_line(text);
}

fn write_line(text: &str) {
    // There is nowhere left to report a broken standard error to.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Says how a command is used, or what is wrong with how it was, and with which status the process ends. What
/// is repeated of the arguments is no command for GitHub's runner.
pub fn print_usage(usage: &clap::Error) -> Exit {
    if !usage.use_stderr() {
        // There is nowhere left to report a broken standard output to.
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

/// Writes a file that was named. In a job one that is no ordinary file, as `/dev/stdout`, may be what GitHub's
/// runner reads; then a text is written such that nothing in it is a command.
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
