"""Doxygen's input filter: prints a header with the comments of sinew's style as comments that Doxygen reads.

The comment at the head describes the file; one on the lines before a declaration describes it, and one behind a member
describes that.
"""

import re
import sys


def escaped(text):
    text = re.sub(r"([\\@<>#&$%])", r"\\\1", text)
    return re.sub(r"`([^`]+)`", r"<tt>\1</tt>", text)


def filtered(lines):
    head = True
    for line in lines:
        whole = re.match(r"^(\s*)//(?!/) ?(.*)$", line)
        behind = re.match(r"^(.*\S)\s+// (.*)$", line)
        if whole and head == "started":
            yield f"/// {escaped(whole[2])}"
        elif whole and head is True:
            head = "started"
            yield f"/// \\file\n/// {escaped(whole[2])}"
        elif whole:
            yield f"{whole[1]}/// {escaped(whole[2])}"
        elif behind and not line.startswith("#") and '"' not in line:
            yield f"{behind[1]}  ///< {escaped(behind[2])}"
        else:
            head = False
            yield line


for text in filtered(open(sys.argv[1]).read().splitlines()):
    print(text)
