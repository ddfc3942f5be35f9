"""Makes an image that `docker load` and `podman load` take, with all that a Containerfile would say, out of the files of
its only layer:

    image.py LAYER.tar MACHINE VERSION OUT.tar.gz
"""

import gzip
import hashlib
import io
import json
import os
import sys
import tarfile

SECOND = 10**9
# As in Containerfile.
CONFIG = {
    "User": "1000:1000", "WorkingDir": "/work", "Env": ["PATH=/usr/bin"], "ExposedPorts": {"8000/tcp": {}},
    "Entrypoint": ["dodona"], "Cmd": ["serve", "--listen", "0.0.0.0:8000"],
    "Healthcheck": {"Test": ["CMD", "dodona", "serve", "--check"], "Interval": 30 * SECOND, "Timeout": 10 * SECOND,
                    "StartPeriod": 10 * SECOND, "Retries": 3},
}


def main(layer, machine, version, out):
    with open(layer, "rb") as file:
        data = file.read()
    image = json.dumps({
        "architecture": machine, "os": "linux", "created": "1970-01-01T00:00:00Z", "config": CONFIG,
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(data).hexdigest()]},
        "history": [{"created": "1970-01-01T00:00:00Z", "created_by": "scripts/image.sh"}]}).encode()
    name = hashlib.sha256(image).hexdigest() + ".json"
    manifest = json.dumps([{"Config": name, "RepoTags": [f"dodona:{version}", "dodona:latest"],
                            "Layers": ["layer.tar"]}]).encode()
    with open(out + ".new", "wb") as file, gzip.GzipFile("", "wb", 6, file, 0) as packed, \
            tarfile.open(fileobj=packed, mode="w|") as archive:
        for path, content in (("manifest.json", manifest), (name, image), ("layer.tar", data)):
            entry = tarfile.TarInfo(path)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    os.replace(out + ".new", out)


if __name__ == "__main__":
    main(*sys.argv[1:])
