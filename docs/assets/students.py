"""Draw the pictures of docs/students.md by running the page itself: python docs/assets/students.py"""

import doctest
import os
import re
import tempfile
from pathlib import Path

from PIL import Image

HERE = Path(__file__).parent
PAGE = HERE.parent / "students.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)
COLOURS = 128  # enough for these pictures, and a third of the bytes

if __name__ == "__main__":
    text, names = PAGE.read_text("utf-8"), {"__name__": "__main__"}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for block in BLOCK.findall(text):
            for example in doctest.DocTestParser().get_examples(block):
                exec(example.source, names)
        for picture in sorted(set(re.findall(r"students-\w+\.png", text))):
            Image.open(picture).convert("RGB").quantize(COLOURS).save(HERE / picture, optimize=True)
        os.chdir(HERE)
