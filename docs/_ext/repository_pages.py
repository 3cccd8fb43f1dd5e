"""Pages that are written for a code host's view of the repository, fitted to the site.

Links that lead out of docs/ have no target on the site: their text stays. The table of the gallery becomes a grid of
pictures, and its scenes enter the navigation.
"""

import html
import os
import re

LINK = re.compile(r"\[([^\]]*)\]\(((?:\.\./)+[^)\s#]+)(#[^)\s]*)?\)")
GALLERY_ROW = re.compile(
    r'^\| <a href="(?P<page>[\w/]+)\.md"><img src="(?P<picture>[^"]+)"[^>]*></a> \| \[(?P<title>[^\]]+)\]\([^)]*\) \| (?P<text>.*) \|$', re.M)


def without_links_out_of_docs(app, docname, text):
    folder = os.path.dirname(os.path.join(app.srcdir, docname))

    def replaced(match):
        target = os.path.normpath(os.path.join(folder, match[2]))
        inside = os.path.commonpath([target, app.srcdir]) == str(app.srcdir)
        return match[0] if inside else match[1]

    return LINK.sub(replaced, text)


def with_grid(text):
    lines, cards = [], []
    for line in text.splitlines():
        row = GALLERY_ROW.match(line)
        if row:
            if not cards:
                while lines and lines[-1].startswith("|"):  # the head of the table
                    lines.pop()
                lines.append("@grid@")
            cards.append(f'<a class="card" href="{row["page"]}.html"><img src="../_images/{row["picture"]}" alt="" loading="lazy">'
                         f"<strong>{html.escape(row['title'])}</strong><span>{html.escape(row['text'])}</span></a>")
        else:
            lines.append(line)
    grid = '```{raw} html\n<div class="gallery">\n' + "\n".join(cards) + "\n</div>\n```\n"
    pages = "\n```{toctree}\n:hidden:\n:glob:\n\n*\n```\n"
    return "\n".join(lines).replace("@grid@", grid) + "\n" + pages


def fit(app, docname, source):
    text = without_links_out_of_docs(app, docname, source[0])
    source[0] = with_grid(text) if GALLERY_ROW.search(text) else text


def setup(app):
    app.connect("source-read", fit)
    return {"parallel_read_safe": True}
