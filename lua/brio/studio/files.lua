--- Files that the studio serves: those of a few folders, by their plain names, and nothing that a link leads
--- out to.
local file = require "brio.file"
local uv = require "luv"

local files = {}
local Files = {}
Files.__index = Files

--- Kinds of files, by what their names end with; others are not served.
local kinds = { js = "text/javascript; charset=utf-8", css = "text/css; charset=utf-8",
  html = "text/html; charset=utf-8", svg = "image/svg+xml", json = "application/json", png = "image/png" }

--- Maximum size of a file, bytes.
local most = 1 << 24

--- Files below folders: {["/page/"] = folder, ...}, by the beginning of their paths.
function files.new(folders)
  local self = setmetatable({ folders = {}, kept = {} }, Files)
  for prefix, folder in pairs(folders) do self.folders[prefix] = uv.fs_realpath(folder) end
  return self
end

--- The place of a path on the disk; nil: there is none.
local function place_of(self, path)
  local prefix, name = path:match "^(/[%w_]+/)([%w_%-./]+)$"
  local folder = prefix and self.folders[prefix]
  if not folder or name:find "^%." or name:find "/%." then return nil end
  local place = uv.fs_realpath(folder .. "/" .. name)
  if not place or place:sub(1, #folder + 1) ~= folder .. "/" then return nil end
  return place
end

--- A file: its bytes, kind and a mark that changes with it; nil: there is none.
---@param path string of a request
---@return string? bytes, string? kind, string? mark
function files.get(self, path)
  local kind = kinds[path:match "%.(%w+)$" or ""]
  local place = kind and place_of(self, path)
  local about = place and uv.fs_stat(place)
  if not about or about.type ~= "file" then return nil end
  local mark = ('"%x-%x-%x"'):format(about.mtime.sec, about.mtime.nsec, about.size)
  local kept = self.kept[place]
  if not kept or kept.mark ~= mark then
    local bytes = file.read(place, most)
    if not bytes then return nil end
    kept = { bytes = bytes, mark = mark }
    self.kept[place] = kept
  end
  return kept.bytes, kind, mark
end

Files.get = files.get

return files
