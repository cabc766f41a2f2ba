--- brio.file: whole files, replaced atomically.
local file = require "brio.file"
local uv = require "luv"

--- Write a text the plain way.
local function put(path, text)
  local handle = assert(io.open(path, "wb"))
  handle:write(text)
  handle:close()
end

test("a file that is replaced keeps its permissions", function(t)
  local path = t:temporary ".lua"
  put(path, "one")
  assert(uv.fs_chmod(path, tonumber("751", 8)))
  t:equal(file.replace(path, "two"), true)
  t:equal(file.read(path), "two")
  t:equal(uv.fs_stat(path).mode & 511, tonumber("751", 8))
end)

test("behind a symbolic link the file that it names is replaced, and the link stays", function(t)
  local folder = t:temporary()
  assert(uv.fs_mkdir(folder, 448))
  assert(uv.fs_mkdir(folder .. "/inner", 448))
  put(folder .. "/inner/a.lua", "one")
  assert(uv.fs_symlink("inner/a.lua", folder .. "/link.lua"))
  t:equal(file.replace(folder .. "/link.lua", "two"), true)
  t:equal(uv.fs_lstat(folder .. "/link.lua").type, "link")
  t:equal(file.read(folder .. "/inner/a.lua"), "two")
  t:equal(file.list(folder .. "/inner"), { "a.lua" })
  os.execute(("rm -r '%s'"):format(folder))
end)

test("a file that does not exist yet is made, and one that cannot be is refused with its name", function(t)
  local path = t:temporary ".lua"
  t:equal(file.replace(path, "new"), true)
  t:equal(file.read(path), "new")
  local good, why, code = file.replace(path .. "/inside", "text")
  t:equal({ good, code }, { nil, "io" })
  t:ok(why:find(path .. "/inside cannot be written", 1, true), why)
end)
