"""Study files that nobody writes by mistake: each is to be refused with one sentence, at once."""

_SECTIONS = {
    "target": "error = 0.05\nfailure = 0.05",
    "mechanism": 'kind = "laplace-mean"\nanalysis = "paper"',
    "individual": "base_cost = 12.5\nworst_cost = 1274",
    "conditions": "budget = 30000",
}


def with_line(section: str, line: str, before: str = "") -> bytes:
    """A study file in which a line is added to a section, in place of the key that it gives."""
    key = line.partition("=")[0].strip()
    texts = [before]
    for name, body in _SECTIONS.items():
        kept = [one for one in body.split("\n") if one.partition("=")[0].strip() != key]
        texts.append("\n".join([f"[{name}]", *kept, *[line] * (name == section)]))
    return "\n".join(texts).encode("utf-8", "surrogatepass")


def without(section: str, instead: str) -> bytes:
    """A study file with something else in place of a section."""
    texts = [f"[{name}]\n{body}" for name, body in _SECTIONS.items() if name != section]
    return "\n".join([instead, *texts]).encode()


_SYNTAX = {
    "nothing": b"",
    "comments alone": b"# no study\n" * 3_000,
    "zeros": b"\x00" * 5_000,
    "a zero in a value": with_line("target", "error = 0.05\x00"),
    "not UTF-8": b"\xff\xfe" + with_line("target", "error = 0.05"),
    "a long form of a slash": b'title = "\xc0\xaf"\n' + with_line("target", "error = 0.05"),
    "UTF-16 with its mark": with_line("target", "error = 0.05").decode().encode("utf-16"),
    "a surrogate as bytes": with_line("target", "error = 0.05", 'title = "\ud800"'),
    "a surrogate as an escape": with_line("target", "error = 0.05", r'title = "\ud800"'),
    "past the last character": with_line("target", "error = 0.05", r'title = "\U00110000"'),
    "two marks of order": b"\xef\xbb\xbf\xef\xbb\xbf" + with_line("target", "error = 0.05"),
    "a mark of order inside": with_line("target", "\ufefferror = 0.05"),
    "an archive": b"PK\x03\x04" + bytes(range(256)) * 40,
    "JSON": b'{"target": {"error": 0.05}}',
    "an entity that doubles": b'<!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><x>&b;</x>',
    "64,001 bytes": b"#" * 64_001,
    "10 MB": b"a = 1\n" * 1_700_000,
    "a string without an end": with_line("target", 'error = "0.05'),
    "a long string without an end": b'title = """' + b"a\n" * 30_000,
    "a literal without an end": b"title = '''" + b"[{" * 30_000,
    "a table without an end": with_line("target", "error = { uniform = [0.1, 0.2]"),
    "a list without an end": with_line("target", "error = [" + "1, " * 10_000),
    "backslashes": b'title = "' + b"\\" * 30_001,
    "quotes": b"'\"" * 30_000,
    "lists 30,000 deep": b"title = " + b"[" * 30_000 + b"]" * 30_000,
    "tables 10,000 deep": b"title = " + b"{a = " * 10_000 + b"1" + b"}" * 10_000,
    "lists and tables 17 deep": b"title = " + b"[{a = " * 9 + b"1" + b"}]" * 9,
    "a header of 10,000 parts": b"[" + b"a." * 10_000 + b"a]",
    "a key of 30,000 parts": b"a." * 30_000 + b"a = 1",
    "quoted empty parts": b'"".' * 20_000 + b'"" = 1',
    "a key of 60,000 characters": b"a" * 60_000 + b" = 1",
    "a quoted key of 60,000 characters": b'"' + b"a" * 60_000 + b'" = 1',
    "a key twice": with_line("target", "error = 0.05\nerror = 0.1"),
    "a section twice": with_line("target", "error = 0.05") + b"\n[target]\nerror = 0.1",
    "a key that is also a section": b"target = 1\n" + with_line("target", "error = 0.05"),
    "a closed table made longer": b"target = {error = 0.05}\ntarget.failure = 0.05",
}
_SIZES = {
    "5,000 keys": b"\n".join(b"k%d = 1" % i for i in range(5_000)),
    "5,000 keys in a section": with_line("costs", "") + b"\n[costs]\n"
    + b"\n".join(b"k%d = 1" % i for i in range(5_000)),
    "3,000 sections": b"\n".join(b"[s%d]" % i for i in range(3_000)),
    "900 mechanisms": without("mechanism", "[[mechanism]]\n" * 900),
    "900 events": with_line("target", "error = 0.05") + b"\n[[individual.events]]" * 900,
    "a list of 25,000 numbers": with_line("target", f"error = [{'1,' * 25_000}]"),
    "a whole number of 5,000 digits": with_line("conditions", f"budget = {'9' * 5_000}"),
    "a whole number of 190 digits": with_line("conditions", f"max_participants = {'9' * 190}"),
    "a hexadecimal number of 190 digits": with_line("target", f"failure = 0x{'f' * 190}"),
    "a decimal of 30,000 digits": with_line("conditions", f"budget = 0.{'3' * 30_000}"),
    "an exponent of 190 digits": with_line("conditions", f"budget = 1e{'9' * 190}"),
    "a title of 60,000 characters": b'title = "' + b"a" * 60_000 + b'"',
    "a kind of 60,000 characters": with_line("mechanism", f"kind = '{'a' * 60_000}'"),
    "an error of 60,000 characters": with_line("target", f"error = '{'a' * 60_000}'"),
    "an unknown key of 199 characters": with_line("target", f"{'a' * 199} = 1"),
}  # fmt: skip
_VALUES = {
    "infinity": with_line("conditions", "budget = inf"),
    "not a number": with_line("conditions", "budget = nan"),
    "a negative zero": with_line("target", "error = -0.0"),
    "over the largest number": with_line("conditions", "budget = 1e999"),
    "under the smallest number": with_line("target", "error = 1e-999"),
    "true for a number": with_line("target", "error = true"),
    "a string for a number": with_line("target", 'error = "0.05"'),
    "a date for a number": with_line("target", "error = 1979-05-27"),
    "a time for a number": with_line("conditions", "budget = 07:32:00"),
    "a date that is none": with_line("target", "error = 1979-13-47"),
    "a number for a kind": with_line("mechanism", "kind = 1"),
    "a list for a kind": with_line("mechanism", "kind = ['laplace-mean']"),
    "a table for a kind": with_line("mechanism", "kind = {kind = 'laplace-mean'}"),
    "a list for an analysis": with_line("mechanism", "analysis = [['paper']]"),
    "no value": with_line("target", "error ="),
    "an empty key": with_line("target", '"" = 1'),
    "empty keys at the top": with_line("target", "error = 0.05", '"" = 1'),
    "a number for a section": without("target", "target = 1"),
    "a date for a section": without("individual", "individual = 1979-05-27"),
    "a list for a section": without("target", "[[target]]\nerror = 0.05\nfailure = 0.05"),
    "an empty list of mechanisms": without("mechanism", "mechanism = []"),
    "numbers for mechanisms": without("mechanism", "mechanism = [1, [2]]"),
    "nested tables for a number": with_line("target", "error = {a = {b = {c = [{d = 1}]}}}"),
    "a spread of tables": with_line("conditions", "budget = {uniform = [{a = 1}, [2]]}"),
    "a spread of dates": with_line("conditions", "budget = {uniform = [1979-05-27, 07:32:00]}"),
    "a spread of far too many": with_line("conditions", f"budget = {{uniform = [{'1,' * 9_000}]}}"),
    "two spreads at once": with_line("conditions", "budget = {uniform = [1, 2], normal = [1, 2]}"),
    "a spread with a long name": with_line("target", f"error = {{{'a' * 199} = [1, 2]}}"),
    "groups of nothing": with_line("individual", "base_costs = {groups = [[], {}, [1]]}"),
    "a path for a scenario": with_line("individual", 'scenario = "../../../etc/passwd"'),
    "a control character": with_line("target", "error = 0.05", r'title = "\u001b]0;x\u0007"'),
    "the inner key": with_line("target", "error = 0.05") + b"\n[repeated]\ntimes = 3",
    "a key of Python": with_line("target", "__class__ = 1"),
    "times without an end": with_line("mechanism", "times = 99999999999999999999"),
    "a range of strings": with_line("mechanism", "mean_range = ['0', '1']"),
    "a reversed range of one end": with_line("mechanism", "mean_range = [1]"),
}
FILES: dict[str, bytes] = {**_SYNTAX, **_SIZES, **_VALUES}
