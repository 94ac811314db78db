"""Splits drawn texts with the SentencePiece library, with the pieces of tok512.bin and variants of them.

Writes stories260k/sentencepiece.json, with which tests compare the package's own byte-pair encoding.
Needs the library (Debian: python3-sentencepiece). Run: python3 sentencepiece_texts.py
"""
import json
import random
import struct
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import sentencepiece

FOLDER = Path(__file__).parent / "stories260k"
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
SPACE = "\u2581"


def pieces():
    """The pieces of tok512.bin as SentencePiece has them: text, score, kind."""
    data = (FOLDER / "tok512.bin").read_bytes()
    at, found = 4, []
    while at < len(data):
        score, length = struct.unpack_from("<fi", data, at)
        text = data[at + 8 : at + 8 + length].decode().replace(" ", SPACE)
        found.append([text, score, NORMAL])
        at += 8 + length
    for token, (text, kind) in enumerate([("<unk>", UNKNOWN), ("<s>", CONTROL), ("</s>", CONTROL)]):
        found[token] = [text, 0.0, kind]
    for byte in range(256):
        found[3 + byte] = [f"<0x{byte:02X}>", 0.0, BYTE]
    return found


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, value):
    """A field of a message: whole numbers, floats, texts and messages."""
    if isinstance(value, (bool, int)):
        return varint(number << 3) + varint(int(value))
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def processor(all_pieces, has_space_prefix):
    """A processor of sentencepiece_model.proto: byte pairs with bytes as the last resort."""
    listed = b"".join(
        field(1, field(1, text) + field(2, score) + field(3, kind))
        for text, score, kind in all_pieces
    )
    byte_pairs, byte_fallback = field(3, 2), field(35, True)
    trainer = byte_pairs + field(4, len(all_pieces)) + byte_fallback
    normalizer = field(1, "identity") + field(3, has_space_prefix) + field(4, False) + field(5, True)
    model = listed + field(2, trainer) + field(3, normalizer)
    return sentencepiece.SentencePieceProcessor(model_proto=model)


PARTS = (
    "Once upon a time there was a little girl named Lily She loved to play outside park big red ball "
    "the and they said happy friend day saw wanted mom dog with of it 球 你好 红色的 大 孩子 公园 。 ， é ü ñ ß "
    "naïve ö \u0301 😀 👩‍👩‍👧 🇨🇳 ½ ² 12 2023 3.14 , . ! ? ' \" - ( ) 's don't \u00a0 \u3000 \ufeff \u2581 <s> "
    "<0x0A> [x] \\ / ＡＢ ﬁ קו مرحبا \U0001d54f ~ _ # @ ooo eeeee lll sss tttt heee"
).split(" ")
SPACES = ["", " ", " ", " ", " ", "  ", "   ", "\n", "\n\n", " \n", "\t", "\r\n"]


def drawn(seed):
    """A text of a seed, which may begin and end with spaces and line ends."""
    draw = random.Random(seed)
    count = draw.randint(0, 14)
    return "".join(draw.choice(SPACES) + draw.choice(PARTS) for _ in range(count)) + draw.choice(SPACES)


def variant(name, count, change, has_space_prefix=True, needs=""):
    own = pieces()
    change(own)
    split = processor(own, has_space_prefix)
    texts = [drawn(f"{name} {i}") for i in range(count)]
    texts = [f"{text}{needs}{text[::-1]}" if needs and i % 2 else text for i, text in enumerate(texts)]
    cases = [[text, split.encode(text), split.decode(split.encode(text))] for text in texts]
    return {"name": name, "hasSpacePrefix": has_space_prefix, "cases": cases}


def unused(all_pieces):
    for piece in all_pieces[259:420:3]:
        if len(piece[0]) > 1:
            piece[2] = UNUSED


def user_defined(all_pieces):
    all_pieces[300] = ["[x]", 0.0, USER_DEFINED]
    all_pieces[301] = ["[x][x]", 0.0, USER_DEFINED]


def main():
    try:
        number = version("sentencepiece")
    except PackageNotFoundError:
        number = sentencepiece.__version__
    variants = [
        variant("plain", 150, lambda _: None),
        variant("unused pieces", 60, unused),
        variant("no space prefix", 40, lambda _: None, False),
        variant("user-defined pieces", 40, user_defined, False, "[x][x][x]"),
    ]
    lines = []
    for each in variants:
        head = json.dumps({k: v for k, v in each.items() if k != "cases"}, ensure_ascii=True)[:-1]
        cases = ",\n".join(json.dumps(case, ensure_ascii=True) for case in each["cases"])
        lines.append(f'{head}, "cases": [\n{cases}\n]}}')
    text = f'{{"sentencepiece": "{number}", "variants": [\n' + ",\n".join(lines) + "\n]}\n"
    (FOLDER / "sentencepiece.json").write_text(text)


if __name__ == "__main__":
    main()
