--- Files that the desk of a run watches: the session script, the size of the store, the free space of its
--- disk. A thread reads them (file_watch.lua), because a tick must not wait for the disk; on the fast clock
--- there is no thread. Its reports enter the run through the input gate, so a replay has them.
local door = require "brio.io.input_gate"
local load = require "brio.operator.session.load"
local taped = require "brio.io.run_tape"

local files = {}
local Files = {}
Files.__index = Files

--- Start the thread of a run. In a replay the recorded reports take its place.
function files.new(run)
  local self = setmetatable({}, Files)
  if run.fast or not run.front then return self end
  local why
  if not door.replays() then
    self.real, why = require("brio.loader").start("brio.operator.desk.file_watch", { run.store_file or "" })
    if not self.real then run:tell("warning", "the session script is not watched: " .. why) end
  end
  self.loader = taped.loader(self.real)
  return self
end

--- Watch the file of a loaded script; nil: no script.
function Files:follow(loaded)
  if self.real then self.real:ask { "script", loaded and loaded.file or "", loaded and loaded.hash or "" } end
end

--- The next report of the thread: {loaded = the script that was saved} or {why = a sentence}; nil: there is
--- none. A report about the disk sets `store_mb` and `disk_mb` instead.
function Files:take()
  local news = self.loader and self.loader:take()
  if not news then return nil end
  if news[1] == "disk" then
    self.store_mb, self.disk_mb = tonumber(news[2]), tonumber(news[3])
    return nil
  elseif news[1] == "script" then
    local loaded, fault = load.file(news[2], news[3])
    return { loaded = loaded, why = fault and load.sentence(fault) }
  end
  return { why = news[2] }
end

function Files:close()
  if self.loader then self.loader:close() end
  self.loader, self.real = nil, nil
end

return files
