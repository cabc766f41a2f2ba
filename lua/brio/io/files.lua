--- Files that a run reads and writes: brio.file behind the run's gate, so that a replay reads the same
--- contents.
local door = require "brio.io.input_gate"
local file = require "brio.file"
local paths = require "brio.lib.paths"

local disk = {}

--- Like file.read.
function disk.read(path, limit) return door.read(path, file.read, path, limit) end

--- Like file.list.
function disk.list(path) return door.look("list", path, file.list, path) end

--- Whether a file is there.
function disk.exists(path) return door.look("exists", path, paths.exists, path) end

--- Like file.replace; a replay writes nothing.
function disk.replace(path, text) return door.must("file", file.replace, path, text) end

return disk
