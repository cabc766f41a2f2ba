--- What a picture costs: processor time of brio_camera for a picture of 640 x 480 px with tags, at
--- `decimate` 2, with decoding (PNG) and the message.  Exits with 1 if a limit is exceeded.
---   lua5.4 scripts/bench/scene/cameras.lua [BUILD]
local here = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = here .. "/../../../tests/lib/?.lua;" .. package.path
local files = require "files"

local build = arg[1] or "build"
local picture = (os.getenv "BRIO_SHARED"
  or here .. "/../../../../shared") .. "/data/vision/duckietown/test_image.png"
local count, limit = 60, 8 -- pictures; ms of one core a picture

if not (files.exists(picture) and files.exists(build .. "/brio_camera")) then
  print "not at hand: the reference picture, or brio_camera"
  os.exit(0)
end

local folder = files.temporary()
for index = 1, count do
  files.output(("ln -s \"$(realpath %s)\" %s/%03d.png"):format(files.quote(picture), folder, index))
end

--- Seconds of processor time of a command, that of its children included.
local function seconds_of(command)
  local text = files.output(("bash -c %s"):format(files.quote(command .. " >/dev/null; times")))
  local sum = 0
  for minutes,
    seconds in text:match "\n(.*)$":gmatch "(%d+)m([%d.]+)s" do sum = sum + 60 * minutes + seconds end
  return sum
end

local best = math.huge
for _ = 1, 5 do
  best = math.min(best, seconds_of(("%s/brio_camera check from=folder:%s"):format(files.quote(build),
    folder)))
end
files.remove(folder)
local each = 1e3 * best / count
print(("a picture of 640 x 480 px with tags: %.2f ms of one core, limit %g ms: %s"):format(each, limit,
  each <= limit and "PASS" or "over"))
os.exit(each <= limit and 0 or 1)
