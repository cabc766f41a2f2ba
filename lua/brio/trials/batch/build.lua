--- What results depend on besides the seed: the program with its library, the machine's system and processor,
--- and the texts of the behavior.  Results of different builds are not mixed.
local cjson = require "cjson"
local store = require "brio.store"
local uv = require "luv"

local build = {}

local function bytes_of(path)
  local file <close> = io.open(path, "rb")
  return file and file:read "a" or ""
end

--- What tells programs apart: the head of the file and its size, if the head has the linker's build ID, which
--- is a hash of the rest (an ELF note of type 3, named GNU); else all bytes.
local function program_bytes(path)
  local file <close> = io.open(path, "rb")
  if not file then return "" end
  local head = file:read(4096) or ""
  if head:find("\3\0\0\0GNU\0", 1, true) then return head .. file:seek "end" end
  return head .. (file:read "a" or "")
end

--- Append the hashes of all Lua files below a folder, in the order of their names.
local function add_files(folder, list)
  local names = {}
  local found = uv.fs_scandir(folder)
  while found do
    local name, kind = uv.fs_scandir_next(found)
    if not name then break end
    names[#names + 1] = { name = name, kind = kind }
  end
  table.sort(names, function(a, b) return a.name < b.name end)
  for _, one in ipairs(names) do
    local path = folder .. "/" .. one.name
    if one.kind == "directory" then add_files(path, list)
    elseif one.name:match "%.lua$" then list[#list + 1] = one.name .. store.hash(bytes_of(path)) end
  end
end

--- The build of this program: {version, hash, system, processor}.
function build.own()
  local list = { store.hash(program_bytes(uv.exepath())) }
  add_files(package.searchpath("brio.trials.batch.build", package.path):match "^(.*)/trials/batch/build.lua$",
    list)
  local system = uv.os_uname()
  return { version = require "brio.version", hash = store.hash(table.concat(list)):sub(1, 16),
    system = system.sysname, processor = system.machine }
end

--- A hash of the texts that a repetition runs: the behavior's files, and its world.
function build.content(repeated)
  local list = {}
  for name, text in next, repeated.loaded.sources do
    list[#list + 1] = name:match "[^/]*$" .. " " .. store.hash(text)
  end
  table.sort(list)
  list[#list + 1] = repeated.world and store.hash(bytes_of(repeated.world)) or "no world"
  for _, path in ipairs(repeated.options.load or {}) do list[#list + 1] = store.hash(bytes_of(path)) end
  return store.hash(table.concat(list, "\n")):sub(1, 16)
end

--- Build and content of a repetition, as a table of texts.
function build.of(repeated)
  local made = build.own()
  made.content = build.content(repeated)
  return made
end

--- The same as a line of JSON, which begins the results of a share.
function build.line(repeated) return store.json { build = build.of(repeated) } end

--- The build that a line says; nil if the line is none.
function build.read(line)
  local good, said = pcall(cjson.decode, line)
  return good and type(said) == "table" and type(said.build) == "table" and said.build or nil
end

--- How two builds differ, as a sentence; nil if they do not.
function build.difference(one, other)
  if one.system ~= other.system or one.processor ~= other.processor then
    return ("one runs on %s %s, the other on %s %s"):format(one.system, one.processor, other.system,
      other.processor)
  elseif one.version ~= other.version or one.hash ~= other.hash then
    return ("one is brio %s (%s), the other brio %s (%s)"):format(one.version, one.hash, other.version,
      other.hash)
  elseif one.content ~= other.content then
    return ("the behavior is not the same (%s, %s)"):format(one.content, other.content)
  end
end

return build
