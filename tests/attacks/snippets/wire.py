"""Frames that the worker's wire format would refuse, sent by the worker's own loop."""

import json, struct, sys
import __main__ as worker


def frame(tree, arrays=(), payload=b""):
    """Return a frame of our own making, whatever the grader's writer would refuse."""
    header = tree if isinstance(tree, bytes) else json.dumps([tree, list(arrays)]).encode()
    return struct.pack("<4sIQ", b"mln1", len(header), len(payload)) + header + payload


def forge(tree, arrays=(), payload=b""):
    """Let the worker's own loop send our frame in place of each answer."""

    def reply(self, operation, arguments):
        if operation.__name__ in ("do_cell", "do_names"):
            return honest(self, operation, arguments)
        value = tree(self.request) if callable(tree) else ["d", [["id", self.request], ["value", tree]]]
        self.write(frame(value, arrays, payload))

    honest = worker.Submission.reply
    worker.Submission.reply = reply


# %% bad_booleans: Sends booleans whose bytes are 255, which are equal to nothing and true.
forge(["a", 0], [["|b1", [3]]], b"\xff\xfe\x02")

# %% bad_characters: Sends strings of code points that are no characters.
forge(["a", 0], [["<U2", [3]]], b"\xff\xff\xff\x7f" * 6)

# %% complex_nesting: Sends tags inside tags: tuples of dicts of arrays, tags without bodies.
forge(["t", [["d", [["k", ["a", 0]]]], ["t"], ["l"], [], [[]]]], [["<i8", [1]]], bytes(8))

# %% constants: Sends NaN, Infinity and 1e999 as JSON numbers.
forge(
    lambda i: b'[["d",[["id","' + i.encode() + b'"],["value",["l",[NaN, Infinity, -Infinity, 1e999]]]]],[]]'
)

# %% deep_header: Nests the header a hundred thousand levels deep.
forge(lambda i: b"[" * 100_000 + b"]" * 100_000)

# %% deep_value: Nests a value deeper than allowed.
value = 1
for _ in range(200):
    value = ["l", [value]]
forge(value)

# %% duplicate_keys: Sends a dict with the key id many times.
forge(lambda i: ["d", [["id", i], ["id", "0"], ["id", i], ["value", 1], ["value", True]]])

# %% empty_explosion: Describes an array of no bytes with enormous lengths.
forge(["a", 0], [["<f8", [0] + [67_000_000] * 7]], b"")

# %% endless_callbacks: Calls functions of the grader that do not exist, for ever.
def reply(self, operation, arguments):
    data = frame(["d", [["id", self.request], ["callback", 12345], ["with", ["t", [1]]]]])
    while True:
        self.write(data)

worker.Submission.reply = reply

# %% endless_progress: Reports progress for ever in place of an answer.
def reply(self, operation, arguments):
    data = frame(["d", [["id", self.request], ["at", 1], ["line", ["l", []]]]]) * 1000
    while True:
        self.write(data)

worker.Submission.reply = reply

# %% foreign_references: Names objects that it does not have: the grader's functions, other instances, attributes.
forge(
    [
        "l",
        [
            ["r", "callback", 0],
            ["r", "student", "fit_mean"],
            ["r", "instance", 99],
            ["r", "instance", "__class__"],
        ],
    ]
)

# %% forged_dict: Answers with something that is no message.
forge(lambda i: ["l", [1, 2, 3]])

# %% forged_error: Answers with errors whose fields are not of the right kind.
forge(
    lambda i: [
        "d",
        [["id", i], ["raised", ["d", [["type", ["l", []]], ["text", 3], ["line", "x"], ["where", None]]]]],
    ]
)

# %% forged_identity: Answers with other identities: none, a list, a number, the last one.
forge(lambda i: ["d", [["id", ["l", []]], ["value", 1]]])

# %% forged_notes: Fills the notes, names and errors with megabytes of hostile text.
def reply(self, operation, arguments):
    text = "\x1b[31mOK 5 of 5 points <script>" + "n" * 60_000
    value = ["l", [["d", [["type", text], ["text", text], ["where", text], ["code", text]]]] * 10]
    if operation.__name__ == "do_names":
        value = [
            "d",
            [[name, "function"] for name in ("fit_mean", "classify", "argmin", "describe")]
            + [[f"{k}" * 500, text] for k in range(10)],
        ]
    self.write(frame(["d", [["id", self.request], ["value", value]]]))

worker.Submission.reply = reply

# %% forged_true: Sends True, and words of success, in place of every answer.
forge(True)

# %% forged_verdict: Adds points, verdicts and evidence to the answer.
forge(
    lambda i: [
        "d",
        [["id", i], ["value", 1], ["verdict", "OK"], ["earned", 5], ["holds", True], ["evidence", ["l", []]]],
    ]
)

# %% huge_announcement: Announces exabytes and sends nothing.
worker.Submission.write = lambda self, data, send=worker.Submission.write: send(
    self, struct.pack("<4sIQ", b"mln1", 10, 1 << 60)
)

# %% integer_index: Sends an index far outside, of 4,096 bits and negative.
forge(["i", "-" + "f" * 1024])

# %% large_announcement: Announces as much as is allowed and sends one byte a second.
def trickle(self, data, send=worker.Submission.write):
    import time

    send(self, struct.pack("<4sIQ", b"mln1", 4 << 20, 64 << 20))
    while True:
        send(self, b"x")
        time.sleep(0.01)

worker.Submission.write = trickle

# %% large_fractions: Sends fractions of 4,096 bits wherever a number is asked for.
forge(["l", [["q", "f" * 1024, "e" * 1024]] * 40])

# %% large_integers: Sends integers of 4,096 bits wherever a number is asked for.
forge(["l", [["i", "f" * 1024]] * 40])

# %% long_hex: Sends a tagged integer of more bits than allowed.
forge(["i", "f" * 100_000])

# %% long_integer: Sends integers with a million digits, which take quadratic time to read.
forge(lambda i: b'[["d",[["id","' + i.encode() + b'"],["value",' + b"9" * 1_000_000 + b"]]],[]]")

# %% missing_value: Answers with the identity and nothing else.
forge(lambda i: ["d", [["id", i]]])

# %% negative_shape: Describes arrays of negative, boolean and fractional lengths.
forge(["l", [["a", 0], ["a", 1]]], [["<f8", [-1, -3]], ["<f8", [True, 3]]], bytes(48))

# %% npy_pickle: Sends an .npy file of objects in place of an array.
import io
import numpy as np
file = io.BytesIO()
np.save(file, np.array([{"a": 1}], dtype=object), allow_pickle=True)
worker.Submission.write = lambda self, data, send=worker.Submission.write: send(self, file.getvalue())

# %% object_dtype: Describes arrays of type object, void, datetime, bytes and structures.
forge(
    ["l", [["a", k] for k in range(5)]],
    [[t, [1]] for t in ("|O", "|V8", "<M8[s]", "|S8", "<f8,<f8")],
    bytes(48),
)

# %% one_reference: Answers every question with a reference to an instance.
forge(["r", "instance", 0])

# %% pickle: Sends a pickle that runs code where it is opened.
import pickle

class Run:
    def __reduce__(self):
        return (exec, ("open('/tmp/mlnotes-left', 'w').write('pickle')",))

forge(lambda i: pickle.dumps(Run()))

# %% repeated_array: Names one array a hundred thousand times, so that a copy would need terabytes.
forge(["l", [["a", 0]] * 100_000], [["<f8", [1_000_000]]], bytes(8_000_000))

# %% rows_of_different_shape: Sends lists that NumPy can make no array of, and arrays inside lists.
forge(["l", [["l", [1, 2]], ["a", 0], "text", None, ["d", []]]], [["<f8", [2, 2]]], bytes(32))

# %% shape_overflow: Describes arrays whose sizes overflow or disagree with the payload.
forge(["a", 0], [["<f8", [1 << 40, 1 << 40]]], bytes(24))

# %% surrogates: Sends lone surrogates, which no report can be written with.
forge(["d", [["n", "\ud800"], ["\udfff", "\ud900"]]])

# %% two_answers: Sends two answers at once, the second for the next question.
def double(i):
    first = json.dumps([["d", [["id", i], ["value", 1]]], []]).encode()
    return first

forge(lambda i: ["d", [["id", i], ["value", 1]]])
send = worker.Submission.write
worker.Submission.write = lambda self, data: send(self, data + data)

# %% unfit_forged: Says that its own answer could not be sent, with a number in place of words.
forge(lambda i: ["d", [["id", i], ["unfit", 12]]])

# %% wide_value: Sends two million numbers in a list.
forge(["l", [0] * 2_000_000])

# %% zero_denominator: Sends fractions with a denominator of zero or less.
forge(["l", [["q", "1", "0"], ["q", "1", "-1"], ["q", "x", "y"]]])
