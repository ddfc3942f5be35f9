"""The extension is made by cffi, which types nothing."""

from typing import Any, Callable, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])

class _FFI:
    def def_extern(self, name: str, *, error: Any = None,
                   onerror: Any = None) -> Callable[[_Function], _Function]: ...
    def __getattr__(self, name: str) -> Any: ...

ffi: _FFI
lib: Any
