"""The change that most scripted runs make: the README of the demo gets a capital."""

TITLE_PATCH = """\
--- a/README.md
+++ b/README.md
@@ -1,3 +1,3 @@
-# stopwatch
+# Stopwatch
\x20
 Adds up durations as people write them.
"""
