--- The thread that watches files for a run's desk (see runtime/script/loader.h): the session script, which it
--- checks after a save, and the size of the store and the free space of its disk.
---
--- It receives {"script", file, hash}, and sends {"script", file, text}, {"fault", sentence} and {"disk",
--- store_mb, disk_mb}.
local load = require "brio.operator.session.load"
local sandbox = require "brio.behavior.sandbox.sandbox"
local store = require "brio.store"
local uv = require "luv"

local clerk = {}
local Clerk = {}
Clerk.__index = Clerk

--- Interval of polling the disk, s.
clerk.period = 5

--- settings: {the store's path or ""}
function clerk.new(settings)
  return setmetatable({ store = settings[1] ~= "" and settings[1] or nil, due = 0, said = {} }, Clerk)
end

--- Check whether the script's file has changed.
local function look_at_script(self)
  local source = self.file and sandbox.read(self.file)
  local hash = source and store.hash(source)
  if not source or hash == self.hash then return end
  self.hash = hash
  local loaded, fault = load.file(self.file, source)
  table.insert(self.said, loaded and { "script", self.file, source } or { "fault", load.sentence(fault) })
end

local function look_at_disk(self)
  local stat = uv.fs_stat(self.store)
  local disk = uv.fs_statfs(self.store:match "^(.*)/[^/]*$" or ".")
  if stat and disk then
    table.insert(self.said, { "disk", tostring(stat.size / 2 ^ 20),
      tostring(disk.bavail * disk.bsize / 2 ^ 20) })
  end
end

function Clerk:step(_, request)
  if request and request[1] == "script" then
    self.file, self.hash = request[2] ~= "" and request[2] or nil, request[3]
  end
  look_at_script(self)
  local now = uv.hrtime() * 1e-9
  if self.store and now >= self.due then
    self.due = now + clerk.period
    look_at_disk(self)
  end
  local news = table.remove(self.said, 1)
  return news, { self.file }, #self.said > 0 and 0 or self.store and clerk.period or nil
end

return clerk
