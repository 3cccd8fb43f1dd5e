"""Sphinx settings of the documentation site. Build it with scripts/docs."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "docs/_ext"))

project = "sinew"
release = re.search(r"project\(sinew VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
version = release
html_title = f"sinew {release}"
html_theme = "furo"
html_show_copyright = False
html_show_sourcelink = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["gallery.js"]
html_last_updated_fmt = None
html_copy_source = False

extensions = ["myst_parser", "sphinx_copybutton", "repository_pages", "simulating_page",
              "stub_reference", "cpp_reference", "local_mathjax"]
exclude_patterns = ["README.md", "_ext", "_static"]  # README.md shows the folder on code hosts; the site starts at index.md
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 6
myst_update_mathjax = False  # its settings are of MathJax 3
smartquotes = False  # docstrings and comments hold code
copybutton_prompt_text = r"\$ "
copybutton_prompt_is_regexp = True

# Types of other libraries have no page here; neither have the types that only the engine's own code sees.
nitpick_ignore_regex = [("cpp:.*", ".*"), ("py:.*", ".*")]
highlight_language = "none"
