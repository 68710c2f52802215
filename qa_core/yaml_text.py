"""Reading YAML that people edit: plain values only, and what would be lost in silence is said."""

from __future__ import annotations

from typing import Any


def load_yaml(text: str) -> Any:
    """The value that a YAML text writes.

    Raises ValueError that says where for text that is no YAML, holds tags, aliases or a name twice in one
    mapping, or is nested too deep.
    """
    import yaml

    # The C form of the safe loader, ten times as fast, where the package has it.
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
    try:
        node = loader.get_single_node()
        _check(node, set())
        return loader.construct_document(node) if node else None
    except yaml.MarkedYAMLError as fault:
        raise ValueError(f"it is no valid YAML: {_said(fault)}{_line(fault.problem_mark)}") from fault
    except yaml.YAMLError as fault:
        raise ValueError(f"it is no valid YAML: {' '.join(str(fault).split())}") from fault
    except RecursionError as fault:
        raise ValueError("it is nested too deep") from fault
    finally:
        loader.dispose()


def _check(node: Any, seen: set[int]) -> None:
    """Refuse what is meant twice: an alias would let a small file hold more than memory does."""
    import yaml

    if node is None:
        return
    if id(node) in seen:
        raise ValueError(f"an alias stands for a part of the text that is used again{_line(node.start_mark)}")
    if not isinstance(node, yaml.ScalarNode):
        seen.add(id(node))
    if isinstance(node, yaml.MappingNode):
        names = set()
        for name, value in node.value:
            if name.value in names and isinstance(name, yaml.ScalarNode):
                raise ValueError(f"the name {name.value!r:.60} stands twice{_line(name.start_mark)}")
            if isinstance(name, yaml.ScalarNode):
                names.add(name.value)
            _check(name, seen)
            _check(value, seen)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            _check(value, seen)


def _said(fault: Any) -> str:
    return " ".join(filter(None, (fault.context, fault.problem)))


def _line(mark: Any) -> str:
    return f" in line {mark.line + 1}" if mark else ""
