--- Compiles the Lua library, so that the program starts in half the time:
--- `lua5.4 scripts/make/compile.lua LIBRARY FOLDER [PLACE]`.
--- PLACE: the future location of the library, for positions in error messages; default: LIBRARY.  Each
--- compiled file gets the time stamp of its source: the program uses it while they are equal
--- (engine/runtime/script/compiled.c).
local uv = require "luv"

local library, folder = assert(uv.fs_realpath(arg[1])), arg[2]
local place = arg[3] or library

local function compile(source, target)
  local there, before = assert(uv.fs_stat(source)).mtime, uv.fs_stat(target)
  if before and before.mtime.sec == there.sec and math.abs(before.mtime.nsec - there.nsec) < 2000 then
    return
  end
  local text = assert(io.open(source, "rb")):read "a"
  local chunk = assert(load(text, "@" .. place .. source:sub(#library + 1), "t"))
  local file = assert(io.open(target .. ".new", "wb"))
  assert(file:write(string.dump(chunk)))
  assert(file:close())
  assert(uv.fs_utime(target .. ".new", there.sec + there.nsec * 1e-9, there.sec + there.nsec * 1e-9))
  assert(os.rename(target .. ".new", target)) -- atomic
end

local function walk(inner)
  assert(uv.fs_mkdir(folder .. inner, 493) or uv.fs_stat(folder .. inner))
  for name, kind in uv.fs_scandir_next, assert(uv.fs_scandir(library .. inner)) do
    local path = inner .. "/" .. name
    if kind == "directory" then walk(path)
    elseif name:match "%.lua$" then compile(library .. path, folder .. path) end
  end
end

assert(uv.fs_mkdir(folder, 493) or uv.fs_stat(folder))
walk "/brio"
