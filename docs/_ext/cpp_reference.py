"""The directive `cpp-header FILE`: the reference of a header of src/sinew, made from Doxygen's XML of it.

Classes, their public and protected members, enumerations and free functions, in the order of the header.
"""

import functools
import pathlib
import re
import xml.etree.ElementTree as xml

from docutils.parsers.rst import Directive

from rst_text import escaped, parsed

ROOT = pathlib.Path(__file__).resolve().parents[2]
XML = ROOT / "build/docs/doxygen/xml"
SHOWN = ("public-func", "public-static-func", "public-attrib", "public-static-attrib", "public-type", "protected-func")


@functools.lru_cache(None)
def compounds():
    """All compounds of the XML: (kind, name, header) to element."""
    found = {}
    for path in sorted(XML.glob("*.xml")):
        for element in xml.parse(path).getroot().iter("compounddef"):
            found[element.get("id")] = element
    return found


def header_of(element):
    return element.find("location").get("file").removeprefix("src/sinew/")


def text_of(element):
    """The text of a description; computer output as code."""
    if element is None:
        return ""
    if element.tag == "computeroutput":
        return f"`{''.join(element.itertext())}`"
    return (element.text or "") + "".join(text_of(child) + (child.tail or "") for child in element)


def described(element, indent):
    texts = [text_of(element.find(tag)) for tag in ("briefdescription", "detaileddescription")]
    text = " ".join(" ".join(texts).split())
    return [indent + escaped(text), ""] if text else []


def flat(element):
    text = " ".join("".join(element.itertext()).split()) if element is not None else ""
    return re.sub(r" ([&*]+)", r"\1 ", text).replace("< ", "<").replace(" >", ">").replace("  ", " ").strip()


def template_of(element):
    parameters = element.find("templateparamlist")
    if parameters is None:
        return ""
    each = [" ".join(filter(None, (flat(p.find("type")), flat(p.find("declname"))))) for p in parameters.iter("param")]
    return f"template<{', '.join(each)}> "


def enumeration(element, indent):
    scoped = "enum-class" if element.get("strong") == "yes" else "enum"
    lines = [f"{indent}.. cpp:{scoped}:: {flat(element.find('name'))}", "", *described(element, indent + "   ")]
    for value in element.iter("enumvalue"):
        lines += [f"{indent}   .. cpp:enumerator:: {flat(value.find('name'))}", "", *described(value, indent + "      ")]
    return lines


def member(element, indent):
    kind, name = element.get("kind"), flat(element.find("name"))
    if kind == "enum":
        return enumeration(element, indent)
    if kind == "function" and name.startswith(("~", "operator")) or element.find("type") is not None and "constexpr" in flat(
            element.find("type")) and kind == "variable":
        return []
    type_ = flat(element.find("type"))
    if kind == "typedef":
        head = f"cpp:type:: {name} = {type_}"
    elif kind == "variable":
        pointer = type_.endswith("(*")  # to a function: double (*memory)(const System&)
        head = f"cpp:member:: {type_[:-2]} (*{name}{flat(element.find('argsstring'))}" if pointer else f"cpp:member:: {type_} {name}"
    elif kind == "function":
        words = [word for word in ("static", "explicit") if element.get(word) == "yes"]
        if element.get("virt") in ("virtual", "pure-virtual"):
            words.append("virtual")
        arguments = flat(element.find("argsstring"))
        head = f"cpp:function:: {template_of(element)}{' '.join([*words, type_, name]).replace('  ', ' ')}{arguments}"
    else:
        return []
    return [f"{indent}.. {head}", "", *described(element, indent + "   ")]


def line_of(element):
    return int(element.find("location").get("line"))


def members(element, indent):
    found = [m for section in element.iter("sectiondef") if section.get("kind") in SHOWN for m in section.iter("memberdef")]
    return [line for m in sorted(found, key=line_of) for line in member(m, indent)]


def class_lines(element):
    name = flat(element.find("compoundname")).removeprefix("sinew::")
    kind = "struct" if element.get("kind") == "struct" else "class"
    bases = ", ".join(f"public {flat(base)}" for base in element.iter("basecompoundref"))
    head = f".. cpp:{kind}:: {template_of(element)}{name}" + (f" : {bases}" if bases else "")
    return [head, "", *described(element, "   "), *members(element, "   ")]


def header_lines(header):
    blocks = []
    for element in compounds().values():
        kind, name = element.get("kind"), flat(element.find("compoundname"))
        if kind == "file" and header_of(element) == header:
            blocks.append((0, described(element, "")))
        elif kind in ("class", "struct") and header_of(element) == header and name.count("::") == 1 and "<" not in name:
            blocks.append((line_of(element), class_lines(element)))
        elif kind == "namespace" and re.fullmatch(r"sinew(::\w+)?", name):
            within = name.removeprefix("sinew").removeprefix("::")
            for m in element.iter("memberdef"):
                if header_of(m) == header:
                    m.find("name").text = "::".join(filter(None, (within, flat(m.find("name")).split("::")[-1])))
                    blocks.append((line_of(m), member(m, "")))
    if not blocks:
        raise LookupError(f"{XML.relative_to(ROOT)} has nothing of {header}: run scripts/docs")
    return [".. cpp:namespace:: sinew", "", *(line for _, lines in sorted(blocks, key=lambda b: b[0]) for line in lines)]


class CppHeader(Directive):
    required_arguments = 1

    def run(self):
        return parsed(self, header_lines(self.arguments[0]), ROOT / "src/sinew" / self.arguments[0])


def setup(app):
    app.add_directive("cpp-header", CppHeader)
    return {"parallel_read_safe": True}
