# The formula of a release: scripts/release replaces what stands between @ signs.
class Assay < Formula
  desc "Audits websites in six dimensions and lists what to fix first"
  homepage "https://github.com/your-org/assay"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@RELEASES@/download/v@VERSION@/assay-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256 assay-aarch64-apple-darwin.tar.gz@"
    end
    on_intel do
      url "@RELEASES@/download/v@VERSION@/assay-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256 assay-x86_64-apple-darwin.tar.gz@"
    end
  end

  on_linux do
    on_arm do
      url "@RELEASES@/download/v@VERSION@/assay-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256 assay-aarch64-unknown-linux-musl.tar.gz@"
    end
    on_intel do
      url "@RELEASES@/download/v@VERSION@/assay-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256 assay-x86_64-unknown-linux-musl.tar.gz@"
    end
  end

  def install
    bin.install "assay"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/assay.bash" => "assay"
    zsh_completion.install "completions/_assay"
    fish_completion.install "completions/assay.fish"
  end

  service do
    run [opt_bin/"assay", "serve", "--data-dir", var/"assay"]
    keep_alive successful_exit: false
    working_dir var
    log_path var/"log/assay.log"
    error_log_path var/"log/assay.log"
  end

  test do
    assert_match "assay #{version}", shell_output("#{bin}/assay --version")
    assert_match "image-alt", shell_output("#{bin}/assay checks image-alt")
  end
end
