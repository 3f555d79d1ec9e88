//! The arguments of commands for shells, man pages and agents.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

use super::ServerArgs;

/// `assay completions`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  assay completions bash > ~/.local/share/bash-completion/completions/assay\n  \
assay completions zsh > ~/.zfunc/_assay\n  assay completions fish > ~/.config/fish/completions/assay.fish"
)]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    pub shell: Shell,
}

/// `assay man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// The output folder; it is created if it does not exist.
    #[arg(long, value_name = "DIR", default_value = "man")]
    pub output: PathBuf,
}

/// `assay mcp`.
#[derive(Debug, Args)]
#[command(
    after_help = "The agent starts this command; docs/agents.md has the configuration for each agent.\n\n\
Example:\n  ASSAY_URL=https://assay.example.com ASSAY_API_KEY=sk_service_… assay mcp"
)]
pub struct McpArgs {
    /// The service.
    #[command(flatten)]
    pub server: ServerArgs,
}
