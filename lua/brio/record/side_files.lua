--- Files beside a store: the point clouds that runs have kept (`brio run --keep-clouds`), in the folder
--- STORE-files, each named by the SHA-256 of its bytes.  The store's table `files` lists them.
local file = require "brio.file"
local store = require "brio.store"
local uv = require "luv"

local side = {}

--- Maximum size of a file, bytes.
side.longest = 2 ^ 29

--- The folder of a store.
function side.folder(path) return path .. "-files" end

local function is_hash(name) return #name == 64 and not name:find "[^%x]" end

--- The bytes of the file with this hash, beside the store at `path`; nil if it is missing or was changed.
function side.read(path, hash)
  if not is_hash(hash) then return nil end
  local bytes = file.read(side.folder(path) .. "/" .. hash, side.longest)
  return bytes and store.hash(bytes) == hash and bytes or nil
end

--- The hashes of all files that a store names, as a set {hash = true}; nil and the reason if it cannot be
--- read.
local function named(path)
  local db, why = store.open(path)
  if not db then return nil, why end
  local rows, wrong = db:query "SELECT hash FROM files WHERE path IS NOT NULL"
  db:close()
  if not rows then return nil, wrong end
  local set = {}
  for _, row in ipairs(rows) do set[row.hash] = is_hash(row.hash) or nil end
  return set
end

--- Copy the files that the store at `to` names, from beside the store at `from` to beside itself.  Return how
--- many of them are there now, and how many are missing.
function side.copy(from, to)
  local set, count, missing = named(to), 0, 0
  if not set or not next(set) then return 0, 0 end
  uv.fs_mkdir(side.folder(to), 511) -- 0777
  for hash in next, set do
    local target = side.folder(to) .. "/" .. hash
    local good = uv.fs_stat(target) ~= nil
    if not good then
      good = uv.fs_copyfile(side.folder(from) .. "/" .. hash, target .. ".part")
        and uv.fs_rename(target .. ".part", target)
      if not good then os.remove(target .. ".part") end
    end
    if good then count = count + 1 else missing = missing + 1 end
  end
  return count, missing
end

--- Remove the files beside a store that it no longer names; other files stay.  Return how many were
--- removed.
function side.drop(path)
  local set, count = named(path), 0
  local folder = set and uv.fs_scandir(side.folder(path))
  while folder do
    local name = uv.fs_scandir_next(folder)
    if not name then break end
    if is_hash(name) and not set[name] and os.remove(side.folder(path) .. "/" .. name) then
      count = count + 1
    end
  end
  uv.fs_rmdir(side.folder(path)) -- only succeeds if it is empty
  return count
end

return side
