"""Thresher inside other tools: one module each, which imports that tool.

Nothing here is imported by the rest of Thresher, and none of the tools is a dependency: whoever
uses a module has its tool. docs/integrations.md has an example of each.
"""
