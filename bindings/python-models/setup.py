"""What pyproject.toml cannot say: the models, unpacked, since they are mapped from their files."""

import lzma
import os
import pathlib
import shutil

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = pathlib.Path(__file__).resolve().parent
PACKED = HERE / "models" if (HERE / "models").is_dir() else HERE.parent.parent / "models"


def chosen():
    """Those of the languages in $LANGUAGES, or all but English, which comes with the package dodona."""
    found = {path.name.partition(".")[0]: path for path in sorted(PACKED.glob("*.dodona.xz"))
             if not path.name.startswith("english")}
    wanted = os.environ.get("LANGUAGES", "").split() or list(found)
    missing = [language for language in wanted if language not in found]
    if missing or not wanted:
        raise SystemExit(f"{PACKED}: there is no model of {', '.join(missing) or 'any language'}")
    return [found[language] for language in wanted]


class WithModels(build_py):
    def run(self):
        super().run()
        folder = pathlib.Path(self.build_lib) / "dodona_models"
        for left in folder.glob("*.dodona"):  # by an earlier build, for other languages
            left.unlink()
        for packed in chosen():
            (folder / packed.stem).write_bytes(lzma.decompress(packed.read_bytes()))


class SourceArchive(sdist):
    """Takes the packed models along, which stand outside of this folder."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        folder = pathlib.Path(base_dir) / "models"
        folder.mkdir(exist_ok=True)
        for packed in chosen():
            shutil.copy2(packed, folder)


setup(cmdclass={"build_py": WithModels, "sdist": SourceArchive})
