"""Keyword arguments as the texts that the options of the library take."""

from __future__ import annotations

import json
import math
import numbers
from typing import Any, Callable, Mapping

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
        return ",".join(text_of(name, item) for item in value)
    raise TypeError(f"{name}: {type(value).__name__} cannot be an option")


def option_name(name: str) -> str:
    """max_pieces is the option max-pieces; from_ and the like are for words that Python keeps."""
    return name.rstrip("_").replace("_", "-")


def apply(setter: Setter, options: Mapping[str, Any]) -> None:
    """Sets every option whose value is not None. `param` may be a dict."""
    for name, value in options.items():
        if value is None:
            continue
        if name == "param" and isinstance(value, Mapping):
            for parameter, number in value.items():
                setter("param", f"{option_name(parameter)}={text_of(parameter, number)}")
        else:
            setter(option_name(name), text_of(name, value))
