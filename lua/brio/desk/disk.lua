--- How large a run's store is, and how much the disk has left: asked for in the background, every few seconds.
local uv = require "luv"

local disk = {}
local Disk = {}
Disk.__index = Disk

--- How often it is asked, s of robot time.
disk.period = 5

function disk.new(run)
  return setmetatable({ path = not run.fast and run.store_file or nil, due = 0 }, Disk)
end

--- The size of the store and what the disk has left, MB, as they were found last; nil: not known.
function Disk:look(now)
  if self.path and now >= self.due and not self.asked then
    self.due, self.asked = now + disk.period, true
    uv.fs_stat(self.path, function(_, stat)
      if stat then self.store_mb = stat.size / 2 ^ 20 end
    end)
    uv.fs_statfs(self.path, function(_, of)
      self.asked = nil
      if of then self.disk_mb = of.bavail * of.bsize / 2 ^ 20 end
    end)
  end
  return self.store_mb, self.disk_mb
end

--- It is not asked again.
function Disk:close() self.path = nil end

return disk
