--- The newest pictures of the live run's cameras, for pages.  The camera's program writes them into files
--- while somebody asks for them (drivers/cameras/look.h): neither the run's tick nor its socket carries one.
local file = require "brio.file"
local suggest = require "brio.lib.suggest"
local uv = require "luv"

local pictures = {}

--- Limits: bytes of a picture; s after which one is too old to be shown.
pictures.most_bytes, pictures.oldest = 1 << 20, 2

--- The names of the cameras in a run's description, in order.
---@param about table?
---@return string[]
function pictures.names(about)
  local cameras = type(about) == "table" and about.cameras
  return type(cameras) == "table" and suggest.keys(cameras) or {}
end

--- Whether a folder belongs to this user alone: another user could lead what is written there elsewhere.
local function is_own(folder)
  local about = uv.fs_lstat(folder)
  return about and about.type == "directory" and about.uid == uv.getuid() and about.mode & 63 == 0
end

--- Ask the camera with that file to show its pictures for some seconds more.
local function ask(path)
  local wanted = path .. ".wanted"
  if not is_own(path:match "^(.*)/") then return nil end
  local handle = uv.fs_open(wanted, "a", tonumber("600", 8))
  if not handle then return nil end
  uv.fs_close(handle)
  local seconds, micros = uv.gettimeofday()
  local now = seconds + micros / 1e6
  return uv.fs_utime(wanted, now, now) and now
end

--- The newest picture of a camera, the bytes of a JPEG file; nil, sentence: there is no such camera; false,
--- sentence: it has none yet, or is silent.
---@param about table? of the run: {cameras = {name = path}}
---@param name string?
function pictures.read(about, name)
  local cameras = type(about) == "table" and type(about.cameras) == "table" and about.cameras or {}
  local path = name and cameras[name]
  if type(path) ~= "string" or not path:find "^/.*%.jpg$" then
    return nil, ("the run shows no camera '%s'"):format(tostring(name))
  end
  local now = ask(path)
  if not now then return false, ("the camera '%s' is not ready"):format(name) end
  local seen = uv.fs_lstat(path)
  if not seen or seen.type ~= "file" then
    return false, ("the camera '%s' has no picture yet"):format(name)
  end
  local age = now - seen.mtime.sec - seen.mtime.nsec / 1e9
  if age > pictures.oldest then
    return false, ("no picture of the camera '%s' for %.0f s"):format(name, age)
  end
  local bytes = file.read(path, pictures.most_bytes)
  if not bytes or bytes:sub(1, 3) ~= "\xff\xd8\xff" then
    return false, ("what the camera '%s' shows is no picture"):format(name)
  end
  return bytes
end

return pictures
