//! What is written where: data to the standard output, everything else to the standard error.

use std::io::{self, IsTerminal, Write};

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

/// Writes data to the standard output. A reader that has gone away, as in `assay … | head`, is no
/// error.
///
/// # Errors
/// When the standard output cannot be written.
pub fn write_data(text: &str) -> io::Result<()> {
    write_bytes(text.as_bytes())
}

/// As [`write_data`], for data that is no text.
pub(crate) fn write_bytes(data: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(data).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Writes a line for the person watching, to the standard error.
pub fn write_note(text: &str) {
    // There is nowhere left to report a broken standard error to.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Writes an error: `error: …`, or `error[code]: …`.
pub fn print_error(code: Option<&str>, message: &str) {
    let message: String = message
        .chars()
        .map(|c| if c.is_control() && c != '\n' { ' ' } else { c })
        .collect();
    match code {
        Some(code) => write_note(&format!("error[{code}]: {message}")),
        None => write_note(&format!("error: {message}")),
    }
}
