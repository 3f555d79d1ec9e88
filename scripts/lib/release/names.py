"""Names and versions that all parts of a release share."""

import os
import pathlib
import platform
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
REPOSITORY = "https://github.com/your-org/assay"
SUMS = "SHA256SUMS"
SBOM = "assay.cdx.json"
FORMULA = "assay.rb"
INSTALLER = "install.sh"
# What a release has for each of them, in the matrix of .github/workflows/release.yml.
TARGETS = [
    "x86_64-unknown-linux-gnu",
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-gnu",
    "aarch64-unknown-linux-musl",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
]
# What Debian calls the architecture of a target; other targets have no package.
DEBIAN = {"x86_64-unknown-linux-gnu": "amd64", "aarch64-unknown-linux-gnu": "arm64"}


def version():
    """The version of the workspace."""
    return re.search(r'^version = "(.+)"$', (ROOT / "Cargo.toml").read_text(), re.M).group(1)


def commit_time():
    """The time of the commit, which all files of a release have, so that a second build has the same bytes."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return int(os.environ["SOURCE_DATE_EPOCH"])
    return int(subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, check=True, capture_output=True, text=True).stdout)


def archive_name(target):
    """The name of the archive for a target."""
    return f"assay-{target}.tar.gz"


def host():
    """The target triple of this machine."""
    machine = {"arm64": "aarch64", "AMD64": "x86_64"}.get(platform.machine(), platform.machine())
    return f"{machine}-apple-darwin" if sys.platform == "darwin" else f"{machine}-unknown-linux-gnu"
