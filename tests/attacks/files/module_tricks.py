"""Replaces its own module, and gives it attributes that hang."""

import sys, types


class Trap(types.ModuleType):
    def __getattr__(self, name):
        while True:
            pass


sys.modules["submission"] = Trap("submission")
sys.modules[__name__].__class__ = Trap
del fit_mean
