"""Keyword arguments as option values of the library, which are strings."""

from __future__ import annotations

import json
import math
import numbers
from typing import Any, Callable, Collection, Mapping

Setter = Callable[[str, str], None]


def text_of(name: str, value: Any) -> str:
    """A value as the command line would write it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        return "on" if value else "off"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        number = float(value)
        if not math.isfinite(number):
            raise ValueError(f"{name}: {number} is not a finite number")
        return repr(number)
    if isinstance(value, Mapping):
        return json.dumps(value)
    if hasattr(value, "text"):  # a Board
        return str(value.text)
    if isinstance(value, (list, tuple)):
        return ("\n" if name == "board" else ",").join(text_of(name, item) for item in value)
    raise TypeError(f"{name}: {type(value).__name__} cannot be an option")


def option_name(name: str) -> str:
    """max_pieces is the option max-pieces; a trailing underscore is for keywords of Python."""
    return name.rstrip("_").replace("_", "-")


def values_of(name: str, value: Any) -> list[str]:
    """The values of a repeatable option: a single one, those of a list, or NAME=VALUE of a dict."""
    if isinstance(value, Mapping):
        # Features, which `pin` names, have underscores; parameters have dashes.
        return [f"{key if name == 'pin' else option_name(key)}={text_of(key, item)}"
                for key, item in value.items()]
    items = value if isinstance(value, (list, tuple)) else [value]
    return [text_of(name, item) for item in items]


def apply(setter: Setter, options: Mapping[str, Any],
          repeatable: Collection[str] = ("param",)) -> None:
    """Sets every option whose value is not None, a repeatable one once per value."""
    for name, value in options.items():
        if value is None:
            continue
        for text in values_of(name, value) if name in repeatable else [text_of(name, value)]:
            setter(option_name(name), text)
