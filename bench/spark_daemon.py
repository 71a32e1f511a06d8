"""PySpark's daemon, with workers whose processor time counts after they have ended.

The daemon ignores SIGCHLD, so that the system forgets the time of its workers, and of the processes
that these waited for. Here it ignores a signal that never comes, and they are left to who adopts
them.
"""

from __future__ import annotations

import signal

from pyspark import daemon

if __name__ == "__main__":
    daemon.SIGCHLD = signal.SIGWINCH
    daemon.manager()
