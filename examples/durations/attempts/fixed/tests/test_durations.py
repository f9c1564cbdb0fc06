import unittest

from durations import parse, write


class Parse(unittest.TestCase):
    def test_one_unit(self):
        self.assertEqual(parse("45s"), 45)
        self.assertEqual(parse("2h"), 7200)

    def test_several_units(self):
        self.assertEqual(parse("1h30m"), 5400)
        self.assertEqual(parse("1d1s"), 86_401)

    def test_no_unit_is_refused(self):
        with self.assertRaises(ValueError):
            parse("45")

    def test_an_unknown_unit_is_refused(self):
        with self.assertRaises(ValueError):
            parse("1h5x")

    def test_nothing_is_refused(self):
        with self.assertRaises(ValueError):
            parse("")


class Write(unittest.TestCase):
    def test_several_units(self):
        self.assertEqual(write(5400), "1h30m")

    def test_zero(self):
        self.assertEqual(write(0), "0s")


if __name__ == "__main__":
    unittest.main()
