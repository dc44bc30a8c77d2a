"""The package as it is installed, without Node and without a network, has all of its pages."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
#: Every page with every file that it names, and every file that those load.
_OPENS: Final = """
import re, socket, sys
def connect(*_):
    raise AssertionError("nothing is asked of any network")
socket.socket.connect = socket.socket.connect_ex = connect
import softrail
from pathlib import Path
assert Path(softrail.__file__).is_relative_to(sys.argv[1]), softrail.__file__
from starlette.testclient import TestClient
from softrail import Settings, build
from softrail.api import create_app
from softrail.store import MemoryStore
settings = Settings(database_url="sqlite://", docs=True)
app = create_app(build(settings, store=MemoryStore(), discover=False), settings)
seen, todo = set(), ["/", "/inspect", "/docs", "/ui/chat.js", "/ui/client.js"]
with TestClient(app, base_url="http://localhost", client=("127.0.0.1", 50000)) as client:
    while todo:
        path = todo.pop()
        if path in seen:
            continue
        seen.add(path)
        answer = client.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        named = re.findall(r'(?:src|href)="(ui/[^"]+)"', answer.text) if path in ("/", "/inspect", "/docs") else []
        loaded = re.findall(r'(?:from |import |import\\()"(\\.{1,2}/[^"]+)"', answer.text)
        todo += [f"/{one}" for one in named] + [str(answer.url.join(one).path) for one in loaded]
print(len(seen), "files")
"""


def test_the_package_alone_serves_every_page_and_every_file_of_it(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    alone = {"PATH": "", "HOME": str(tmp_path)}
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, env={**os.environ, **alone})
    [wheel] = tmp_path.glob("*.whl")
    installed = tmp_path / "installed"
    zipfile.ZipFile(wheel).extractall(installed)

    env = {"PYTHONPATH": str(installed), "SYSTEMROOT": os.environ.get("SYSTEMROOT", ""), **alone}
    opened = subprocess.run(
        [sys.executable, "-c", _OPENS, str(installed)],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert opened.returncode == 0, opened.stderr
    assert int(opened.stdout.split()[0]) > 20
