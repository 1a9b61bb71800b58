"""Cancellation of the running call: what the caller cancels is heard through the channel of scripts."""
import contextvars

import svc_script

__all__ = [
    "CancelToken",
    "CancelledError",
    "DccMcpCancelledError",
    "check_cancelled",
    "check_dcc_cancelled",
    "current_cancel_token",
    "current_job",
    "current_job_id",
    "reset_cancel_token",
    "reset_current_job",
    "set_cancel_token",
    "set_current_job",
]


class CancelledError(Exception):
    """The caller cancelled the call."""


DccMcpCancelledError = CancelledError


class CancelToken:
    """A flag that is set once."""

    def __init__(self):
        self._cancelled = False

    def cancel(self):
        self._cancelled = True

    @property
    def cancelled(self):
        return self._cancelled

    def __bool__(self):
        return self.cancelled


class _Call:
    """The token of the call itself."""

    cancelled = property(lambda self: svc_script.cancelled())

    def __bool__(self):
        return self.cancelled


_token = contextvars.ContextVar("svc_cancel_token", default=_Call())
current_job = contextvars.ContextVar("svc_current_job", default=None)


def check_cancelled():
    """Raises CancelledError once the caller has cancelled."""
    token = _token.get()
    if token is not None and token.cancelled:
        raise CancelledError("the caller cancelled")


def check_dcc_cancelled():
    """As check_cancelled; a job that the script itself runs may be cancelled too."""
    check_cancelled()
    job = current_job.get()
    if job is not None and job.cancelled:
        raise CancelledError("the job was cancelled")


def current_cancel_token():
    return _token.get()


def set_cancel_token(token):
    return _token.set(token)


def reset_cancel_token(reset):
    _token.reset(reset)


def set_current_job(job):
    return current_job.set(job)


def reset_current_job(reset):
    current_job.reset(reset)


def current_job_id():
    return None
