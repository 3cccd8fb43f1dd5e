"""Formulas without the network: copies what they need of MathJax from its Debian package into the site."""

import pathlib
import shutil

PACKAGE = pathlib.Path("/usr/share/javascript/mathjax")
PARTS = ("MathJax.js", "config/TeX-AMS_CHTML.js", "extensions", "fonts/HTML-CSS/TeX/woff", "jax/element", "jax/input/TeX",
         "jax/output/CommonHTML")


def copy_parts(app, exception):
    if exception or app.builder.format != "html":
        return
    target = pathlib.Path(app.outdir) / "_static" / "mathjax"
    for part in PARTS:
        source, copy = PACKAGE / part, target / part
        copy.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, copy, dirs_exist_ok=True)
        else:
            shutil.copyfile(source, copy)


def setup(app):
    app.connect("build-finished", copy_parts)
    app.config.mathjax_path = "mathjax/MathJax.js?config=TeX-AMS_CHTML"
    # MyST has MathJax skip all but formulas, in the settings of version 3; these are those of version 2.
    app.config.mathjax2_config = {"tex2jax": {"processClass": "math"}, "messageStyle": "none"}
    return {"parallel_read_safe": True}
