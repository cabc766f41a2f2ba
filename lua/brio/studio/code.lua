--- The files of the live run as a page edits them: their texts, checks of a text that is not saved yet,
--- saving. Only files that the run itself has loaded, or that this studio has made beside them, can be read
--- and written, and only an author writes (person.lua); a text is saved in place of the one that the page has
--- read, never over that of another program.
local disk = require "brio.file"
local message = require "brio.studio.message"
local store = require "brio.store"
local uv = require "luv"

local code = {}
local Code = {}
Code.__index = Code

--- Limits: bytes of a text, s that a check may take.
code.most_bytes, code.patience = 200000, 20

--- `options`: program; live; names() returns the names of the files that the run has recorded, or nil.
function code.new(options)
  return setmetatable({ options = options, checks = 0, allowed = {}, most_bytes = code.most_bytes }, Code)
end

--- The folder of the run's files; nil, sentence.
function Code:folder()
  local about = self.options.live.client and self.options.live.about
  if not about then return nil, "no run is attached" end
  if not about.folder then return nil, "where the run's files are is not known" end
  return about.folder
end

--- Permit a file of that folder that this studio has made.
function Code:allow(name) self.allowed[name] = self:folder() end

--- The place of a file of the run on the disk; nil, sentence.
function Code:place(name)
  local about = self.options.live.client and self.options.live.about
  if not about then return nil, "no run is attached" end
  local known = name == about.behavior or self.allowed[name] and self.allowed[name] == about.folder
  for _, one in ipairs(not known and self.options.names() or {}) do known = known or one == name end
  if type(name) ~= "string" or not known then return nil, "the run has no such file" end
  if name:sub(1, 1) == "/" then return name end
  if not about.folder then return nil, "where the run's files are is not known" end
  return about.folder .. "/" .. name
end

--- The text of a file and its hash, {text, hash}; nil, sentence.
function Code:read(name)
  local place, why = self:place(name)
  if not place then return nil, why end
  local text, fault = disk.read(place, code.most_bytes)
  if not text then return nil, fault end
  return { text = text, hash = store.hash(text) }
end

--- Write a text in place of the one with that hash; {hash}; nil, sentence.
function Code:write(name, text, hash)
  local place, why = self:place(name)
  if not place then return nil, why end
  if type(text) ~= "string" or #text > code.most_bytes then
    return nil, ("a text has %d bytes at most"):format(code.most_bytes)
  end
  local before, fault = disk.read(place, code.most_bytes)
  if not before then return nil, fault end
  if store.hash(before) ~= hash then
    return nil, "another program has changed the file meanwhile: read it again, and compare"
  end
  local good, wrong = disk.replace(place, text)
  if not good then return nil, wrong end
  return { hash = store.hash(text) }
end

--- Run brio in a process of its own with a text as input; done(output, code).
local function spawn(self, words, text, done)
  local input, out, parts = uv.new_pipe(false), uv.new_pipe(false), {}
  local handle, timer = nil, uv.new_timer()
  handle = uv.spawn(self.options.program, { args = words, stdio = { input, out, nil } }, function(exit)
    handle:close()
    if not timer:is_closing() then timer:close() end
    parts.exit = exit
    if out:is_closing() then done(table.concat(parts), exit) end
  end)
  if not handle then
    for _, one in ipairs { input, out, timer } do one:close() end
    return done("", 1)
  end
  timer:start(code.patience * 1000, 0, function()
    timer:close()
    handle:kill "sigkill"
  end)
  input:write(text, function() if not input:is_closing() then input:close() end end)
  out:read_start(function(_, bytes)
    if bytes and #parts < 1000 then
      parts[#parts + 1] = bytes
      return
    end
    if not out:is_closing() then out:close() end
    if parts.exit then done(table.concat(parts), parts.exit) end
  end)
end

--- The output of brio with these words: done(text).
function Code:program(words, done) spawn(self, words, "", done) end

--- Check a text in place of a file's, as `brio check` does: done({faults = list of {line, message,
--- severity}}) or done({error = sentence}).  Two at a time; further ones are refused.
function Code:check(name, text, done)
  local place, why = self:place(name)
  if not place then return done { error = why } end
  if type(text) ~= "string" or #text > code.most_bytes then return done { error = "the text is too long" } end
  if self.checks >= 2 then return done { error = "busy" } end
  self.checks = self.checks + 1
  spawn(self, { "check", place, "--text", "--json" }, text, function(output)
    self.checks = self.checks - 1
    local made = message.read(output:match "[^\n]+" or "")
    if not made then return done { error = "the text cannot be checked" } end
    local list = {}
    for _, fault in ipairs(type(made.faults) == "table" and made.faults or {}) do
      local own = fault.file == place
      list[#list + 1] = { line = own and math.max(1, math.tointeger(fault.line) or 1) or 1,
        severity = fault.severity or "error",
        message = own and fault.message or ("%s: %s"):format(fault.file or "?", fault.message) }
    end
    done { faults = message.list(list) }
  end)
end

return code
