import unittest

from slugs import slug


class SlugTest(unittest.TestCase):
    def test_small_letters(self):
        self.assertEqual(slug("Hello"), "hello")

    def test_spaces(self):
        self.assertEqual(slug("hello new  world"), "hello-new-world")

    def test_punctuation(self):
        self.assertEqual(slug("hello, world!"), "hello-world")
