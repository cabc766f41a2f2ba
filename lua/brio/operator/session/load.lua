--- Loads a session script: only its description is executed, in the environment of behaviors and within a
--- budget.
local dispatch = require "brio.io.dispatch"
local faults = require "brio.behavior.sandbox.faults"
local paths = require "brio.lib.paths"
local random = require "brio.random"
local sandbox = require "brio.behavior.sandbox.sandbox"
local session = require "brio.operator.session"
local store = require "brio.store"

local load = {}

--- Maximum size of a script, bytes.
load.longest = 2 ^ 20

local function fault_of(file, sources, message)
  return faults.of_message(file, sources, message:match("^(.-)\nstack traceback") or message)
end

--- Load a script from its file, or from `source` instead.  Return {fields, file, source, hash}, or nil and a
--- fault {file, line, message}.
function load.file(file, source)
  local sources = {}
  local files = source and sandbox.given { [file] = source } or nil
  local env = sandbox.environment(paths.folder(file), function() end, random.stream(0, "session"), sources,
    files)
  local chunk, why = sandbox.load(file, env, sources, files)
  if not chunk then return nil, fault_of(file, sources, why) end
  local good, made = dispatch.call(nil, dispatch.load, chunk)
  if not good then return nil, fault_of(file, sources, made) end
  local fields = session.described(made)
  if not fields then
    return nil, { file = file, line = 0, message = "a session script must return what brio.session made" }
  end
  local fault, where = session.fault(fields)
  if fault then
    return nil, { file = file, line = session.line(sources[file], where, fields), message = fault }
  end
  return { fields = fields, file = file, source = sources[file], hash = store.hash(sources[file]) }
end

--- A fault as a sentence, with the file once.
function load.sentence(fault)
  if fault.line == 0 and fault.message:find(fault.file, 1, true) then return fault.message end
  return fault.line > 0 and ("%s:%d: %s"):format(fault.file, fault.line, fault.message)
    or ("%s: %s"):format(fault.file, fault.message)
end

return load
