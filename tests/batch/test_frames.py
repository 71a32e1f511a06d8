"""Messages over a pipe: whole ones come out, however they were cut on the way."""

from __future__ import annotations

import os
import threading

from hypothesis import given
from hypothesis import strategies as st

from thresher.batch.frames import DONE, STARTED, Frame, Frames, send

frames = st.builds(Frame, st.sampled_from((DONE, STARTED)), st.binary(max_size=40))


@given(st.lists(frames), st.integers(1, 30), st.integers(0, 8))
def test_frames_come_out_as_they_went_in(sent: list[Frame], n_byte: int, n_cut: int) -> None:
    """Cut into any pieces all frames come out, and of one whose end is missing nothing does."""
    stream = b"".join(piece for frame in sent for piece in frame.pack())
    stream += b"".join(Frame(DONE, b"never sent").pack())[:n_cut]
    reader = Frames()
    pieces = (stream[at : at + n_byte] for at in range(0, len(stream), n_byte))
    assert sent == [frame for piece in pieces for frame in reader.add(piece)]


def test_a_frame_longer_than_the_pipe_is_sent() -> None:
    """Sending goes on until all of it is through."""
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
