"""The process boundary: what may cross between the grader and the process that runs a student's code.

One frame is ``magic, header length, payload length, header, payload``. The header is JSON ``[tree, arrays]``:
the value as tagged lists, and for each array its dtype and shape; the payload is the arrays' bytes, one after
the other. Nothing is ever unpickled. Sizes, dtypes, shapes and depth are checked before anything is allocated
for them, and whatever is wrong with a frame raises :class:`WireError` and nothing else.

The file needs only the standard library and NumPy: it is copied beside ``worker.py`` into the sandbox.
"""

from __future__ import annotations

import json
import math
import os
import re
import struct
import sys
from collections.abc import Callable, Iterator

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fractions import Fraction
    from typing import Any

HEAD = struct.Struct("<4sIQ")
MAGIC = b"mln1"
MAX_HEADER = 4 << 20
MAX_PAYLOAD = 64 << 20
MAX_TEXT = 64 << 10
MAX_BITS = 4096
MAX_DEPTH = 8  # of a value
MAX_NODES = 200_000
MAX_ARRAYS = 1_000
MAX_NDIM = 8

REQUEST = 4  # a request may hold several values that each just fitted into a reply: it has more room
_DTYPE = re.compile(r"\|b1|[<|][iu]1|<[iu][248]|<f[248]|<U[1-9][0-9]{0,4}")


class WireError(ValueError):
    """A value that may not cross, or a frame that is not one."""


class Reference:
    """An object that stays on its side of the process boundary, and its name there.

    ``kind`` is "instance" (an object that the student's class constructed), "student" (a function or class
    that the student wrote) or "callback" (a function of the grader, which the student may call).
    """

    __slots__ = ("key", "kind")

    def __init__(self, kind: str, key: int | str) -> None:
        self.kind, self.key = kind, key


Refer = Callable[["Any"], "Reference | None"]
Resolve = Callable[[Reference], "Any"]


def pack(value: Any, refer: Refer | None = None, *, room: int = 1) -> bytes:
    """Return the frame of `value`.

    Parameters
    ----------
    value : object
        None, bool, int, float, str, Fraction, list, tuple, dict with str keys, ndarray of kind b, i, u, f, U;
        NumPy scalars and arrays of fractions are sent as what they hold.
    refer : callable, optional
        Returns the :class:`Reference` that stands for any other object, or None if it may not cross.
    room : int
        Factor on what a reply may hold: 1, or ``REQUEST``.

    Raises
    ------
    WireError
        If a part of `value` is of another kind, too large or too deep.
    """
    return _Packer(refer, room).frame(value)


class _Packer:
    """The arrays met while one value is turned into its tree."""

    def __init__(self, refer: Refer | None, room: int) -> None:
        self.refer, self.room = refer, room
        self.arrays: list[np.ndarray] = []
        self.nodes = 0
        self.bytes = 0

    def frame(self, value: Any) -> bytes:
        tree = self.tree(value, _depth(self.room))
        described = [[a.dtype.str, list(a.shape)] for a in self.arrays]
        header = _ENCODER.encode([tree, described]).encode()
        if len(header) > MAX_HEADER * self.room:
            raise WireError(f"a value of {len(header)} bytes of text is too large; {MAX_HEADER} may cross")
        payload = [a.tobytes() for a in self.arrays]
        return b"".join([HEAD.pack(MAGIC, len(header), self.bytes), header, *payload])

    def tree(self, value: Any, depth: int) -> Any:
        self.nodes += 1
        if self.nodes > MAX_NODES * self.room:
            raise WireError(f"more than {MAX_NODES} items in lists: use an array")
        if depth < 0:
            raise WireError(f"lists or dicts nested deeper than {MAX_DEPTH}")
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, float):
            return float(value) if math.isfinite(value) else ["n", str(float(value))]
        if isinstance(value, np.ndarray):
            return self.array(np.asarray(value), depth)
        if isinstance(value, (list, tuple, range)):
            return ["t" if isinstance(value, tuple) else "l", [self.tree(item, depth - 1) for item in value]]
        if isinstance(value, np.generic):
            return self.scalar(value, depth)
        if isinstance(value, int):
            value = int(value)
            return value if abs(value) < 2**53 else ["i", _hex(value)]
        if isinstance(value, str):
            return _text(value)
        if isinstance(value, dict):
            if not all(isinstance(key, str) for key in value):
                raise WireError("the keys of a dict must be strings")
            return ["d", [[_text(key), self.tree(item, depth - 1)] for key, item in value.items()]]
        fractions = sys.modules.get("fractions")  # slow to load: where it is not, nothing is a fraction
        if fractions is not None and isinstance(value, fractions.Fraction):
            return ["q", _hex(value.numerator), _hex(value.denominator)]
        reference = value if isinstance(value, Reference) else self.refer(value) if self.refer else None
        if reference is None:
            raise WireError(f"an object of type {type(value).__name__} is not a plain value or array")
        return ["r", reference.kind, reference.key]

    def scalar(self, value: np.generic, depth: int) -> Any:
        if value.dtype.kind not in "biufU":
            raise WireError(f"a NumPy scalar of type {value.dtype} cannot be sent")
        return self.tree(float(value) if value.dtype.kind == "f" else value.item(), depth)

    def array(self, value: np.ndarray, depth: int) -> Any:
        if value.dtype.kind == "O":
            return self.tree(value.tolist(), depth)
        if value.dtype.kind not in "biufU":
            raise WireError(
                f"an array of type {value.dtype} cannot be sent: real numbers, booleans or strings can"
            )
        if value.dtype.kind == "f" and value.dtype.itemsize > 8:
            value = value.astype(np.float64)
        if value.dtype.kind == "U" and value.dtype.itemsize == 0:
            value = value.astype("<U1")
        if not value.flags.c_contiguous:
            value = np.ascontiguousarray(value).reshape(value.shape)  # a 0-d array stays one
        value = value.astype(value.dtype.newbyteorder("<"), copy=False)
        self.bytes += value.nbytes
        if self.bytes > MAX_PAYLOAD * self.room or len(self.arrays) == MAX_ARRAYS * self.room:
            raise WireError(f"arrays of more than {MAX_PAYLOAD >> 20} MiB, or more than {MAX_ARRAYS} of them")
        if value.ndim > MAX_NDIM or not _DTYPE.fullmatch(value.dtype.str):
            raise WireError(f"an array of type {value.dtype} with {value.ndim} dimensions is too large")
        self.arrays.append(value)
        return ["a", len(self.arrays) - 1]


def _depth(room: int) -> int:
    return MAX_DEPTH + (1 if room == 1 else 4)  # the levels of the message around a value


def _hex(value: int) -> str:
    if value.bit_length() > MAX_BITS:
        raise WireError(f"an integer of {value.bit_length()} bits is too large; {MAX_BITS} may cross")
    return f"{value:x}"


def _text(value: str) -> str:
    if len(value) > MAX_TEXT:
        raise WireError(f"a string of {len(value)} characters is too long; {MAX_TEXT} may cross")
    return str(value)


def unpack(
    header: bytes, payload: bytes | bytearray, resolve: Resolve | None = None, *, room: int = 1
) -> Any:
    """Return the value of a frame whose lengths :func:`lengths` accepted.

    `resolve` returns the object that a :class:`Reference` stands for; without it references are refused.

    Raises
    ------
    WireError
        If anything in the frame is not as :func:`pack` writes it.
    """
    try:
        tree, described = _DECODER.decode(header.decode("ascii"))
    except WireError:
        raise
    except (ValueError, TypeError, RecursionError):
        raise WireError("the header of a frame is not what the protocol says") from None
    return _Unpacker(_arrays(described, payload, room), resolve, room).value(tree, _depth(room))


def _small(digits: str) -> int:
    if len(digits) > 17:
        raise WireError("an integer in a header is too long")
    return int(digits)


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise WireError("a number in a header is out of range")
    return value


def _constant(name: str) -> Any:
    raise WireError(f"{name} may not stand in a header")


_ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False)
_DECODER = json.JSONDecoder(parse_int=_small, parse_float=_finite, parse_constant=_constant)


def _arrays(described: Any, payload: bytes | bytearray, room: int) -> Iterator[np.ndarray]:
    if not isinstance(described, list) or len(described) > MAX_ARRAYS * room:
        raise WireError("a frame lists too many arrays")
    sizes = [_size(item) for item in described]
    if sum(size for _, _, size in sizes) != len(payload):
        raise WireError("the arrays of a frame do not fill its payload")
    view, start = memoryview(payload), 0
    for dtype, shape, size in sizes:
        array = np.frombuffer(view[start : start + size], dtype).reshape(shape).copy()
        _check_bits(array)
        yield array
        start += size


def _size(item: Any) -> tuple[np.dtype, tuple[int, ...], int]:
    if not (
        isinstance(item, list) and len(item) == 2 and isinstance(item[0], str) and isinstance(item[1], list)
    ):
        raise WireError("an array is not described as the protocol says")
    name, shape = item
    if not _DTYPE.fullmatch(name):
        raise WireError("an array has a type that may not cross")
    if len(shape) > MAX_NDIM or not all(type(n) is int and n >= 0 for n in shape):
        raise WireError("an array has a shape that is none")
    if math.prod(max(n, 1) for n in shape) > MAX_PAYLOAD:  # NumPy refuses it even where nothing is in it
        raise WireError("an array has a shape that is none")
    dtype = np.dtype(name)
    return dtype, tuple(shape), math.prod(shape) * dtype.itemsize


def _check_bits(array: np.ndarray) -> None:
    """Refuse bytes that are no value of the dtype: NumPy takes them as they are and misbehaves later."""
    if array.dtype.kind == "b" and array.size and array.view(np.uint8).max() > 1:
        raise WireError("a boolean array holds something else than 0 and 1")
    if array.dtype.kind == "U" and array.size:
        points = np.ascontiguousarray(array).reshape(-1).view(np.uint32)
        if points.max() > 0x10FFFF or ((points >= 0xD800) & (points < 0xE000)).any():
            raise WireError("a string array holds something else than characters")


class _Unpacker:
    """The arrays of one frame, each to be used once, and the number of nodes still allowed."""

    def __init__(self, arrays: Iterator[np.ndarray], resolve: Resolve | None, room: int) -> None:
        self.arrays = dict(enumerate(arrays))
        self.resolve, self.room = resolve, room
        self.nodes = 0

    def value(self, tree: Any, depth: int) -> Any:
        self.nodes += 1
        if self.nodes > MAX_NODES * self.room or depth < 0:
            raise WireError("a value has too many items or is nested too deeply")
        if tree is None or isinstance(tree, (bool, int, float)):
            return tree
        if isinstance(tree, str):
            return _clean(tree)
        if not isinstance(tree, list) or len(tree) not in (2, 3) or not isinstance(tree[0], str):
            raise WireError("a value is not written as the protocol says")
        return self.tagged(tree[0], tree[1:], depth)

    def tagged(self, tag: str, rest: list[Any], depth: int) -> Any:
        if tag in ("q", "r") and len(rest) == 2:
            return _fraction(*rest) if tag == "q" else self.reference(*rest)
        if len(rest) == 1:
            body = rest[0]
            if tag in ("l", "t") and isinstance(body, list):
                items = [self.value(item, depth - 1) for item in body]
                return items if tag == "l" else tuple(items)
            if tag == "d" and isinstance(body, list):
                return dict(self.pair(item, depth - 1) for item in body)
            if tag == "a" and type(body) is int and body in self.arrays:
                return self.arrays.pop(body)  # each array once: a list of one array repeated would explode
            if tag == "i":
                return _from_hex(body)
            if tag == "n" and body in ("nan", "inf", "-inf"):
                return float(body)
        raise WireError("a value is not written as the protocol says")

    def pair(self, item: Any, depth: int) -> tuple[str, Any]:
        if not (isinstance(item, list) and len(item) == 2 and isinstance(item[0], str)):
            raise WireError("a dict is not written as the protocol says")
        return _clean(item[0]), self.value(item[1], depth)

    def reference(self, kind: Any, key: Any) -> Any:
        if self.resolve is None or not isinstance(kind, str) or type(key) not in (int, str):
            raise WireError("a reference is not allowed here")
        return self.resolve(Reference(kind, key))


def _clean(text: str) -> str:
    if len(text) > MAX_TEXT:
        raise WireError("a string is too long")
    return text.encode("utf-8", "replace").decode()  # lone surrogates could not be written to a report


def _from_hex(digits: Any) -> int:
    if not isinstance(digits, str) or not re.fullmatch(f"-?[0-9a-f]{{1,{MAX_BITS // 4}}}", digits):
        raise WireError("an integer is not written as the protocol says")
    return int(digits, 16)


def _fraction(numerator: Any, denominator: Any) -> Fraction:
    from fractions import Fraction

    above, below = _from_hex(numerator), _from_hex(denominator)
    if below < 1:
        raise WireError("a fraction has no positive denominator")
    return Fraction(above, below)


def lengths(head: bytes | bytearray | memoryview, *, room: int = 1) -> tuple[int, int]:
    """Return the lengths of header and payload that the first bytes of a frame announce.

    Raises
    ------
    WireError
        If they are no start of a frame, or announce more than may cross.
    """
    magic, header, payload = HEAD.unpack_from(head)
    if magic != MAGIC:
        raise WireError("what came is not a frame of the protocol")
    if header > MAX_HEADER * room or payload > MAX_PAYLOAD * room:
        raise WireError("a frame announces more than may cross")
    return header, payload


class Reader:
    """Frames out of a stream in pieces; the memory held grows with what came, not with what is announced."""

    def __init__(self, room: int = 1) -> None:
        self.buffer, self.room = bytearray(), room

    def feed(self, piece: bytes) -> None:
        """Add what arrived."""
        self.buffer += piece

    def next(self, resolve: Resolve | None = None) -> tuple[Any] | None:
        """Return ``(value,)`` of the first complete frame and forget its bytes; None if there is none yet.

        Raises
        ------
        WireError
            If the stream is not one of frames; it cannot be read further then.
        """
        if len(self.buffer) < HEAD.size:
            return None
        header, payload = lengths(self.buffer, room=self.room)
        end = HEAD.size + header + payload
        if len(self.buffer) < end:
            return None
        text, data = bytes(self.buffer[HEAD.size : HEAD.size + header]), self.buffer[HEAD.size + header : end]
        del self.buffer[:end]
        return (unpack(text, data, resolve, room=self.room),)


def receive(descriptor: int, resolve: Resolve | None = None) -> Any:
    """Read one request from a blocking file descriptor (the worker's side).

    Raises
    ------
    EOFError
        If the other side is gone.
    WireError
        If what came is not a frame.
    """
    header, payload = lengths(_exactly(descriptor, HEAD.size), room=REQUEST)
    return unpack(bytes(_exactly(descriptor, header)), _exactly(descriptor, payload), resolve, room=REQUEST)


def _exactly(descriptor: int, size: int) -> bytearray:
    parts = bytearray()
    while len(parts) < size:
        piece = os.read(descriptor, min(size - len(parts), 1 << 20))
        if not piece:
            raise EOFError("the other side is gone")
        parts += piece
    return parts
