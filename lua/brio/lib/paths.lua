--- Paths of brio's own files: in the source tree, or below the installation folder.
local paths = {}

--- errno of a path that leads nowhere: ENOENT, ENOTDIR.
local nowhere = { [2] = true, [20] = true }

--- Whether a file exists.  An unreadable file exists; reading it reports the error.
local function exists(path)
  local file, _, code = io.open(path, "r")
  if file then file:close() end
  return file ~= nil or not nowhere[code]
end

local here = package.searchpath("brio.lib.paths", package.path)
local library = here and here:match("^(.*)brio/lib/paths%.lua$") or "./lua/"

--- The folder that contains the folder `brio` of this library, with a slash at its end.
paths.root = library

--- The folder of the included robots.
function paths.robots()
  local source = library .. "../drivers/robots"
  if exists(source .. "/pepper/robot.lua") then return source end
  return library .. "../../brio/robots" -- PREFIX/share/lua/5.4/ -> PREFIX/share/brio/robots
end

--- The folder of the included gamepad mappings.
function paths.gamepads()
  local source = library .. "../drivers/gamepads"
  if exists(source .. "/standard.lua") then return source end
  return library .. "../../brio/gamepads"
end

--- The folder of the included behaviors.
function paths.behaviors()
  local source = library .. "../behaviors"
  if exists(source .. "/kiosk.lua") then return source end
  return library .. "../../brio/behaviors"
end

--- The folders of the studio: its own page, and the libraries that `make studio` bundles (a path that may be
--- missing).
---@param program string path of the program
function paths.studio(program)
  local built = paths.folder(program) .. "/studio"
  if not exists(built .. "/ui.js") then
    local installed = library .. "../../brio/studio"
    built = exists(installed .. "/ui.js") and installed or built
  end
  return library .. "brio/studio/page", built
end

--- The folder part of a file's path: "." if it has none.
function paths.folder(file)
  return file:match("^(.*)/[^/]*$") or "."
end

--- The path of a file that another file names: relative to that one's folder, unless it is absolute.
function paths.beside(file, name)
  return name:sub(1, 1) == "/" and name or paths.folder(file) .. "/" .. name
end

--- A path relative to the working folder if it is below that, else unchanged.
function paths.seen(path)
  local found, uv = pcall(require, "luv")
  local folder = found and uv.cwd()
  if folder and path:sub(1, #folder + 1) == folder .. "/" then return path:sub(#folder + 2) end
  return path
end

--- An absolute path, independent of the working folder, without "." and "..".
function paths.absolute(path)
  local found, uv = pcall(require, "luv")
  if path:sub(1, 1) ~= "/" and found then path = uv.cwd() .. "/" .. path end
  local parts = {}
  for part in path:gmatch "[^/]+" do
    if part == ".." then table.remove(parts) elseif part ~= "." then parts[#parts + 1] = part end
  end
  return (path:sub(1, 1) == "/" and "/" or "") .. table.concat(parts, "/")
end

paths.exists = exists

return paths
