"""A scripted agent: it knows three repairs, and makes those that the feedback asks for.

Without feedback it does what it thinks is all there is to do. It stands for a real agent, which
would read the same file.
"""

import os
import pathlib
import re

SOURCE = pathlib.Path("slugs.py")

REPAIRS = {
    "test_small_letters": "title = title.lower()",
    "test_punctuation": 'title = "".join(c for c in title if c.isalnum() or c.isspace())',
    "test_spaces": 'title = "-".join(title.split())',
}


def main():
    feedback = pathlib.Path(os.environ["AGENT_JUDGE_FEEDBACK_FILE"]).read_text("utf-8")
    failing = re.findall(r"test_[a-z_]+", feedback) or ["test_small_letters"]
    source = SOURCE.read_text("utf-8")
    for test, repair in REPAIRS.items():
        if test in failing and repair not in source:
            source = source.replace("    return title\n", f"    {repair}\n    return title\n")
            print(f"repaired for {test}")
    SOURCE.write_text(source, "utf-8")


main()
