# SPDX-License-Identifier: Apache-2.0
"""Block-sparse times dense on an NVIDIA card, by libkernelgate_bsr.so. Needs nothing but the standard library.

    import kernelgate_bsr

    with kernelgate_bsr.Plan(rows, columns, (64, 64), row_begin, block_column, n, "fp16") as plan:
        plan.bind(values.data_ptr(), b.data_ptr(), c.data_ptr())   # the GPU's addresses, such as a torch.Tensor's
        plan.run(torch.cuda.current_stream().cuda_stream)          # enqueues
        print(plan.configuration, plan.decision, sep="\\n")
        out = plan.multiply(host_values, host_b)   # or the host's buffers of 16-bit elements in, a bytearray out

The library is found by KERNELGATE_BSR_LIBRARY, beside this file, or by the system's loader. What each call does, and
what must live how long, stands in kernelgate_bsr.h.
"""
import ctypes
import operator
import os

ABI = 1
_TYPES = {"fp16": 0, "bf16": 1}
_INT, _TEXT, _POINTER = ctypes.c_int32, ctypes.c_char_p, ctypes.c_void_p


class BsrError(RuntimeError):
    """What the library refuses or meets. Its subclasses say which."""


class InvalidArgument(BsrError, ValueError):
    """An argument cannot be used."""


class NoDevice(BsrError):
    """There is no GPU that can be used."""


class Failed(BsrError):
    """CUDA or one of its libraries failed."""


class NoMemory(BsrError, MemoryError):
    """The host or the GPU has no memory left."""


class LibraryMissing(BsrError, OSError):
    """libkernelgate_bsr.so, or a library that it needs, cannot be loaded."""


_ERRORS = {1: InvalidArgument, 2: NoDevice, 3: Failed, 4: NoMemory}


class _Pattern(ctypes.Structure):
    _fields_ = [("rows", _INT), ("columns", _INT), ("block_rows", _INT), ("block_columns", _INT),
                ("row_begin", ctypes.POINTER(_INT)), ("block_column", ctypes.POINTER(_INT))]


_SIGNATURES = {
    "kg_bsr_abi": (_INT, []),
    "kg_bsr_last_error": (_TEXT, []),
    "kg_bsr_plan_create": (_INT, [ctypes.POINTER(_Pattern), _INT, _INT, ctypes.POINTER(_POINTER)]),
    "kg_bsr_plan_destroy": (None, [_POINTER]),
    "kg_bsr_plan_pin": (_INT, [_POINTER, _TEXT]),
    "kg_bsr_plan_bind": (_INT, [_POINTER, _POINTER, _POINTER, _POINTER]),
    "kg_bsr_plan_run": (_INT, [_POINTER, _POINTER]),
    "kg_bsr_plan_multiply": (_INT, [_POINTER, _POINTER, _POINTER, _POINTER]),
    "kg_bsr_plan_configuration": (_TEXT, [_POINTER]),
    "kg_bsr_plan_decision": (_TEXT, [_POINTER]),
}


def load(path=None):
    """The library, its functions typed; the same one for the same path."""
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libkernelgate_bsr.so")
    path = path or os.environ.get("KERNELGATE_BSR_LIBRARY") or (beside if os.path.exists(beside) else None)
    try:
        library = ctypes.CDLL(path or "libkernelgate_bsr.so")
        for name, (result, arguments) in _SIGNATURES.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError) as error:
        raise LibraryMissing(f"{error}; KERNELGATE_BSR_LIBRARY may name the file") from error
    if library.kg_bsr_abi() != ABI:
        raise LibraryMissing(f"the library speaks version {library.kg_bsr_abi()}, this module {ABI}")
    return library


def _ints(numbers, what):
    """Python's own integers, whose products do not wrap as an array's do; ctypes would cut long ones unsaid."""
    try:
        found = [operator.index(number) for number in numbers]
    except TypeError as error:
        raise InvalidArgument(f"integers are needed for {what}: {error}") from error
    for number in found:
        if not -2 ** 31 <= number < 2 ** 31:
            raise InvalidArgument(f"{what}: {number} is more than 32 bits hold")
    return found


def _array(numbers):
    return (_INT * len(numbers))(*numbers)


def _address(given, what):
    """Of the GPU's memory. Buffers of the host are for multiply: their address would stop the GPU."""
    if given is None or isinstance(given, _POINTER):
        return given
    try:
        address = operator.index(given)
    except TypeError as error:
        raise InvalidArgument(f"{what} is no address: {error} (give an integer, such as data_ptr())") from error
    if not 0 <= address < 2 ** 64:
        raise InvalidArgument(f"{what} is no address: {address}")
    return address


def _elements(data, count, what):
    """The address of a buffer of `count` elements of 16 bits, and what keeps it alive."""
    try:
        view = memoryview(data)
        view = view.cast("B") if view.nbytes else memoryview(b"")
    except TypeError as error:
        raise InvalidArgument(f"{what} cannot be read as one piece of memory: {error}") from error
    if len(view) != 2 * count:
        raise InvalidArgument(f"{what} has {len(view)} bytes where {count} elements of 16 bits are needed")
    if view.readonly:
        view = memoryview(bytearray(view))
    return (ctypes.c_char * len(view)).from_buffer(view) if view else None


class Plan:
    """One product for one pattern, number of columns and type. Close it, or use it in a `with`."""

    def __init__(self, rows, columns, block, row_begin, block_column, n, dtype="fp16", library=None):
        if dtype not in _TYPES:
            raise InvalidArgument(f"dtype is {dtype!r}; it may be 'fp16' or 'bf16'")
        block = _ints(block, "block")
        if len(block) != 2:
            raise InvalidArgument(f"block has {len(block)} numbers; it is (rows, columns)")
        rows, columns, n = _ints((rows, columns, n), "rows, columns or n")
        row_begin, block_column = _ints(row_begin, "row_begin"), _ints(block_column, "block_column")
        if rows < 0 or block[0] < 1 or len(row_begin) != rows // block[0] + 1 or len(block_column) != row_begin[-1]:
            raise InvalidArgument("row_begin needs one entry more than block rows, block_column as many as its last")
        self._library, self._plan = load(library), _POINTER()
        pattern = _Pattern(rows, columns, *block, _array(row_begin), _array(block_column))
        self._sizes = {"values": len(block_column) * block[0] * block[1], "b": columns * n, "c": rows * n}
        self._check(self._library.kg_bsr_plan_create(ctypes.byref(pattern), n, _TYPES[dtype],
                                                     ctypes.byref(self._plan)))

    def _open(self):
        if not self._plan:
            raise InvalidArgument("the plan is closed")
        return self._plan

    def _check(self, status):
        if status != 0:
            text = self._library.kg_bsr_last_error().decode("utf-8", "replace")
            raise _ERRORS.get(status, BsrError)(text)

    def pin(self, configuration):
        """Takes a configuration in place of choosing, from the next bind on; None: choose."""
        text = configuration or ""
        if not isinstance(text, str) or "\0" in text:
            raise InvalidArgument(f"configuration is {configuration!r}; it is text without a zero byte, or None")
        self._check(self._library.kg_bsr_plan_pin(self._open(), text.encode()))

    def bind(self, values, b, c):
        """Addresses of the GPU's memory, which must live while the plan is bound. Measures the first time."""
        values, b, c = (_address(given, what) for given, what in ((values, "values"), (b, "b"), (c, "c")))
        self._check(self._library.kg_bsr_plan_bind(self._open(), values, b, c))

    def run(self, stream=None):
        """Enqueues the product on a cudaStream_t, given as an integer; None is the default stream."""
        self._check(self._library.kg_bsr_plan_run(self._open(), _address(stream, "stream")))

    def multiply(self, values, b):
        """The product of buffers of the host."""
        plan, out = self._open(), bytearray(2 * self._sizes["c"])
        self._check(self._library.kg_bsr_plan_multiply(plan, _elements(values, self._sizes["values"], "values"),
                                                       _elements(b, self._sizes["b"], "b"),
                                                       _elements(out, self._sizes["c"], "c")))
        return out

    @property
    def configuration(self):
        return self._library.kg_bsr_plan_configuration(self._plan).decode()

    @property
    def decision(self):
        return self._library.kg_bsr_plan_decision(self._plan).decode()

    def close(self):
        if self._plan:
            self._library.kg_bsr_plan_destroy(self._plan)
            self._plan = _POINTER()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_plan", None):
            self.close()
