--- Distances compared with FCL's, which Debian carries (libfcl-dev): 2,000 pairs, 100,000 in the soak; and
--- joint paths of the shared planning problems, which FCL judges at steps of 1 mm.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, files = harness.test, harness.files

local folder = files.temporary()
local function has(command) return harness.run(command .. " >/dev/null 2>&1").code == 0 end
local present = has "pkg-config --exists fcl" and has "command -v g++"

local build = [[
  flags="$(pkg-config --cflags fcl | sed 's/-I/-isystem /g')"
  g++ $flags -std=c++17 -O2 -Wall -Wextra -Werror -I. -c tests/peers/fcl.cpp -o $to/fcl.o &&
  for name in agree_fcl agree_paths_fcl; do
    gcc -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -Iengine -I. -c tests/peers/$name.c -o $to/$name.o &&
    gcc -std=c11 -D_GNU_SOURCE -O2 -Iengine -I. -c tests/check.c -o $to/check.o &&
    g++ $to/$name.o $to/check.o $to/fcl.o $built/libbrio.a $(pkg-config --libs fcl expat) -lccd -lqhull_r \
      -lmd -lm -o $to/$name || exit 1
  done]]

--- Build both programs, once.
local made
local function make()
  made = made or harness.run { ("to=%s built=%s\n%s"):format(files.quote(folder), files.quote(harness.build),
    build), timeout = 200 }
  return made
end

test("every distance is FCL's, or proved where FCL says another", function(t)
  if not present then return t:skip "libfcl-dev or g++ is not installed" end
  t:code(make(), 0)
  local run = harness.run { folder .. "/agree_fcl", timeout = 2000 }
  io.write((run.out:gsub("ok [^\n]*\n", "")))
  t:code(run, 0)
end)

test("FCL finds no contact on planned joint paths", function(t)
  if not present then return t:skip "libfcl-dev or g++ is not installed" end
  t:code(make(), 0)
  local run = harness.run { folder .. "/agree_paths_fcl", timeout = 2000 }
  if run.out:match "# skip" or run.out:match "# SKIP" then return t:skip "no shared planning problems" end
  t:code(run, 0)
end)

files.remove(folder)
harness.done()
