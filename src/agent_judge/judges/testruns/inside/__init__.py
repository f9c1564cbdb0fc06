"""Programs that run tests, and tell a judge what they see.

They are started by their paths, in the interpreter of the judged project, which may be older and
has no need of this package: they import nothing but the standard library and the test framework,
and run on Python 3.9 and later, with pytest 7 and later.
"""
