# SPDX-License-Identifier: GPL-3.0-or-later
"""Stands in front of NumPy on the path, so that a test runs as if there were none."""
raise ImportError("tests without NumPy")
