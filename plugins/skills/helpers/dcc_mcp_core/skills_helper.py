"""JSON, YAML, files and HTTP for scripts, with errors that name what they are about; and all of `skill` and `cancellation`."""
import json as _json
import os
from pathlib import Path

from .cancellation import *  # noqa: F403
from .skill import *  # noqa: F403
from .skill import skill_error


DEFAULT_HTTP_TIMEOUT_MS = 5000
DEFAULT_HTTP_MAX_BYTES = 1024 * 1024
DEFAULT_FILE_MAX_BYTES = 64 * 1024 * 1024
REDACTED_HTTP_HEADER_VALUE = "[REDACTED]"
SENSITIVE_HTTP_HEADERS = {
    "authorization",
    "cookie",
    "proxy-authorization",
    "set-cookie",
    "x-api-key",
    "x-auth-token",
}


class SkillHelperError(Exception):
    """Something that a helper could not do."""


class SkillCodecError(SkillHelperError):
    def __init__(self, message, *, codec, source=None):
        self.codec, self.source = codec, source
        super().__init__(": ".join(str(each) for each in (source, codec, message) if each))


class SkillFileError(SkillHelperError):
    def __init__(self, message, *, operation, source=None):
        self.operation, self.source = operation, source
        super().__init__(": ".join(str(each) for each in (source, operation, message) if each))


class SkillHttpError(SkillHelperError):
    def __init__(self, message, *, kind, url=None, status=None, headers=None):
        self.kind, self.url, self.status, self.headers = kind, url, status, dict(headers or {})
        told = "HTTP %s" % status if status is not None else None
        super().__init__(": ".join(str(each) for each in (url, told, kind, message) if each))

    def to_skill_error(self, *, message=None, **context):
        known = {"kind": self.kind, "url": self.url, "status": self.status}
        return skill_error_from_exception(self, message=message, error=self.kind, **dict(known, **context))


class HttpStatusError(SkillHttpError):
    def __init__(self, response):
        self.response = response
        super().__init__(
            "the server answered with %s" % response.status,
            kind="http-status",
            url=response.url,
            status=response.status,
            headers=redact_http_headers(response.headers),
        )


class HttpResponse:
    def __init__(self, status, headers, body, url, truncated=False):
        self.status, self.headers, self.bytes, self.url = status, headers, body, url
        self.elapsed_ms, self.truncated = 0, truncated

    @property
    def text(self):
        return self.bytes.decode("utf-8", "replace")

    def json(self):
        if self.truncated:
            raise SkillHttpError("the answer is larger than max_bytes", kind="response-truncated", url=self.url)
        return load_json_text(self.text, source=self.url)

    def raise_for_status(self):
        if not 200 <= self.status < 300:
            raise HttpStatusError(self)


def skill_error_from_exception(exc, *, message=None, error=None, prompt=None, **context):
    kind = type(exc).__name__
    return skill_error(message or str(exc) or kind, error or kind, prompt=prompt, **context)


def json_dumps(obj, *, ensure_ascii=True, indent=None):
    return _json.dumps(obj, ensure_ascii=ensure_ascii, indent=indent)


def json_loads(s):
    return _json.loads(s)


def yaml_dumps(obj):
    return _yaml().safe_dump(obj, allow_unicode=True, sort_keys=False)


def yaml_loads(s):
    return _yaml().safe_load(s)


def _yaml():
    try:
        import yaml
    except ImportError:
        raise ModuleNotFoundError("YAML needs the Python module yaml: install PyYAML, or dcc-mcp-core", name="yaml")
    return yaml


def load_text(path, *, max_bytes=None):
    try:
        data = Path(path).read_bytes()
        if max_bytes is not None and len(data) > max_bytes:
            raise ValueError("%d bytes are more than max_bytes=%d" % (len(data), max_bytes))
        return data.decode("utf-8")
    except (OSError, ValueError) as exc:
        raise SkillCodecError(str(exc), codec="text", source=str(path)) from exc


def dump_text(path, text, *, create_parents=True):
    target = Path(path)
    try:
        if create_parents:
            target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    except OSError as exc:
        raise SkillCodecError(str(exc), codec="text", source=str(path)) from exc
    return target


def _load(loads, codec, text, source, require_mapping):
    try:
        value = loads(text)
    except ModuleNotFoundError:
        raise
    except Exception as exc:
        raise SkillCodecError(str(exc), codec=codec, source=source) from exc
    if require_mapping and not isinstance(value, dict):
        raise SkillCodecError("it is no mapping", codec=codec, source=source)
    return value


def load_json_text(text, *, source=None, require_mapping=False):
    return _load(json_loads, "json", text, source, require_mapping)


def load_json_file(path, *, require_mapping=False, max_bytes=None):
    return load_json_text(load_text(path, max_bytes=max_bytes), source=str(path), require_mapping=require_mapping)


def load_yaml_text(text, *, source=None, require_mapping=False):
    return _load(yaml_loads, "yaml", text, source, require_mapping)


def load_yaml_file(path, *, require_mapping=False, max_bytes=None):
    return load_yaml_text(load_text(path, max_bytes=max_bytes), source=str(path), require_mapping=require_mapping)


def dump_json_text(obj, *, ensure_ascii=True, indent=None):
    try:
        return json_dumps(obj, ensure_ascii=ensure_ascii, indent=indent)
    except (TypeError, ValueError) as exc:
        raise SkillCodecError(str(exc), codec="json") from exc


def dump_json_file(path, obj, *, ensure_ascii=True, indent=2, create_parents=True):
    return dump_text(path, dump_json_text(obj, ensure_ascii=ensure_ascii, indent=indent), create_parents=create_parents)


def dump_yaml_text(obj):
    return yaml_dumps(obj)


def dump_yaml_file(path, obj, *, create_parents=True):
    return dump_text(path, dump_yaml_text(obj), create_parents=create_parents)


def ensure_within_root(root, path, *, must_exist=False):
    base = Path(root).resolve()
    found = (base / path).resolve()
    if found != base and base not in found.parents:
        raise SkillFileError("it lies outside %s" % base, operation="ensure_within_root", source=str(path))
    if must_exist and not found.exists():
        raise SkillFileError("it does not exist", operation="ensure_within_root", source=str(path))
    return found


def atomic_write_bytes(path, data, *, root=None, create_parents=True, max_bytes=DEFAULT_FILE_MAX_BYTES):
    import tempfile

    target = ensure_within_root(root, path) if root is not None else Path(path)
    try:
        if max_bytes is not None and len(data) > max_bytes:
            raise ValueError("%d bytes are more than max_bytes=%d" % (len(data), max_bytes))
        if create_parents:
            target.parent.mkdir(parents=True, exist_ok=True)
        handle, beside = tempfile.mkstemp(dir=str(target.parent), prefix=target.name)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            os.replace(beside, str(target))
        except BaseException:
            os.unlink(beside)
            raise
    except (OSError, ValueError) as exc:
        raise SkillFileError(str(exc), operation="atomic_write_bytes", source=str(path)) from exc
    return target


def atomic_write_text(path, text, **options):
    return atomic_write_bytes(path, text.encode("utf-8"), **options)


def bytes_digest(data, *, algorithm="sha256", max_bytes=DEFAULT_FILE_MAX_BYTES):
    import hashlib

    if algorithm != "sha256" or (max_bytes is not None and len(data) > max_bytes):
        raise SkillFileError("sha256 of at most max_bytes only", operation="bytes_digest")
    return hashlib.sha256(bytes(data)).hexdigest()


def file_digest(path, *, algorithm="sha256", root=None, max_bytes=DEFAULT_FILE_MAX_BYTES):
    source = ensure_within_root(root, path, must_exist=True) if root is not None else Path(path)
    try:
        return bytes_digest(source.read_bytes(), algorithm=algorithm, max_bytes=max_bytes)
    except OSError as exc:
        raise SkillFileError(str(exc), operation="file_digest", source=str(path)) from exc


def redact_http_headers(headers):
    secret = SENSITIVE_HTTP_HEADERS
    return {
        str(name): REDACTED_HTTP_HEADER_VALUE if str(name).lower() in secret else str(value)
        for name, value in (headers or {}).items()
    }


def http_request(
    method,
    url,
    *,
    headers=None,
    query=None,
    json=None,
    body=None,
    timeout_ms=DEFAULT_HTTP_TIMEOUT_MS,
    max_bytes=DEFAULT_HTTP_MAX_BYTES,
    raise_for_status=False
):
    """One request over HTTP; an answer that is longer than `max_bytes` is cut and marked."""
    import time
    import urllib.error
    import urllib.parse
    import urllib.request

    if json is not None and body is not None:
        raise SkillHttpError("json and body exclude each other", kind="invalid-body", url=url)
    if not url.lower().startswith(("http://", "https://")):
        raise SkillHttpError("only http and https", kind="invalid-url", url=url)
    items = query.items() if hasattr(query, "items") else query or ()
    pairs = [(name, value) for name, value in items if value is not None]
    if pairs:
        url += ("&" if "?" in url else "?") + urllib.parse.urlencode(pairs, doseq=True)
    sent = {str(name): str(value) for name, value in (headers or {}).items()}
    data = body.encode("utf-8") if isinstance(body, str) else body
    if json is not None:
        data = dump_json_text(json, ensure_ascii=False).encode("utf-8")
        sent.setdefault("Content-Type", "application/json")
    started = time.monotonic()
    try:
        request = urllib.request.Request(url, data=data, headers=sent, method=method.upper())
        with urllib.request.urlopen(request, timeout=timeout_ms / 1000.0) as answer:
            response = _response(answer, answer.status, url, max_bytes)
    except urllib.error.HTTPError as exc:
        response = _response(exc, exc.code, url, max_bytes)
    except (OSError, ValueError) as exc:
        reason = getattr(exc, "reason", exc)
        late = isinstance(reason, TimeoutError) or "timed out" in str(reason)
        raise SkillHttpError(str(reason), kind="timeout" if late else "request", url=url) from exc
    response.elapsed_ms = int((time.monotonic() - started) * 1000)
    if raise_for_status:
        response.raise_for_status()
    return response


def _response(answer, status, url, max_bytes):
    text = answer.read(max_bytes + 1)
    headers = {name.lower(): value for name, value in answer.headers.items()}
    return HttpResponse(status, headers, text[:max_bytes], url, len(text) > max_bytes)


def http_get_json(url, **options):
    return http_request("GET", url, raise_for_status=True, **options).json()


def http_post_json(url, payload=None, *, json=None, **options):
    return http_request("POST", url, json=payload if json is None else json, raise_for_status=True, **options).json()


__all__ = [each for each in dir() if not each.startswith("_") and each not in ("Path", "os")]
