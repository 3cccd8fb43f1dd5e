"""Headless Chromium for the tests of the page, as a page object with what the tests ask of it."""

import json
import os
import pathlib
import tempfile
import unittest

CHROMIUM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
FLAGS = ("--headless=new", "--no-sandbox", "--enable-unsafe-swiftshader", "--hide-scrollbars", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--force-device-scale-factor=1")


class PageTest(unittest.TestCase):
    """A browser and a folder for the tests of a class; pages of a size and in light colours."""

    page = None  # the one to open

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)
        folder = tempfile.TemporaryDirectory(prefix="sinew-web-")
        cls.addClassCleanup(folder.cleanup)
        cls.root = pathlib.Path(folder.name)

    def setUp(self):
        self.browser.size(900, 600)
        self.browser.scheme("light")

    def open(self, hash="", page=None):
        self.browser.open(page or self.page, hash)


class Browser:
    def __init__(self):
        try:
            from selenium import webdriver
            from selenium.webdriver.chrome.service import Service
        except ImportError:
            raise unittest.SkipTest("python3-selenium is not installed")
        if not (os.path.exists(CHROMIUM) and os.path.exists(DRIVER)):
            raise unittest.SkipTest("chromium and chromium-driver are not installed")
        self.profile = tempfile.TemporaryDirectory()
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for flag in FLAGS + (f"--user-data-dir={self.profile.name}", "--window-size=1200,800"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        self.driver.set_script_timeout(60)

    def close(self):
        self.driver.quit()
        self.profile.cleanup()

    def size(self, width, height):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def scheme(self, name):
        self.features({"prefers-color-scheme": name})

    def features(self, values):
        """What the user prefers, by the names of media features; what is not named is as usual."""
        features = [{"name": name, "value": value} for name, value in values.items()]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def open(self, page, hash=""):
        """Opens a file and waits until its first frame is shown."""
        self.clear_logs()
        self.driver.get("about:blank")
        url = page.resolve().as_uri() if isinstance(page, pathlib.Path) else page
        self.driver.get(url + hash)
        failure = self.wait("sinew.ready.then(() => done(null), (error) => done(String(error)));")
        if failure:
            raise AssertionError(f"{url}: {failure}")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, script, *arguments):
        """Runs a script that calls done(result)."""
        return self.driver.execute_async_script("const done = arguments[arguments.length - 1];" + script, *arguments)

    def goto(self, step):
        self.wait("sinew.goto(arguments[0]).then(() => done());", step)

    def state(self):
        return self.run("return sinew.state();")

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0]).innerText;", selector)

    def key(self, key, **modifiers):
        event = {"key": key, "bubbles": True, "cancelable": True, **modifiers}
        self.run("(document.activeElement ?? document.body).dispatchEvent("
                 "new KeyboardEvent('keydown', arguments[0]));", event)

    def pixels(self):
        """The picture as (height, width, 4) bytes, drawn now."""
        import base64

        import numpy as np
        width, height, data = self.run("""
            sinew.render();
            const from = document.querySelector('#view canvas');
            const canvas = Object.assign(document.createElement('canvas'), {width: from.width, height: from.height});
            const context = canvas.getContext('2d');
            context.drawImage(from, 0, 0);
            const bytes = context.getImageData(0, 0, canvas.width, canvas.height).data;
            let text = '';
            for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
            return [canvas.width, canvas.height, btoa(text)];""")
        return np.frombuffer(base64.b64decode(data), np.uint8).reshape(height, width, 4).astype(int)

    def clear_logs(self):
        self.driver.get_log("browser")
        self.driver.get_log("performance")

    def complaints(self):
        """Errors and warnings on the console since the page was opened."""
        entries = self.driver.get_log("browser")
        lines = [entry["message"] for entry in entries if entry["level"] in ("SEVERE", "WARNING")]
        return [line for line in lines if "GL Driver Message" not in line]  # about the speed of reading pixels

    def requests(self):
        """Addresses asked for since the page was opened."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
