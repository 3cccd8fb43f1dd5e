"""Pages that are written for a code host's view of the repository, fitted to the site.

Links that lead out of docs/ have no target on the site: their text stays. The table of the gallery becomes a grid of
cards with a picture that moves below the pointer and a button that copies the scene's command. Scenes enter the navigation.
"""

import html
import os
import pathlib
import re
import shutil

GALLERY = pathlib.Path(__file__).resolve().parents[1] / "gallery"
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


def card(row):
    page, title, picture = row["page"], html.escape(row["title"]), f"../_images/gallery/{row['picture']}"
    loop = f' data-loop="../_images/gallery/{page}.webp"' if (GALLERY / f"{page}.webp").exists() else ""
    command = f"sinew run scenes/gallery/{page}.json -o out/{page}"
    return (f'<div class="card"><a href="{page}.html"><img src="{picture}"{loop} '
            f'alt="" loading="lazy"><strong>{title}</strong>'
            f'<span>{html.escape(row["text"])}</span></a>'
            f'<button type="button" data-command="{command}" aria-label="Copy the command of {title}">Copy command</button></div>')


def with_grid(text):
    lines, cards = [], []
    for line in text.splitlines():
        row = GALLERY_ROW.match(line)
        if row:
            if not cards:
                while lines and lines[-1].startswith("|"):  # the head of the table
                    lines.pop()
                lines.append("@grid@")
            cards.append(card(row))
        else:
            lines.append(line)
    grid = '```{raw} html\n<div class="gallery">\n' + "\n".join(cards) + "\n</div>\n```\n"
    pages = "\n```{toctree}\n:hidden:\n:glob:\n\n*\n```\n"
    return "\n".join(lines).replace("@grid@", grid) + "\n" + pages


def fit(app, docname, source):
    text = without_links_out_of_docs(app, docname, source[0])
    source[0] = with_grid(text) if GALLERY_ROW.search(text) else text


def copy_pictures(app, exception):
    if exception or app.builder.format != "html":
        return
    target = pathlib.Path(app.outdir) / "_images" / "gallery"
    target.mkdir(parents=True, exist_ok=True)
    for picture in GALLERY.glob("*.*"):
        if picture.suffix in (".png", ".jpg", ".webp"):
            shutil.copyfile(picture, target / picture.name)


def setup(app):
    app.connect("source-read", fit)
    app.connect("build-finished", copy_pictures)
    return {"parallel_read_safe": True}
