"""Installs packages of npm as folders of files."""

import os
import pathlib
import subprocess
import tarfile
import tempfile


def install(package, folder):
    """Unpacks a package of npm into a folder."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        command = ["npm", "pack", "--silent", "--pack-destination", scratch, package]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        (archive,) = pathlib.Path(scratch).glob("*.tgz")
        with tarfile.open(archive) as packed:
            packed.extractall(pathlib.Path(scratch, "unpacked"), filter="data")
        (root,) = pathlib.Path(scratch, "unpacked").iterdir()
        os.rename(root, folder)
