"""A folder as the kubelet mounts a Secret or a ConfigMap into a pod."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from itertools import count
from pathlib import Path


class MountedFolder:
    """Its files are symbolic links through `..data`, which is replaced in one step."""

    def __init__(self, path: Path, files: Mapping[str, bytes]) -> None:
        self.path = path
        self._numbers = count()
        path.mkdir(parents=True)
        self.replace(files)
        for name in files:
            (path / name).symlink_to(f"..data/{name}")

    def replace(self, files: Mapping[str, bytes]) -> None:
        """Swaps the content of all files at once. The names stay the same."""
        data = self.path / "..data"
        old = data.resolve() if data.is_symlink() else None
        new = self.path / f"..{next(self._numbers)}"
        new.mkdir()
        for name, content in files.items():
            (new / name).write_bytes(content)
        link = self.path / "..data_tmp"
        link.symlink_to(new.name)
        link.replace(data)
        if old:
            shutil.rmtree(old)
