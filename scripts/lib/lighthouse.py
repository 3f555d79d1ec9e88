"""Runs Lighthouse, and other programs that start a browser."""

import contextlib
import os
import signal
import subprocess

CHROME_FLAGS = "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage"
# A page that takes longer, on a machine with nothing else to do, does not end.
TIMEOUT_S = 600
GRACE_S = 20


def install_lighthouse(folder):
    command = ["npm", "install", "--prefix", folder, "--silent", "--no-audit", "--no-fund", "lighthouse@13"]
    subprocess.run(command, check=True)
    return os.path.join(folder, "node_modules", "lighthouse", "cli", "index.js")


def run(command, what):
    """Runs a program to its end; ends it, and with it the browser that it started, if it takes too long."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        try:
            _, errors = process.communicate(timeout=TIMEOUT_S)
        except BaseException:
            # Lighthouse ends its browser when it is interrupted, and not when it is killed.
            process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=GRACE_S)
            process.kill()
            raise
    if process.returncode != 0:
        raise RuntimeError(f"{what}: exit {process.returncode}: {errors.strip()[-500:]}")
