"""What crosses the process boundary comes out as it went in; a frame raises a WireError or nothing."""

import json
import random
import struct
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlnotes.grading.protocol import wire

FRAMES = 20_000  # a million were run by hand: see the docstring of `mutated`


def unpacked(frame, room=1, resolve=None):
    header, payload = wire.lengths(frame, room=room)
    start = wire.HEAD.size
    assert len(frame) == start + header + payload
    return wire.unpack(frame[start : start + header], frame[start + header :], resolve, room=room)


def same(a, b):
    if isinstance(a, np.ndarray):
        return (
            isinstance(b, np.ndarray)
            and a.dtype == b.dtype
            and a.shape == b.shape
            and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
        )
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return type(b) is dict and a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    return type(a) is type(b) and (a == b or a != a)


def depth(value):
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return 1 + max(map(depth, inside)) if inside else 0


PLAIN = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**4000), 2**4000), st.floats(), st.fractions(),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=50),
)  # fmt: skip
ARRAYS = st.builds(
    lambda dtype, shape, seed: np.random.default_rng(seed).integers(0, 2, shape).astype(dtype),
    st.sampled_from(["b", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "U3"]),
    st.lists(st.integers(0, 4), max_size=4).map(tuple),
    st.integers(0, 99),
)
VALUES = st.recursive(
    PLAIN | ARRAYS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
).filter(lambda value: depth(value) <= wire.MAX_DEPTH)


@given(VALUES)
@settings(deadline=None, max_examples=200)
def test_a_value_comes_out_as_it_went_in(value):
    assert same(unpacked(wire.pack(value)), value)


@pytest.mark.parametrize(
    ("sent", "received"),
    [
        (np.float32(1.5), 1.5),
        (np.longdouble(0.5), 0.5),
        (np.int8(-3), -3),
        (np.bool_(True), True),
        (np.str_("ja"), "ja"),
        (range(3), [0, 1, 2]),
        (np.array([Fraction(1, 3), Fraction(2)], dtype=object), [Fraction(1, 3), Fraction(2)]),
        (np.arange(6).reshape(2, 3).T, np.arange(6).reshape(2, 3).T.copy()),
        (np.array([1, 2], dtype=">i4"), np.array([1, 2], dtype="<i4")),
        (np.array(["", ""]), np.array(["", ""])),
        (np.ma.array([1.0, 2.0]), np.array([1.0, 2.0])),
        ("lone \ud800", "lone ?"),
    ],
)
def test_subclasses_of_plain_values_are_sent_as_plain(sent, received):
    assert same(unpacked(wire.pack(sent)), received)


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (1j, "type complex is not a plain value"),
        (np.array([1j]), "array of type complex128 cannot be sent"),
        (np.array(["2024-01-01"], dtype="M8[D]"), "cannot be sent"),
        (np.array([object()]), "type object is not a plain value"),
        ({1: 2}, "keys of a dict must be strings"),
        ({1, 2}, "type set is not a plain value"),
        (2**5000, "integer of 5001 bits is too large"),
        ("x" * 70_000, "string of 70000 characters is too long"),
        ([0] * 300_000, "use an array"),
        (np.zeros(9_000_000), "arrays of more than 64 MiB"),
        ([[[[[[[[[[[1]]]]]]]]]]], "nested deeper than 8"),
        (lambda: 1, "type function is not a plain value"),
    ],
)
def test_values_that_may_not_cross_are_named(value, sentence):
    with pytest.raises(wire.WireError, match=sentence):
        wire.pack(value)


def test_requests_may_be_as_large_as_replies():
    value = np.zeros(8 << 20, dtype="u1").reshape(8, -1)
    reply = {"id": "1", "value": [[[[[[[[value]]]]]]]]}
    came = unpacked(wire.pack(reply))["value"]
    request = {"id": "2", "do": "call", "with": ("f", (came, came, np.zeros(7 << 20)))}
    assert same(unpacked(wire.pack(request, room=wire.REQUEST), room=wire.REQUEST)["with"][1][1], came)


def test_references_need_somebody_to_resolve_them():
    frame = wire.pack([wire.Reference("instance", 3)])
    assert unpacked(frame, resolve=lambda r: (r.kind, r.key)) == [("instance", 3)]
    with pytest.raises(wire.WireError, match="not allowed here"):
        unpacked(frame)


def test_arrays_are_copies_that_may_be_written():
    value = np.arange(3.0)
    came = unpacked(wire.pack(value))
    came[0] = 7
    assert value[0] == 0


@pytest.mark.parametrize(
    "header",
    [
        b"", b"null", b"[]", b"[1]", b"[1,[],3]", b'{"a":1}', b"\xff\xfe", b"[" * 10_000, b"[NaN,[]]",
        b"[1e999,[]]",
        b"[" + b"9" * 50 + b",[]]", b'[["a",0],[]]', b'[["a",-1],[["<f8",[0]]]]', b'[["x",0],[]]', b"[[],[]]",
        b'[["i","zz"],[]]', b'[["i","-"],[]]', b'[["q","1","0"],[]]', b'[["q","1"],[]]', b'[["n","1"],[]]',
        b'[["d",[["a"]]],[]]', b'[["d",[[1,2]]],[]]', b'[["l",3],[]]', b'[1,[["|O",[1]]]]',
        b'[1,[["<f8",[-1]]]]',
        b'[1,[["<f8",[true]]]]', b'[1,[["<f8",3]]]', b'[1,[["<f16",[0]]]]', b'[1,[["<U99999",[999]]]]',
        b'[1,[["<f8",[0,' + b"9" * 17 + b"]]]]", b'[["r","callback",1.5],[]]',
        b'[["l",[["a",0],["a",0]]],[["<f8",[0]]]]',
    ],
)  # fmt: skip
def test_an_invalid_header_is_a_wire_error(header):
    with pytest.raises(wire.WireError):
        wire.unpack(header, b"")


@pytest.mark.parametrize(
    ("head", "sentence"),
    [
        (b"PK\x03\x04" + bytes(12), "not a frame"),
        (struct.pack("<4sIQ", wire.MAGIC, 5 << 20, 0), "more than may cross"),
        (struct.pack("<4sIQ", wire.MAGIC, 0, 1 << 60), "more than may cross"),
    ],
)
def test_an_invalid_frame_head_is_refused_first(head, sentence):
    reader = wire.Reader()
    reader.feed(head)
    with pytest.raises(wire.WireError, match=sentence):
        reader.next()


def test_frames_in_pieces():
    values = [1, "two", np.arange(3)]
    stream = b"".join(map(wire.pack, values))
    reader, found = wire.Reader(), []
    for start in range(0, len(stream), 7):
        reader.feed(stream[start : start + 7])
        while (message := reader.next()) is not None:
            found += message
    assert all(map(same, found, values))
    assert reader.buffer == b""


def test_announced_sizes_are_not_allocated():
    reader = wire.Reader()
    reader.feed(struct.pack("<4sIQ", wire.MAGIC, wire.MAX_HEADER, wire.MAX_PAYLOAD))
    assert reader.next() is None
    assert reader.buffer.__sizeof__() < 1000


SEEDS = [
    {"id": "1-2", "value": [1, 2.5, None, True, "text", Fraction(3, 7), 2**200, float("nan")]},
    {"id": "1-2", "value": {"a": np.arange(6.0).reshape(2, 3), "b": np.array(["ja", "nein"])}},
    {"id": "1-2", "callback": 3, "with": (np.array([True, False]), [[], (), {}])},
    {"id": "1-2", "raised": {"type": "ValueError", "text": "no", "line": 3, "where": "cell 1", "code": "x"}},
]


def mutated(seed):
    """Return a frame that is random, or a valid one with bytes, tokens, lengths or pieces changed.

    With ``FRAMES = 1_000_000`` the test below ran once in full on 2026-11-21 and found no other exception.
    """
    rng = random.Random(seed)
    frame = bytearray(wire.pack(SEEDS[seed % len(SEEDS)]))
    kind = rng.randrange(6)
    if kind == 0:
        return rng.randbytes(rng.randrange(200))
    if kind == 1:  # a few bytes
        for _ in range(rng.randrange(1, 6)):
            frame[rng.randrange(len(frame))] = rng.randrange(256)
        return bytes(frame)
    header, _payload = wire.lengths(frame)
    text = bytes(frame[wire.HEAD.size : wire.HEAD.size + header])
    rest = bytes(frame[wire.HEAD.size + header :])
    if kind == 2:  # tokens of the header
        for _ in range(rng.randrange(1, 4)):
            old = rng.choice([b"[", b"]", b",", b'"a"', b'"l"', b'"d"', b"0", b"1", b"2", b'"<f8"', b"null"])
            new = rng.choice(
                [b"[", b"]", b"", b'"a"', b'"q"', b'"r"', b"-1", b"99999999", b'"|O"', b"1e5", b"{}"]
            )
            text = text.replace(old, new, rng.randrange(1, 4))
    elif kind == 3:
        rest = rng.randbytes(len(rest))
    elif kind == 4:  # a piece doubled or dropped
        at, size = rng.randrange(len(text)), rng.randrange(1, 30)
        text = text[:at] + rng.choice([b"", text[at : at + size] * 2]) + text[at + size :]
    else:
        text = json.dumps([_noise(rng, 4), _noise(rng, 3)]).encode()
    return wire.HEAD.pack(wire.MAGIC, len(text), len(rest)) + text + rest


def _noise(rng, depth):
    if depth == 0 or rng.random() < 0.3:
        return rng.choice(
            [None, True, 0, 1, -1, 2**60, 0.5, "a", "l", "t", "d", "q", "r", "n", "i", "<f8", "ff", ""]
        )
    if rng.random() < 0.1:
        return {"a": _noise(rng, depth - 1)}
    return [_noise(rng, depth - 1) for _ in range(rng.randrange(4))]


def test_no_frame_raises_anything_but_a_wire_error():
    refused = 0
    for seed in range(FRAMES):
        reader = wire.Reader()
        reader.feed(mutated(seed))
        try:
            while reader.next(lambda reference: reference) is not None:
                pass
        except wire.WireError:
            refused += 1
    assert refused > FRAMES // 3


@given(st.binary(max_size=300))
@settings(deadline=None, max_examples=300)
def test_arbitrary_headers(data):
    for payload in (b"", b"12345678"):
        try:
            wire.unpack(data, payload)
        except wire.WireError:
            continue


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["a", "l", "t", "d", "q", "r", "n", "i", "<f8", "|b1", "<U2"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=30,
)


@given(JSON, JSON, st.binary(max_size=64))
@settings(deadline=None, max_examples=300)
def test_arbitrary_trees(tree, arrays, payload):
    try:
        wire.unpack(json.dumps([tree, arrays]).encode(), payload, lambda reference: reference)
    except wire.WireError:
        return
