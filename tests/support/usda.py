"""Reads USD text files as far as sinew writes them, and refuses what usdchecker reports."""

import pathlib
import re

import numpy

TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|<[^>]*>|@[^@]*@|[\w:.+-]+|[()\[\]{}=,])')


def require(true, text):
    if not true:
        raise ValueError(text)


class Prim:

    def __init__(self, kind, name, path):
        self.kind, self.name, self.path = kind, name, path
        self.metadata, self.values, self.types, self.attribute_metadata, self.children = {}, {}, {}, {}, []

    def find(self, path):
        return next((prim for prim in self.all() if prim.path == path), None)

    def all(self):
        yield self
        for child in self.children:
            yield from child.all()


class Reader:

    def __init__(self, text):
        require(text.startswith("#usda 1.0\n"), "header")
        body = text[len("#usda 1.0\n"):]
        self.tokens, at = [], 0
        while body[at:].strip():
            match = TOKEN.match(body, at)
            require(match, f"unknown text {body[at:at + 30]!r}")
            self.tokens.append(match.group(1))
            at = match.end()
        self.at = 0

    def next(self, expected=None):
        token = self.tokens[self.at]
        self.at += 1
        require(expected is None or token == expected, f"found {token!r}, expected {expected!r}")
        return token

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def value(self):
        token = self.next()
        if token in "[(":
            end, items = {"[": "]", "(": ")"}[token], []
            while self.peek() != end:
                items.append(self.value())
                if self.peek() != end:
                    self.next(",")
            self.next(end)
            return items
        if token[0] == '"':
            return token[1:-1].replace('\\"', '"').replace("\\\\", "\\")
        return token if token[0] in "<@" else float(token)

    def metadata(self):
        found = {}
        if self.peek() == "(":
            self.next()
            while self.peek() != ")":
                words = [self.next()]
                while self.peek() != "=":
                    words.append(self.next())
                self.next("=")
                found[" ".join(words)] = self.value()
            self.next(")")
        return found

    def prim(self, parent):
        self.next("def")
        kind, name = self.next(), self.next()
        require(re.fullmatch(r'"[A-Za-z_]\w*"', name), f"{name} is no name of a prim")
        prim = Prim(kind, name[1:-1], f"{parent}/{name[1:-1]}")
        prim.metadata = self.metadata()
        self.next("{")
        while self.peek() != "}":
            if self.peek() == "def":
                prim.children.append(self.prim(prim.path))
            else:
                self.attribute(prim)
        self.next("}")
        names = [child.name for child in prim.children]
        require(len(set(names)) == len(names), f"{prim.path}: two children with one name")
        return prim

    def attribute(self, prim):
        words = []
        while self.peek() not in ("=", "def", "}"):
            token = self.next()
            if token == "[":  # of the type
                self.next("]")
                words[-1] += "[]"
                continue
            words.append(token)
            # A declaration without a value ends before the next type.
            if len(words) >= 2 and self.peek() not in ("=", "[") and words[0] not in ("uniform",):
                break
        name = words[-1]
        require(name not in prim.types, f"{prim.path}: two attributes {name}")
        prim.types[name] = " ".join(words[:-1])
        if self.peek() != "=":
            return
        self.next("=")
        if name.endswith(".timeSamples"):
            self.next("{")
            samples = {}
            while self.peek() != "}":
                code, point = self.next(), None
                require(code.endswith(":"), f"time code {code}")
                code = float(code[:-1])
                require(not samples or code > max(samples), "time codes ascend")
                samples[code] = self.value()
                self.next(",")
            self.next("}")
            prim.values[name] = samples
        else:
            prim.values[name] = self.value()
        prim.attribute_metadata[name] = self.metadata()


class Usda:

    def __init__(self, path):
        reader = Reader(pathlib.Path(path).read_text())
        self.metadata = reader.metadata()
        self.root = reader.prim("")
        require(reader.peek() is None, "more than one root prim")
        self.check()

    def check(self):
        stage = self.metadata
        require(stage["defaultPrim"] == self.root.name and self.root.kind == "Xform", "defaultPrim")
        require(stage["upAxis"] in ("Y", "Z") and stage["metersPerUnit"] == 1, "stage metadata")
        require(stage["timeCodesPerSecond"] > 0 and stage["startTimeCode"] <= stage["endTimeCode"], "time codes")
        for prim in self.root.all():
            if prim.kind == "Mesh":
                self.check_mesh(prim)
            if "material:binding" in prim.values:
                require("MaterialBindingAPI" in prim.metadata.get("prepend apiSchemas", []), f"{prim.path}: no MaterialBindingAPI")
                require(self.root.find(prim.values["material:binding"][1:-1]).kind == "Material", f"{prim.path}: its material")
            if prim.kind == "Material":
                target = prim.values["outputs:surface.connect"][1:-1]
                shader = self.root.find(target.rsplit(".", 1)[0])
                require(shader.kind == "Shader" and target.endswith(".outputs:surface"), f"{prim.path}: its shader")
                require(shader.values["info:id"] == "UsdPreviewSurface" and "outputs:surface" in shader.types, shader.path)
                require(prim.types["outputs:surface.connect"] == "token", prim.path)

    def check_mesh(self, mesh):
        values, types = mesh.values, mesh.types
        require(values["subdivisionScheme"] == "none" and types["subdivisionScheme"] == "uniform token", "subdivisionScheme")
        require(types["points.timeSamples"] == "point3f[]" and types["extent.timeSamples"] == "float3[]", "types")
        counts, corners = [numpy.array(values[key], int) for key in ("faceVertexCounts", "faceVertexIndices")]
        require(counts.sum() == len(corners) and counts.min() >= 3, "faces")
        require(values["points.timeSamples"].keys() == values["extent.timeSamples"].keys(), "extents")
        codes = list(values["points.timeSamples"])
        require(codes[0] == self.metadata["startTimeCode"] and codes[-1] == self.metadata["endTimeCode"], "range of time codes")
        for code, points in values["points.timeSamples"].items():
            points = numpy.array(points)
            require(corners.min() >= 0 and corners.max() < len(points), "corners")
            require(numpy.array_equal(values["extent.timeSamples"][code], [points.min(0), points.max(0)]), "extent")
        if "primvars:st" in values:
            require(mesh.attribute_metadata["primvars:st"] == {"interpolation": "faceVarying"}, "interpolation")
            indices = numpy.array(values["primvars:st:indices"], int)
            require(len(indices) == len(corners) and indices.max() < len(values["primvars:st"]), "texture coordinates")
        families = {}
        for child in mesh.children:
            require(child.kind == "GeomSubset" and child.values["elementType"] == "face", "subset")
            families.setdefault(child.values["familyName"], []).extend(child.values["indices"])
        for family, faces in families.items():
            kind = values[f"subsetFamily:{family}:familyType"]
            require(len(set(faces)) == len(faces), "a face in two subsets")
            require(kind == "nonOverlapping" or sorted(faces) == list(range(len(counts))), "subsets are no partition")
        require(("material:binding" in values) != ("materialBind" in families), "one way to bind materials")

    def mesh(self, display_name):
        return next(prim for prim in self.root.children if prim.metadata.get("displayName") == display_name)
