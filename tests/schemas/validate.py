"""Validates YAML files against a JSON Schema (2020-12), for tests/test_schemas.c.

usage: validate.py SCHEMA.yaml FILE... [-- SCHEMA.yaml FILE...]...

For each file a line: `good` or `bad`, as YAML 1.2 reads it (yes and no are words) and as YAML 1.1 does (they are truths), then the file.
"""
import re
import sys

import yaml
from jsonschema import Draft202012Validator


class Reading12(yaml.SafeLoader):
    """The core schema of YAML 1.2."""


Reading12.yaml_implicit_resolvers = {}
for tag, form, first in [
    ("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", list("tTfF")),
    ("int", r"^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$", list("-+0123456789")),
    ("float", r"^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$", list("-+0123456789.")),
]:
    Reading12.add_implicit_resolver("tag:yaml.org,2002:" + tag, re.compile(form), first)
Reading12.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value, 8) if node.value.startswith("0o") else int(node.value, 16) if node.value.startswith("0x") else int(node.value))
Reading12.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(node.value.replace(".inf", "inf").replace(".nan", "nan")))


def said(validator, path, loader):
    try:
        with open(path, encoding="utf-8") as file:
            value = yaml.load(file, Loader=loader)
    except (yaml.YAMLError, UnicodeDecodeError, ValueError):
        return "bad"
    return "good" if validator.is_valid(value) else "bad"


def validator_of(path):
    with open(path, encoding="utf-8") as file:
        schema = yaml.load(file, Loader=Reading12)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def main():
    validator = None
    for word in sys.argv[1:]:
        if word == "--":
            validator = None
        elif validator is None:
            validator = validator_of(word)
        else:
            print(said(validator, word, Reading12), said(validator, word, yaml.SafeLoader), word)


main()
