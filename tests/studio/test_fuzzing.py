"""Requests that a machine makes up from the API's document: none may bring the server down. Needs schemathesis."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from studio.conftest import Client

FUZZER = shutil.which("schemathesis", path=str(Path(sys.executable).parent))
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(FUZZER is None, reason="pip install schemathesis, to try requests that it makes up"),
]


def test_no_request_is_a_fault_of_the_server(client: Client) -> None:
    assert FUZZER is not None
    address = f"http://127.0.0.1:{client.port}/api/openapi.json"
    how = ["--checks", "not_a_server_error", "--max-examples", "12", "--phases", "fuzzing", "--seed", "1"]
    how += ["--exclude-path", "/api/demo"]  # it would train
    done = subprocess.run([FUZZER, "run", address, *how], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
    assert client.ask("/api/health").status == 200
