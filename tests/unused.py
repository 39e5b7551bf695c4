"""`python -m tests.unused`: definitions that no command, public name, view or template reaches.

A walk over the source, without running it. Its roots are the functions of the commands, the public
names of the stubs (`__init__.pyi`), `__all__`, and what stands at the level of a module. A name is
followed to where it is defined or imported from; an attribute reaches every member of that name of
a class that is reached; text such as "planner.figures.region:draw" reaches that function. Words of
templates count as attributes. What only tests use is unused.
"""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = {"planner": "planner", "figures": "planner.figures", "scenarios": "planner.scenarios"}
"""Folders of the tree, by the package that each is where it is installed."""
COMMANDS = "planner.cli."
RUN = {"planner", "planner.cli", "planner.guide.reference"}
"""Modules that are run by themselves."""
_PLACE = re.compile(r"^(planner[\w.]*):(\w+)$")
_WORD = re.compile(r"[A-Za-z_]\w*")
_OWN = {
    "property", "cached_property", "classmethod", "staticmethod", "abstractmethod", "override",
    "cache", "lru_cache", "setter", "overload", "contextmanager", "wraps", "dataclass_transform",
}  # fmt: skip
"""Decorators that hand nothing over."""
_FOREIGN = {
    "BaseModel", "Enum", "NamedTuple", "TyperCommand", "TyperGroup", "Table", "H11Protocol",
    "HttpToolsProtocol", "Thread", "Server", "RendererHTML",
}  # fmt: skip
"""Classes that call what is defined under them."""
FOR_USERS = ("planner.show", "planner.consumers", "planner.privacy", "planner.selection")
"""What programs of users call: the methods of every result, and the library of the papers."""


@dataclass
class Definition:
    """A function, a class, a constant or a member of a class, with what it mentions."""

    module: str
    name: str
    node: ast.stmt
    owner: str = ""
    names: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    places: set[tuple[str, str]] = field(default_factory=set)

    @property
    def key(self) -> tuple[str, str]:
        """The module and the qualified name."""
        return self.module, f"{self.owner}.{self.name}" if self.owner else self.name

    @property
    def lines(self) -> int:
        """How many lines it takes."""
        return (self.node.end_lineno or 0) - first_line(self.node) + 1


def first_line(node: ast.stmt) -> int:
    """The first line of a definition, with its decorators."""
    decorators = getattr(node, "decorator_list", [])
    return min([node.lineno, *(one.lineno for one in decorators)])


class Module:
    """The definitions and imports of a file."""

    def __init__(self, name: str, tree: ast.Module, package: bool) -> None:
        self.name, self.package = name, package
        self.imports: dict[str, tuple[str, str]] = {}
        self.definitions: list[Definition] = []
        self.body = Definition(name, "", ast.Pass(lineno=0, end_lineno=0))
        self._import(tree)
        for node in tree.body:
            self._define(node)

    def _import(self, tree: ast.Module) -> None:
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for one in node.names:
                    self.imports[one.asname or one.name.split(".")[0]] = (one.name, "")
            elif isinstance(node, ast.ImportFrom):
                source = node.module or ""
                if node.level:
                    depth = node.level - self.package
                    base = self.name.rsplit(".", depth)[0] if depth else self.name
                    source = f"{base}.{source}" if source else base
                for one in node.names:
                    self.imports[one.asname or one.name] = (source, one.name)

    def _define(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Import | ast.ImportFrom):
            return
        names = _defined(node)
        if not names:  # such as an `if`
            _mention(node, self.body)
            return
        for name in names:
            one = Definition(self.name, name, node)
            self.definitions.append(one)
            if isinstance(node, ast.ClassDef):
                self._members(one, node)
            else:
                _mention(node, one)

    def _members(self, owner: Definition, node: ast.ClassDef) -> None:
        for part in [*node.bases, *node.keywords, *node.decorator_list]:
            _mention(part, owner)
        for member in node.body:
            names = _defined(member)
            for name in names:
                one = Definition(self.name, name, member, owner.name)
                self.definitions.append(one)
                _mention(member, one)
            if not names:
                _mention(member, owner)


def _defined(node: ast.AST) -> list[str]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return [node.name]
        case ast.Assign():
            targets = [t for one in node.targets for t in getattr(one, "elts", [one])]
        case ast.AnnAssign():
            targets = [node.target]
        case _:
            return []
    return [one.id for one in targets if isinstance(one, ast.Name)]


def _handed_over(node: ast.stmt) -> bool:
    """Whether a decorator hands it to a library, or to a list of this program's."""
    decorators = getattr(node, "decorator_list", [])
    if isinstance(node, ast.ClassDef):
        return False
    named = (one.func if isinstance(one, ast.Call) else one for one in decorators)
    return any(getattr(one, "attr", getattr(one, "id", "")) not in _OWN for one in named)


def _mention(node: ast.AST, into: Definition) -> None:
    for one in ast.walk(node):
        match one:
            case ast.Name():
                into.names.add(one.id)
            case ast.Attribute():
                into.attributes.add(one.attr)
                if isinstance(one.value, ast.Name):
                    into.places.add((f"={one.value.id}", one.attr))
            case ast.keyword(arg=str()) | ast.MatchClass():
                into.attributes.update([one.arg] if isinstance(one, ast.keyword) else one.kwd_attrs)
            case ast.Constant(value=str() as text):
                place = _PLACE.match(text)
                if place:
                    into.places.add((place[1], place[2]))
                elif _WORD.fullmatch(text):
                    into.attributes.add(text)
                    into.names.add(text)  # such as an annotation in quotes
                elif len(text) < 200 and "[" in text:
                    into.names.update(_WORD.findall(text))


def modules() -> Iterator[Module]:
    """Each file of the program."""
    for folder, package in PACKAGES.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT / folder).with_suffix("").parts
            is_package = parts[-1] == "__init__"
            name = ".".join([package, *(parts[:-1] if is_package else parts)])
            yield Module(name, ast.parse(path.read_text("utf-8")), is_package)


def _public() -> Iterator[tuple[str, str]]:
    """The public names of the stubs: each with the module that defines it."""
    for path in (ROOT / "planner").rglob("__init__.pyi"):
        package = ".".join(path.relative_to(ROOT).parent.parts)
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ImportFrom):
                base = package.rsplit(".", node.level - 1)[0] if node.level > 1 else package
                source = f"{base}.{node.module}" if node.module else base
                yield from ((source, one.name) for one in node.names)


def _template_words() -> set[str]:
    suffixes = {".jinja", ".html", ".js", ".svg"}
    texts = [p.read_text("utf-8") for p in (ROOT / "planner").rglob("*") if p.suffix in suffixes]
    return {word for text in texts for word in _WORD.findall(text)}


class Walk:
    """What is reached from the roots."""

    def __init__(self) -> None:
        self.modules = {module.name: module for module in modules()}
        self.known = {one.key: one for m in self.modules.values() for one in m.definitions}
        self.members: dict[str, list[Definition]] = defaultdict(list)
        for one in self.known.values():
            if one.owner:
                self.members[one.name].append(one)
        self.live: set[tuple[str, str]] = set()
        self._template_words = _template_words()
        self.attributes = set(self._template_words)
        self._todo: list[Definition] = []
        self._run()

    def _run(self) -> None:
        for place in _public():
            self._reach(*place)
        for module in self.modules.values():
            run = module.name.startswith(COMMANDS) or module.name in RUN
            for one in module.definitions:
                special = not one.owner and one.name.startswith("__")  # such as __getattr__
                if (run and not one.name.startswith("_")) or special or _handed_over(one.node):
                    self._live(one)
            self._mentioned(module.body)
        while self._todo:
            self._mentioned(self._todo.pop())

    def _mentioned(self, one: Definition) -> None:
        for name in one.names:
            self._reach(one.module, name)
        for module, name in one.places:
            if module.startswith("="):
                source = self.modules[one.module].imports.get(module[1:])
                if source:
                    at = ".".join(filter(None, source))
                    self._reach(at if at in self.modules else source[0], name)
            else:
                self._reach(module, name)
        for name in one.attributes - self.attributes:
            self.attributes.add(name)
            for member in self.members[name]:
                if (member.module, member.owner) in self.live:
                    self._live(member)

    def _reach(self, module: str, name: str) -> None:
        """Mark what a name means in a module."""
        seen = set()
        while (module, name) not in self.known and (module, name) not in seen:
            seen.add((module, name))
            home = self.modules.get(module)
            if home is None or name not in home.imports:
                return
            module, name = home.imports[name]
            if f"{module}.{name}" in self.modules:  # a template may be given the module
                for word in self._template_words:
                    self._reach(f"{module}.{name}", word)
        if (module, name) in self.known:
            self._live(self.known[module, name])

    def _live(self, one: Definition) -> None:
        if one.key in self.live:
            return
        self.live.add(one.key)
        self._todo.append(one)
        if isinstance(one.node, ast.ClassDef):
            for member in self.known.values():
                if (member.module, member.owner) == (one.module, one.name) and (
                    member.name in self.attributes or self._called_elsewhere(member, one.node)
                ):
                    self._live(member)

    def _called_elsewhere(self, member: Definition, owner: ast.ClassDef) -> bool:
        """Whether a user or a library may call it: special, of a base of theirs, a data field."""
        if member.name.startswith(("__", "_repr_")) or isinstance(member.node, ast.AnnAssign):
            return True
        public = not member.name.startswith("_")
        bases = {getattr(base, "attr", getattr(base, "id", "")) for base in owner.bases}
        return (
            _handed_over(member.node)
            or (public and member.module.startswith(FOR_USERS))
            or (public and bool(bases & _FOREIGN))
        )

    def dead(self) -> list[Definition]:
        """What nothing reaches, by module and line; members of what is dead are left out."""
        found = [
            one
            for one in self.known.values()
            if one.key not in self.live and (not one.owner or (one.module, one.owner) in self.live)
        ]
        return sorted(found, key=lambda one: (one.module, one.node.lineno))


def main() -> None:
    """Print what is unused."""
    dead = Walk().dead()
    for one in dead:
        print(f"{one.module}:{one.node.lineno}: {one.key[1]} ({one.lines})")  # noqa: T201
    print(len(dead), "unused,", sum(one.lines for one in dead), "lines", file=sys.stderr)  # noqa: T201
    sys.exit(bool(dead))


if __name__ == "__main__":
    main()
