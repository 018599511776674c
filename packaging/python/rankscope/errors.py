# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes wrong, as exceptions. Their text is the one line that the command line prints."""


class RankscopeError(Exception):
    """Base of the errors below."""


class InputError(RankscopeError):
    """A run cannot be read, holds nothing to analyse, or needs more memory than it may take."""


class UsageError(RankscopeError, ValueError):
    """An argument is wrong: an option, a query, a name of a metric."""


class OutputError(RankscopeError):
    """A file cannot be written."""


class NoticeWarning(UserWarning):
    """A notice about the data of a run (docs/notices.md): its numbers are still right for what could be read."""
