"""Generate the glue between Python and the compiled steps from their table.

    python -m thresher.native.generate

Writes generated.h (constants, and the arguments of each step as a struct), generated.c (the
functions of the extension) and steps.py (their types). A test compares the files with the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from thresher.native.table import ITEM_BYTES, Argument, Size, Step, read_constants, read_steps

_FOLDER: Final = Path(__file__).parent
_NOTE: Final = "generated from steps.txt by `python -m thresher.native.generate`"
_C_TYPES: Final = {
    "bool": "uint8_t",
    **{
        f"{sign}{bits}": f"{sign.strip('i')}int{bits}_t"
        for sign in "ui"
        for bits in (8, 16, 32, 64)
    },
    "f32": "float",
    "f64": "double",
    "int": "int64_t",
    "float": "double",
    "clock": "Clock *",
}
_NUMPY_TYPES: Final = {
    "bool": "bool_",
    **{f"u{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
    **{f"i{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    "f32": "float32",
    "f64": "float64",
}


def main() -> None:
    """Write the generated files."""
    for name, text in generate().items():
        (_FOLDER / name).write_text(text, encoding="utf-8")


def generate() -> dict[str, str]:
    """Return the text of each generated file, by name."""
    steps = read_steps()
    return {
        "generated.h": _generate_header(steps),
        "generated.c": _generate_glue(steps),
        "steps.py": _generate_types(steps),
    }


def _generate_header(steps: tuple[Step, ...]) -> str:
    constants = ",\n".join(f"    {name} = {value}" for name, value in read_constants().items())
    structs = "\n".join(_generate_struct(step) for step in steps)
    return (
        f"/* The arguments of the compiled steps; {_NOTE}. */\n\n"
        "#ifndef THRESHER_GENERATED_H\n#define THRESHER_GENERATED_H\n\n"
        '#include <stddef.h>\n#include <stdint.h>\n\n#include "core.h"\n\n'
        f"enum {{\n{constants}\n}};\n\n{structs}\n#endif\n"
    )


def _generate_struct(step: Step) -> str:
    fields = [
        f"    {_declare(argument)}"
        for argument in (*step.arguments, *step.results)
        if argument.is_array or argument.role == "input"
    ]
    sizes = [f"    size_t {name};" for name in _sizes_of(step)]
    return "\n".join(
        (
            f"/* {step.summary} */",
            f"struct {step.name}_arguments {{",
            *fields,
            *sizes,
            "};",
            f"int64_t step_{step.name}(const struct {step.name}_arguments *of);\n",
        )
    )


def _declare(argument: Argument) -> str:
    c_type = _C_TYPES[argument.type]
    if not argument.is_array:
        return f"{c_type} {argument.name};".replace("* ", "*")
    const = "const " if argument.role == "input" else ""
    shape = ", ".join(map(_spell, argument.sizes))
    return f"{const}{c_type} *{argument.name}; /* [{shape}] */"


def _spell(size: Size) -> str:
    return " + ".join(part for part in (size.name, str(size.plus or "")) if part) or "0"


def _sizes_of(step: Step) -> list[str]:
    """Return the names of sizes that arrays bind, in order."""
    ints = {argument.name for argument in step.arguments if not argument.is_array}
    sizes = (size.name for argument in step.given for size in argument.sizes)
    return [name for name in dict.fromkeys(sizes) if name and name not in ints]


def _generate_glue(steps: tuple[Step, ...]) -> str:
    functions = "\n".join("\n".join(_generate_function(step)) for step in steps)
    methods = "\n".join(
        f'    {{"{step.name}", (PyCFunction)(void (*)(void))py_{step.name}, METH_FASTCALL, NULL}},'
        for step in steps
    )
    return (
        f"/* The functions of the extension; {_NOTE}. */\n\n"
        '#include "generated.h"\n#include "glue.h"\n\n'
        f"{functions}\n"
        f"PyMethodDef STEPS[] = {{\n{methods}\n    {{NULL, NULL, 0, NULL}},\n}};\n"
    )


def _generate_function(step: Step) -> Iterator[str]:
    """Generate a function: open the arrays, bind and compare sizes, allocate, run, return."""
    given = step.given
    made = [result for result in step.results if result.is_array]
    scratch = [argument for argument in step.arguments if argument.role == "scratch"]
    arrays = [argument for argument in given if argument.is_array]
    yield f"static PyObject *py_{step.name}(PyObject *module, PyObject *const *args,"
    yield f"{' ' * (len(step.name) + 20)}Py_ssize_t n_arg)"
    yield "{"
    yield f"    struct {step.name}_arguments of;"
    yield f"    Py_buffer views[{max(1, len(arrays) + len(made))}];"
    yield "    Call call = {.module = module, .views = views};"
    if arrays:
        yield f"    size_t n_item[{len(arrays)}];"
    yield f"    if (!are_arguments(n_arg, {len(given)})) {{\n        return NULL;\n    }}"
    yield "    if (!(" + "\n          && ".join(_open_arguments(given)) + ")) {"
    yield "        return abandon(&call);\n    }"
    checks = list(_check_sizes(step))
    if checks:
        yield "    if (!(" + "\n          && ".join(checks) + ")) {"
        yield "        return reject_sizes(&call);\n    }"
    makes = [*map(_make_scratch, scratch), *map(_make_result, made)]
    if makes:
        yield "    if (!(" + "\n          && ".join(makes) + ")) {"
        yield "        return abandon(&call);\n    }"
    yield "    int64_t number;"
    clocks = [clock for clock in given if clock.type == "clock"]
    yield from (
        f"    of.{clock.name} = &(Clock){{look_at_clock, &call, ITEMS_BETWEEN}};"
        for clock in clocks
    )
    yield "    call.thread = PyEval_SaveThread();" if clocks else "    Py_BEGIN_ALLOW_THREADS"
    yield f"    number = step_{step.name}(&of);"
    yield "    PyEval_RestoreThread(call.thread);" if clocks else "    Py_END_ALLOW_THREADS"
    number = [place for place, result in enumerate(step.results) if not result.is_array]
    yield f"    return finish(&call, number, {number[0] if number else 'NO_NUMBER'});"
    yield "}\n"


def _open_arguments(given: tuple[Argument, ...]) -> Iterator[str]:
    array = 0
    for place, argument in enumerate(given):
        if argument.is_array:
            is_written = int(argument.role == "inout")
            target = f"(const void **)&of.{argument.name}, &n_item[{array}]"
            yield f"open_array(&call, args[{place}], {_code(argument)}, {is_written}, {target})"
            array += 1
        elif argument.type == "clock":
            yield f"read_clock(&call, args[{place}])"
        else:
            yield f"read_{argument.type}(args[{place}], &of.{argument.name})"


def _code(argument: Argument) -> str:
    return f"ITEM_{argument.type.upper()}"


def _check_sizes(step: Step) -> Iterator[str]:
    """Generate a check of each array's size; the first with one unknown name binds it."""
    every = (*step.arguments, *step.results)
    used = {size.name for argument in every for size in argument.sizes}
    known = {argument.name for argument in step.arguments if not argument.is_array}
    yield from (f"is_size(of.{one.name})" for one in step.arguments if one.name in known & used)
    pending = list(enumerate(argument for argument in step.given if argument.is_array))
    while pending:
        # An array of several unknown sizes waits for others to bind all but one.
        place, argument = min(pending, key=lambda entry: len(_unknown(entry[1], known)))
        pending.remove((place, argument))
        unknown = _unknown(argument, known)
        if not unknown:
            yield f"n_item[{place}] == {_multiply(argument.sizes)}"
            continue
        (size,) = unknown
        rest = _multiply(tuple(other for other in argument.sizes if other != size))
        yield f"bind_size(n_item[{place}], {rest}, {size.plus}, &of.{size.name})"
        known.add(size.name)


def _unknown(argument: Argument, known: set[str]) -> list[Size]:
    return [size for size in argument.sizes if size.name and size.name not in known]


def _multiply(sizes: tuple[Size, ...]) -> str:
    product = ""
    for size in sizes:
        factor = f"(size_t)of.{size.name}" if size.name else str(size.plus)
        if size.name and size.plus:
            factor += f" + {size.plus}"
        product = f"multiply({product}, {factor})" if product else factor
    return product or "1"


def _make_scratch(argument: Argument) -> str:
    n_byte = f"multiply({_multiply(argument.sizes)}, {ITEM_BYTES[argument.type]})"
    return f"make_scratch(&call, {n_byte}, (void **)&of.{argument.name})"


def _make_result(argument: Argument) -> str:
    sizes = ", ".join(f"(Py_ssize_t)({_multiply((size,))})" for size in argument.sizes)
    shape = f"(const Py_ssize_t[]){{{sizes}}}, {len(argument.sizes)}"
    cut = int(argument.is_cut)
    return f"make_result(&call, {_code(argument)}, {shape}, {cut}, (void **)&of.{argument.name})"


def _generate_types(steps: tuple[Step, ...]) -> str:
    methods = "\n\n".join(_generate_method(step) for step in steps)
    return (
        '"""The types of the compiled steps."""\n\n'
        f"# {_NOTE[0].upper()}{_NOTE[1:]}; neither linted nor formatted.\n"
        "from __future__ import annotations\n\n"
        "from collections.abc import Callable\n"
        "from typing import TYPE_CHECKING, Protocol\n\n"
        # `thresher --version` asks whether there are steps, and needs no numpy for that.
        "if TYPE_CHECKING:\n"
        "    import numpy as np\n    import numpy.typing as npt\n\n"
        "    _Bytes = bytes | memoryview | npt.NDArray[np.uint8 | np.int8 | np.bool_]\n"
        "    _Integers = npt.NDArray[np.integer]\n"
        "    _Floats = npt.NDArray[np.floating]\n\n\n"
        "class Steps(Protocol):\n"
        '    """The compiled steps. Each returns None if it cannot handle its input.\n\n'
        "    ValueError for arrays whose sizes do not match. No content of an array makes a step\n"
        '    read or write out of bounds.\n    """\n\n'
        f"{methods}\n"
    )


def _generate_method(step: Step) -> str:
    arguments = ", ".join(f"{argument.name}: {_input_type(argument)}" for argument in step.given)
    results = [_result_type(output) for output in step.results]
    result = results[0] if len(results) == 1 else f"tuple[{', '.join(results)}]"
    head = f"    def {step.name}(self, {arguments}, /) -> {result} | None:"
    return f'{head}\n        """{step.summary}"""'


def _input_type(argument: Argument) -> str:
    if argument.type == "clock":
        return "Callable[[], None]"
    if not argument.is_array:
        return argument.type
    if ITEM_BYTES[argument.type] == 1:
        return "_Bytes"
    return "_Floats" if argument.type[0] == "f" else "_Integers"


def _result_type(argument: Argument) -> str:
    return f"npt.NDArray[np.{_NUMPY_TYPES[argument.type]}]" if argument.is_array else argument.type


if __name__ == "__main__":
    main()
