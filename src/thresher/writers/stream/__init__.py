"""The content of a document as a stream of events, which renderers turn into text."""
