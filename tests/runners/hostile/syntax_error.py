"""Does not compile."""

exec(compile("def broken(:", "broken.py", "exec"))
