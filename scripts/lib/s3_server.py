"""s3s-fs on loopback: S3-compatible storage for tests, whose objects are files."""

import socket
import subprocess

from faults import free_port, until

VERSION = "0.14.1"
KEY_ID, SECRET = "test-key-id", "test-secret-access-key"


def install(folder):
    """Installs s3s-fs with cargo below a folder, and returns the program. It takes about two minutes of processor time."""
    subprocess.run(["cargo", "install", "s3s-fs", "--version", VERSION, "--features", "binary", "--debug", "--locked",
                    "--root", str(folder)], check=True)
    return folder / "bin" / "s3s-fs"


class S3Server:
    """s3s-fs on a folder and a fixed port, so that it can be stopped and started again."""

    def __init__(self, program, folder, bucket):
        self.program, self.folder, self.bucket, self.port = str(program), folder, bucket, free_port()
        (folder / bucket).mkdir(parents=True)
        self.process = None

    def start(self):
        command = [self.program, "--host", "127.0.0.1", "--port", str(self.port), "--access-key", KEY_ID,
                   "--secret-key", SECRET, str(self.folder)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(self.listens, 60, "s3s-fs starts")

    def listens(self):
        with socket.socket() as one:
            return one.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def objects(self):
        """The names of the objects of the bucket."""
        root = self.folder / self.bucket
        return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file() and not path.name.startswith("."))
