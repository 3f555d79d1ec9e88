"""What a release has once, for all targets: bill of materials, formula, installer, checksums."""

import hashlib
import re
import shutil

from release import names, sbom


def sha256(path):
    """The checksum of a file."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def formula(output):
    """The formula for Homebrew with the checksums of the archives. An archive that is not there keeps its placeholder."""
    text = (names.ROOT / "packaging/homebrew/assay.rb").read_text().split("\n", 1)[1]
    text = text.replace("@VERSION@", names.version()).replace("@RELEASES@", f"{names.REPOSITORY}/releases")
    archives = {path.name: path for path in output.glob("assay-*.tar.gz")}
    put = lambda found: sha256(archives[found[1]]) if found[1] in archives else found[0]
    return re.sub(r"@SHA256 (\S+)@", put, text)


def finish(output):
    """Adds these files to the archives and packages in the output folder."""
    sbom.write(output / names.SBOM)
    (output / names.FORMULA).write_text(formula(output))
    shutil.copy(names.ROOT / "packaging/install.sh", output / names.INSTALLER)
    files = sorted(path for path in output.iterdir() if path.is_file() and not path.name.startswith(names.SUMS))
    (output / names.SUMS).write_text("".join(f"{sha256(path)}  {path.name}\n" for path in files))
