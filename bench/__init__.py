"""Speed and memory, measured with dates, versions and commands."""
