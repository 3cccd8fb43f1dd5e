"""sinew.Video: pictures piped to ffmpeg."""

import os
import pathlib
import shutil
import subprocess
import tempfile
from types import TracebackType
from typing import IO, Dict, List, Optional, Tuple, Type, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._engine import Camera, Simulation, SimulationError
from .objects import _wrong

_EVEN = "pad=ceil(iw/2)*2:ceil(ih/2)*2"  # the formats halve the resolution of colours
_GIF = "split[a][b];[a]palettegen[p];[b][p]paletteuse"
_FORMATS: Dict[str, List[str]] = {
    ".mp4": ["-vf", _EVEN, "-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart"],
    ".webm": ["-vf", _EVEN, "-c:v", "libvpx-vp9", "-crf", "28", "-b:v", "0", "-pix_fmt", "yuv420p"],
    ".gif": ["-vf", _GIF],
}


def _failure(text: str, code: str) -> SimulationError:
    error = SimulationError(text)
    error.code = code
    return error


class Video:
    """Writes a video through ffmpeg, whose format is that of the extension: .mp4, .webm or .gif.

    It is a context manager. The file appears when it ends; an exception inside leaves no file. size is (width, height),
    by default that of the first picture, or 960 x 720 for pictures of simulations. Raises SimulationError without
    ffmpeg.
    """

    def __init__(self, path: Union[str, "os.PathLike[str]"], fps: float = 30,
                 size: Optional[Tuple[int, int]] = None) -> None:
        self._path = pathlib.Path(path)
        if self._path.suffix not in _FORMATS:
            raise _wrong(f'{path}: found "{self._path.suffix}", expected one of: {", ".join(_FORMATS)}')
        if not self._path.parent.is_dir():
            raise _wrong(f"{path}: expected a folder that exists, found no {self._path.parent}")
        if not 0 < fps <= 1000:
            raise _wrong(f"fps: found {fps}, expected a number above 0, at most 1000")
        if size is not None and (len(size) != 2 or min(size) < 1):
            raise _wrong(f"size: found {size}, expected (width, height) in pixels")
        program = shutil.which("ffmpeg")
        if program is None:
            raise _failure("video: found no program ffmpeg on the PATH; install Debian's package ffmpeg", "E-program")
        self._program, self._fps, self._size = program, fps, size
        self._camera: Optional[Camera] = None
        self._process: Optional["subprocess.Popen[bytes]"] = None
        self._messages: Optional[IO[bytes]] = None
        self._temporary: Optional[pathlib.Path] = None
        self._closed = False

    def add(self, what: Union[Simulation, ArrayLike], camera: Optional[Camera] = None,
            field: Optional[ArrayLike] = None, range: Optional[Tuple[float, float]] = None) -> None:
        """Adds an image (height, width, 3) of 8-bit colours, or the present picture of a simulation.

        camera, field and range are those of Simulation.render(). Without a camera, all pictures have that of
        Camera.fit() at the first one.
        """
        if self._closed:
            raise _wrong(f"{self._path}: this video is finished; make another with sinew.Video(...)")
        if isinstance(what, Simulation):
            width, height = self._size or (960, 720)
            if camera is None:
                if self._camera is None:
                    self._camera = Camera.fit(what, aspect=width / height)
                camera = self._camera
            image = what.render(width, height, camera, field, range)
        else:
            if camera is not None or field is not None or range is not None:
                raise _wrong("video: camera, field and range are for simulations, found an image")
            image = self._checked(what)
        self._write(image)

    def _checked(self, what: ArrayLike) -> NDArray[np.uint8]:
        image = np.asarray(what)
        if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3 or image.size == 0:
            raise _wrong(f"video: found an image {image.shape} of {image.dtype}, expected (height, width, 3) of uint8")
        return image

    def _write(self, image: NDArray[np.uint8]) -> None:
        height, width = image.shape[:2]
        if self._size is None:
            self._size = (width, height)
        if (width, height) != tuple(self._size):
            raise _wrong(f"video: found an image of {width} x {height} pixels, expected {self._size[0]} x {self._size[1]}")
        process = self._process or self._start()
        assert process.stdin is not None
        try:
            process.stdin.write(np.ascontiguousarray(image).tobytes())
        except BrokenPipeError:
            self._end(keep=True)

    def _start(self) -> "subprocess.Popen[bytes]":
        assert self._size is not None
        handle, name = tempfile.mkstemp(suffix=self._path.suffix, prefix=".sinew-", dir=self._path.parent)
        os.close(handle)
        self._temporary = pathlib.Path(name)
        self._messages = tempfile.TemporaryFile()
        width, height = self._size
        command = [
            self._program, "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}",
            "-r", str(self._fps), "-i", "-", *_FORMATS[self._path.suffix], "-fflags", "+bitexact", "-flags:v",
            "+bitexact", name
        ]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                         stderr=self._messages)
        return self._process

    def close(self) -> None:
        """Finishes the file. Raises InputError if it has no picture, and SimulationError if ffmpeg fails."""
        if self._closed:
            return
        if self._process is None:
            self._closed = True
            raise _wrong(f"{self._path}: found no pictures, expected at least one; add some with add()")
        self._end(keep=True)

    def _end(self, keep: bool) -> None:
        self._closed = True
        process, temporary, messages = self._process, self._temporary, self._messages
        if process is None or temporary is None or messages is None:
            return
        assert process.stdin is not None
        try:
            process.stdin.close()
        except BrokenPipeError:
            pass
        failed = process.wait() != 0
        messages.seek(0)
        text = messages.read().decode(errors="replace").strip()
        messages.close()
        if keep and not failed:
            temporary.chmod(0o666 & ~_umask())
            temporary.replace(self._path)
            return
        temporary.unlink()
        if keep:
            raise _failure(f"{self._path}: ffmpeg failed: {text or process.returncode}", "E-output-write")

    def __enter__(self) -> "Video":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 traceback: Optional[TracebackType]) -> None:
        if kind is None:
            self.close()
        else:
            self._end(keep=False)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
