-- What `make lint` asks luacheck for.  A warning is switched off only with its reason.
std = "lua54"
max_line_length = false -- tests/walls.lua measures lines
codes = true
-- 212/self: a state's functions share one shape, whether or not they use `self`.
-- 581: `not (x >= y)` is not `x < y`: it also refuses what is no number (NaN).
ignore = { "212/self", "581" }
exclude_files = { "build/**", "tests/ages/**" } -- ages: files as they were written

-- The words that `brio test` gives to tests.
files["**/*_test.lua"] = { globals = { "test" } }
-- It puts a filter before print and the streams.
files["lua/brio/terminal/output.lua"] = { globals = { "io", "print" } }
-- A helper of tests takes its test first, whether or not it uses it.
files["tests/program/device.lua"] = { ignore = { "212/t" } }
-- A world file is plain data that may say pi.
files["**/*_world.lua"] = { read_globals = { "pi" } }
-- A variable may be made only to be closed at the end of its block.
files["tests/lib/*.lua"] = { ignore = { "211/_.*" } }
-- What editors read is Lua with empty functions: only its syntax matters.
files["docs/annotations/*.lua"] = { only = { "011" } }
files["docs/annotations/brio/*.lua"] = { only = { "011" } }
files["docs/annotations/tables/*.lua"] = { only = { "011" } }
