"""Messages over a pipe are reassembled, however they were split."""

from __future__ import annotations

import os
import threading

from hypothesis import given
from hypothesis import strategies as st

from thresher.batch.frames import DONE, STARTED, Frame, Frames, send

frames = st.builds(Frame, st.sampled_from((DONE, STARTED)), st.binary(max_size=40))


@given(st.lists(frames), st.integers(1, 30), st.integers(0, 8))
def test_frames_come_out_as_they_went_in(sent: list[Frame], n_byte: int, n_cut: int) -> None:
    """All frames are reassembled from any pieces, and incomplete ones are not returned."""
    stream = b"".join(piece for frame in sent for piece in frame.pack())
    stream += b"".join(Frame(DONE, b"never sent").pack())[:n_cut]
    reader = Frames()
    pieces = (stream[at : at + n_byte] for at in range(0, len(stream), n_byte))
    assert sent == [frame for piece in pieces for frame in reader.add(piece)]


def test_a_frame_longer_than_the_pipe_is_sent() -> None:
    """A frame longer than the pipe's capacity is sent completely."""
    receiving, sending = os.pipe()
    frame = Frame(DONE, bytes(3_000_000))

    def write() -> None:
        send(sending, frame)
        os.close(sending)

    writer = threading.Thread(target=write)
    writer.start()
    assert [frame] == list(Frames().read(receiving))
    writer.join()
    os.close(receiving)
