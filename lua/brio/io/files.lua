--- Files as a run reads and writes them: brio.file, through the run's door, so that a replay has what was
--- there then.
local door = require "brio.io.input_gate"
local file = require "brio.file"
local paths = require "brio.lib.paths"

local disk = {}

--- As file.read.
function disk.read(path, limit) return door.read(path, file.read, path, limit) end

--- As file.list.
function disk.list(path) return door.look("list", path, file.list, path) end

--- Whether a file is there.
function disk.exists(path) return door.look("exists", path, paths.exists, path) end

--- As file.replace; a replay writes nothing.
function disk.replace(path, text) return door.must("file", file.replace, path, text) end

return disk
