# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles the module and rankscope-batch with CMake, for the wheel.

RANKSCOPE_BUILD_FOLDER names a build folder that has both already (-DRANKSCOPE_PYTHON=ON): then nothing is compiled.
"""
import os
import pathlib
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILT = os.environ.get("RANKSCOPE_BUILD_FOLDER")


def version():
    """That of the project."""
    return re.search(r"project\(rankscope VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


class BuildWithCMake(build_ext):
    def run(self):
        folder = BUILT or str(pathlib.Path(self.build_temp).resolve())
        if not BUILT:
            subprocess.run(
                ["cmake", "-S", str(ROOT), "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DRANKSCOPE_PYTHON=ON",
                 "-DRANKSCOPE_WINDOW=OFF", "-DRANKSCOPE_TESTS=OFF", f"-DPython3_EXECUTABLE={sys.executable}"],
                check=True,
            )
            subprocess.run(["cmake", "--build", folder, "--target", "rankscope_python", "rankscope-batch"], check=True)
        prefix = str(ROOT / "packaging" / "python") if self.inplace else str(pathlib.Path(self.build_lib).resolve())
        for component in ("python", "python_libraries"):
            subprocess.run(["cmake", "--install", folder, "--component", component, "--prefix", prefix, "--strip"], check=True)


# What setuptools writes beside the sources otherwise goes there.
aside = os.path.join(BUILT, "packaging", "python", "wheel") if BUILT else None
if aside:
    os.makedirs(aside, exist_ok=True)
setup(
    version=version(),
    ext_modules=[Extension("rankscope._core", [])],
    cmdclass={"build_ext": BuildWithCMake},
    options={"build": {"build_base": aside}, "egg_info": {"egg_base": aside}} if aside else {},
)
