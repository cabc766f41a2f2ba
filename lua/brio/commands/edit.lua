--- `brio edit`: lists what a Lua file writes (states, wants, fields, tunes, keys, steps), and changes one
--- part of it, with the smallest change of the text.
local cli = require "brio.terminal.cli"

local command = {
  name = "edit",
  summary = "list the parts of a behavior's text and change one, keeping all else; undo and redo",
  usage = "brio edit FILE [OPERATION ...] [options]   (set PATH VALUE, add PATH VALUE, remove PATH, move \z
    PATH N, rename PATH NAME, wrap PATH, lead STATE on|after|when TRIGGER STATE, undo, redo, apply)",
  options = {
    { "json", nil, "print the parts, or the answer, as JSON" },
    { "at", "N", "add: the place in the list; default: the end" },
    { "over", nil, "set: also in place of code; remove: also with comments inside" },
    { "with", "F", "wrap: the function that gets the value; default: a function that returns it" },
    { "leads", nil, "remove: also the transitions to the state" },
    { "hash", "HASH", "the text that you have seen, by its hash: refused if the file has another one" },
    { "as", "NAME", "whose edit this is, for undo; default: your user's name" },
    { "dry-run", nil, "print the difference, and write nothing" },
  },
}

--- The words after each operation, by the fields that they are.
local words_of = { undo = {}, redo = {}, apply = {}, set = { "path", "value" }, add = { "path", "value" },
  remove = { "path" }, move = { "path", "to" }, rename = { "path", "to" }, wrap = { "path" },
  lead = { "path", "kind", "trigger", "to" } }

--- Read the operation of `apply`, which may have its own hash, into a request.  Return it; nil after an error
--- (printed).
local function read_operation(request)
  local good, said = pcall(require("cjson").decode, io.read "a")
  if good and type(said) == "table" then
    request.op, request.hash = said, said.hash or request.hash
    return request
  end
  cli.error "edit FILE apply expects an operation as JSON by the standard input"
  return nil
end

--- The request of a command line; nil after an error (printed).
local function request_of(args)
  local verb = args[2]
  local request = { who = args.as or os.getenv "USER" or "terminal", hash = args.hash }
  local fields = words_of[verb]
  if not fields then
    cli.error("there is no operation '%s'%s: %s", verb,
      require("brio.lib.suggest").hint(verb, require("brio.lib.suggest").keys(words_of)), command.usage)
    return nil
  end
  if #args - 2 ~= #fields then
    cli.error("edit FILE %s expects %s", verb, #fields > 0 and table.concat(fields, ", ")
      or "no further word")
    return nil
  end
  if verb == "undo" or verb == "redo" then
    request[verb] = true
    return request
  end
  if verb == "apply" then return read_operation(request) end
  local at = cli.whole(args, "at", 1, 1e6, false)
  if at == nil then return nil end
  request.op = { op = verb, at = at or nil, over = args.over, with = args.with, leads = args.leads }
  for index, field in ipairs(fields) do request.op[field] = args[index + 2] end
  return request
end

--- The loader's faults of a text in place of a file's; nil, sentence: it cannot be judged.
local function faults_of(file, text)
  local check = require "brio.commands.check"
  local doc = require("brio.behavior.text.document").open(text)
  if not doc or doc.behavior or text:find "%f[%w_]tracks%s*=" then
    return check.faults(file, { given = text })
  end
  -- Trees, session scripts and studies are read from the disk: from a file of this process.
  local folder, name = file:match "^(.*/)([^/]*)$"
  name = (name or file):gsub("%.lua$", "")
  local beside = ("%s.%s.edit-%d.lua"):format(folder or "", name, require("luv").os_getpid())
  local good, why = require("brio.file").replace(beside, text)
  if not good then return nil, why end
  local sound, faults, fault = pcall(check.faults, beside, {})
  os.remove(beside)
  if not sound then return nil, tostring(faults) end
  for _, one in ipairs(faults or {}) do
    if one.file == beside then one.file = file end
  end
  return faults, fault
end

--- Whether the loader accepts a plan: true, its faults; nil, the answer that refuses it.
local function judge(file, plan)
  local after, why = faults_of(file, plan.after)
  if not after then
    plan.notes[#plan.notes + 1] = "not checked: " .. tostring(why)
    return true
  end
  local editor = require "brio.behavior.text.editor"
  local refused = editor.refusal({}, after) and editor.refusal(faults_of(file, plan.before) or {}, after)
  if refused then return nil, { error = refused } end
  return true, after
end

--- Print an answer; return the exit code.
local function finish(args, answer, code)
  if args.json then
    local store = require "brio.store"
    answer.notes = answer.notes and store.array(answer.notes)
    answer.faults = answer.faults and store.array(answer.faults)
    print(store.json(answer))
    return code
  end
  if answer.error then
    cli.error("%s", answer.error)
    return code
  end
  io.write(answer.diff)
  for _, note in ipairs(answer.notes) do print("note: " .. note) end
  for _, line in ipairs(answer.left or {}) do
    print(("note: line %d has the same text, and was not changed"):format(line))
  end
  for _, fault in ipairs(answer.faults or {}) do
    print(("%s:%d: %s%s"):format(fault.file, fault.line, fault.severity and fault.severity .. ": " or "",
      fault.message))
  end
  return code
end

--- Plan, judge and write an edit.
local function perform(args, file, text, request)
  local editor, journal = require "brio.behavior.text.editor", require "brio.behavior.text.journal"
  if not request.op and request.hash and request.hash ~= require("brio.store").hash(text) then
    return finish(args, { error = "the file has been changed since it was read: read it again" }, 3)
  end
  local path = cli.absolute(file)
  local kept, unread = journal.read(path)
  local plan, refused = editor.plan(text, request, kept)
  if not plan then
    refused.mine, refused.text = args.json and refused.mine, args.json and refused.text
    return finish(args, refused, 3)
  end
  local good, faults = judge(file, plan)
  if not good then return finish(args, faults, 3) end
  local store = require "brio.store"
  local answer = { what = plan.what, notes = plan.notes, left = plan.left, faults = faults,
    hash = store.hash(plan.after),
    diff = require("brio.lib.diff").unified(plan.before, plan.after, file, file) }
  if args["dry-run"] then return finish(args, answer, 0) end
  -- Another program may have written while the loader judged.
  local disk = require "brio.file"
  if disk.read(file, 1 << 20) ~= text then
    return finish(args, { error = file .. " has been changed meanwhile: nothing was written" }, 3)
  end
  local done, why = disk.replace(file, plan.after)
  if not done then return finish(args, { error = why }, 1) end
  editor.written(plan, request.who, kept)
  local written, fault = journal.write(path, kept)
  if not written or unread then
    answer.notes[#answer.notes + 1] = "undo is not possible beyond this: " .. tostring(fault or unread)
  end
  return finish(args, answer, 0)
end

function command.run(args)
  if not args[1] then
    cli.error("edit expects a file: %s", command.usage)
    return 2
  end
  local file = args[1]
  local request = args[2] and request_of(args)
  if args[2] and not request then return 2 end
  local text, why = require("brio.file").read(file, 1 << 20)
  if not text then return finish(args, { error = why }, 1) end
  if request then return perform(args, file, text, request) end
  local doc, fault, line = require("brio.behavior.text.document").open(text)
  if not doc then return finish(args, { error = ("%s:%d: %s"):format(file, line, fault), line = line }, 3) end
  local outline = require "brio.behavior.text.outline"
  local made = outline.of(doc)
  if args.json then print(require("brio.store").json(made))
  else print(table.concat(outline.lines(made), "\n")) end
  return 0
end

return command
