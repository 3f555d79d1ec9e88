#!/bin/sh
# Installs the released binary of Assay, with its man pages and shell completions, after verifying its checksum.
#
#   curl --proto '=https' --tlsv1.2 -fsSL https://github.com/your-org/assay/releases/latest/download/install.sh | sh
#   sh install.sh [--version v0.1.0] [--prefix DIR] [--target TRIPLE] [--binary-only]
#
# --prefix is /usr/local for root, else ~/.local. The environment variable ASSAY_RELEASES names another address of releases.
# If cosign is installed, the signature of the checksums is verified, too.
# Exit status: 0 installed · 1 refused, for example a wrong checksum · 2 wrong usage · 4 no release for this platform.
set -eu

# All of it is one function, so that a download that breaks off runs nothing.
main() {
  releases=${ASSAY_RELEASES:-https://github.com/your-org/assay/releases}
  identity=${ASSAY_IDENTITY:-https://github.com/your-org/assay/.github/workflows/release.yml@refs/tags/}
  version='' prefix='' target='' binary_only=''
  while [ $# -gt 0 ]; do
    case $1 in
      --version | --prefix | --target)
        [ $# -ge 2 ] || usage "$1 needs a value"
        case $1 in
          --version) version=$2 ;;
          --prefix) prefix=$2 ;;
          --target) target=$2 ;;
        esac
        shift 2
        ;;
      --binary-only) binary_only=yes && shift ;;
      *) usage "unknown argument: $1" ;;
    esac
  done
  case $version in
    '' | v[0-9]*) ;;
    *) usage "a version begins with v and a digit, for example v0.1.0" ;;
  esac
  [ -n "$prefix" ] || prefix=$(default_prefix)
  [ -n "$target" ] || target=$(host) || fail 4 "there is no binary for $(uname -s) on $(uname -m). Build it: cargo install --git https://github.com/your-org/assay --locked server"
  if [ -n "$version" ]; then from=$releases/download/$version; else from=$releases/latest/download; fi

  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  archive=assay-$target.tar.gz
  download "$from/SHA256SUMS" "$work/SHA256SUMS" || fail 4 "there is no release ${version:-yet} at $releases"
  verify_signature
  # The line of this archive alone, and exactly one.
  grep -E "^[0-9a-f]{64}  $archive\$" "$work/SHA256SUMS" > "$work/expected" || fail 4 "the release ${version:+$version }has no binary for $target"
  [ "$(wc -l < "$work/expected")" -eq 1 ] || fail 1 "SHA256SUMS has more than one line for $archive"
  download "$from/$archive" "$work/$archive" || fail 1 "$from/$archive could not be downloaded"
  (cd "$work" && sha256 expected) > /dev/null 2>&1 || fail 1 "the checksum of $archive is wrong; nothing was installed"
  mkdir "$work/unpacked"
  tar -xzf "$work/$archive" -C "$work/unpacked"
  "$work/unpacked/assay" --version > "$work/version" || fail 1 "the binary for $target does not run on this machine"
  put
  say "$(cat "$work/version") is installed: $prefix/bin/assay"
  case :$PATH: in
    *":$prefix/bin:"*) say "Begin with: assay audit https://example.com" ;;
    *) say "Add it to the PATH: export PATH=\"$prefix/bin:\$PATH\"" ;;
  esac
}

say() { printf '%s\n' "$*"; }

fail() {
  status=$1
  shift
  printf 'install.sh: %s\n' "$*" >&2
  exit "$status"
}

usage() { fail 2 "$1. Usage: sh install.sh [--version v0.1.0] [--prefix DIR] [--target TRIPLE] [--binary-only]"; }

default_prefix() {
  if [ "$(id -u)" -eq 0 ]; then say /usr/local; else say "$HOME/.local"; fi
}

# The target triple of this machine. The binary for glibc needs the version that it was built with, or a later one; the
# static one runs on every Linux.
host() {
  case $(uname -s)-$(uname -m) in
    Linux-x86_64 | Linux-amd64) say "x86_64-unknown-linux-$(libc)" ;;
    Linux-aarch64 | Linux-arm64) say "aarch64-unknown-linux-$(libc)" ;;
    Darwin-arm64) say aarch64-apple-darwin ;;
    Darwin-x86_64) say x86_64-apple-darwin ;;
    *) return 1 ;;
  esac
}

libc() {
  found=$(getconf GNU_LIBC_VERSION 2> /dev/null) || found=
  case $found in
    'glibc 2.'*) if [ "${found#glibc 2.}" -ge 35 ] 2> /dev/null; then say gnu; else say musl; fi ;;
    *) say musl ;;
  esac
}

download() {
  if command -v curl > /dev/null; then
    curl --fail --silent --show-error --location --retry 3 --max-time 300 --output "$2" "$1"
  elif command -v wget > /dev/null; then
    wget --quiet --tries=3 --output-document "$2" "$1"
  else
    fail 1 "curl or wget is needed"
  fi
}

sha256() {
  if command -v sha256sum > /dev/null; then sha256sum -c "$1"; else shasum -a 256 -c "$1"; fi
}

verify_signature() {
  command -v cosign > /dev/null || return 0
  download "$from/SHA256SUMS.sigstore.json" "$work/bundle" || fail 1 "the release has no signature"
  cosign verify-blob --bundle "$work/bundle" --certificate-oidc-issuer https://token.actions.githubusercontent.com \
    --certificate-identity-regexp "^$(say "$identity" | sed 's/[.]/\\./g')" "$work/SHA256SUMS" > /dev/null 2>&1 ||
    fail 1 "the signature of SHA256SUMS is wrong; nothing was installed"
}

# The binary is replaced at once, so that a running service keeps the old file.
put() {
  mkdir -p "$prefix/bin"
  cp "$work/unpacked/assay" "$prefix/bin/assay.new"
  chmod 755 "$prefix/bin/assay.new"
  mv -f "$prefix/bin/assay.new" "$prefix/bin/assay"
  [ -z "$binary_only" ] || return 0
  mkdir -p "$prefix/share/man/man1" "$prefix/share/bash-completion/completions" "$prefix/share/zsh/site-functions" \
    "$prefix/share/fish/vendor_completions.d"
  cp "$work"/unpacked/man/*.1 "$prefix/share/man/man1/"
  cp "$work/unpacked/completions/assay.bash" "$prefix/share/bash-completion/completions/assay"
  cp "$work/unpacked/completions/_assay" "$prefix/share/zsh/site-functions/_assay"
  cp "$work/unpacked/completions/assay.fish" "$prefix/share/fish/vendor_completions.d/assay.fish"
}

main "$@"
