"""A page that simulates a scene by itself, inside a page of the site.

    ```{simulating-page} scenes/gallery/creature.json
    A picture's text: ![...](...)
    ```

`sinew export --web` writes the page. Without the program the contents appear in its place.
"""

import pathlib
import subprocess

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build/release/bin/sinew"


class SimulatingPage(SphinxDirective):
    required_arguments = 1
    has_content = True
    option_spec = {"title": directives.unchanged_required}

    def run(self):
        if self.env.app.builder.format != "html" or not PROGRAM.exists():
            parent = nodes.container()
            self.state.nested_parse(self.content, self.content_offset, parent)
            return parent.children
        scene = ROOT / self.arguments[0]
        if not hasattr(self.env, "simulating_pages"):
            self.env.simulating_pages = set()
        self.env.simulating_pages.add(str(scene))
        self.env.note_dependency(str(scene))
        depth = self.env.docname.count("/")
        source = "../" * depth + f"_static/{scene.stem}.html"
        frame = f'<iframe class="simulating" src="{source}" title="{self.options["title"]}" loading="lazy"></iframe>'
        return [nodes.raw("", frame, format="html")]


def write_pages(app, exception):
    if exception:
        return
    for scene in sorted(getattr(app.env, "simulating_pages", ())):
        page = pathlib.Path(app.outdir) / "_static" / f"{pathlib.Path(scene).stem}.html"
        subprocess.run([PROGRAM, "export", scene, "--method", "reduced", "--web", page, "--overwrite"], check=True,
                       stdout=subprocess.DEVNULL)


def setup(app):
    app.add_directive("simulating-page", SimulatingPage)
    app.connect("build-finished", write_pages)
