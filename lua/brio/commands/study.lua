--- `brio study`: plans a study, holds its sessions, reports and shares its results.  Each verb is a file in
--- commands/study.
local cli, suggest = require "brio.terminal.cli", require "brio.lib.suggest"
local record, study = require "brio.study.record", require "brio.study.file"

local command = {
  name = "study",
  summary = "plan a study, hold its sessions, report and share its results",
  usage = "brio study VERB [FILE] ...     (`brio study` lists the verbs)",
  options = {
    { "store", "FILE", "the run store; default: brio.db" },
    { "why", "TEXT", "assign: reason for a change of the plan after a consent; correct: reason for a new \z
      class" },
    { "coder", "CODE", "correct, code: the coder, such as C1" },
    { "instead-of", "CODE", "assign: a participant more, instead of this one who withdrew" },
    { "fact", "NAME=VALUE", "consent: a fact that the study declares; can be repeated", many = true },
    { "condition", "C", "begin: it must be the planned one; free in rehearsals and trainings" },
    { "wizard", "CODE", "begin: the person at the desk, if the study names several" },
    { "rehearse", nil, "begin: a rehearsal; it does not count, and has no participant" },
    { "training", nil, "begin: training of a wizard; it does not count, and has no participant" },
    { "outcome", "finished|aborted", "end: an aborted session is held again; default: finished" },
    { "note", "TEXT", "end: a note about the session; no names: exports leave it out" },
    { "language", "L", "ask: language, such as de" },
    { "plain", nil, "ask: line by line" },
    { "out", "PATH", "report: FILE.md or FILE.html; code: a sheet FILE.csv; export: a folder, or FILE.zip" },
    { "as", "FORMAT", "import: scout, tablet; default: by the first file" },
    { "without-facts", nil, "export: leave out the facts about participants" },
    { "yes", nil, "withdraw: do it; without it, only report what would be removed" },
    { "json", nil, "status, report: print JSON" },
  },
}

--- The verbs, in their usual order of use.
command.verbs = { "new", "check", "assign", "consent", "next", "begin", "ask", "end", "status",
  "correct", "code", "report", "export", "import", "withdraw" }

local function verb_of(name) return require("brio.commands.study." .. name) end

local function usage()
  print "brio study: plan a study, hold its sessions, report and share its results\n"
  local widest = 0
  for _, name in ipairs(command.verbs) do widest = math.max(widest, #name + #verb_of(name).words) end
  for _, name in ipairs(command.verbs) do
    local verb = verb_of(name)
    print(("  %s %s%s  %s"):format(name, verb.words, (" "):rep(widest - #name - #verb.words), verb.summary))
  end
  print "\nA session is a run: brio run --study FILE --participant P01. See docs/analysis/studies.md."
  return 0
end

-- What verbs are given ---------------------------------------------------------------------------------

local Context = {}
Context.__index = Context

--- The study in the store: found, or nil; false if the store cannot be read (printed).
function Context:find()
  local found, why = record.find(self.path, self.data.name)
  if why then
    cli.error("%s", why)
    return false
  end
  return found
end

--- The same for a registered study; nil if it is not registered (printed).
function Context:registered()
  local found = self:find()
  if found == nil then
    cli.error("the study '%s' is not registered in %s yet: brio study assign %s", self.data.name, self.path,
      self.data.file)
  end
  return found or nil
end

--- Write with work(kept); return its result, or nil (printed) if it returns nil and a sentence.
function Context:write(work)
  local kept, why = record.open(self.path)
  if not kept then return cli.error("%s", why) end
  local result, fault = work(kept)
  kept:close()
  if not result then return cli.error("%s", fault) end
  return result
end

--- Open the store for reading; one of an older brio is updated first, as it lacks views.
local function open_current(path)
  local store = require "brio.store"
  local db, why = store.open(path)
  if not db or db:columns "SELECT 1 FROM script_deviation, study_sittings" then return db, why end
  db:close()
  local kept, fault = record.open(path)
  if not kept then return nil, fault end
  kept:close()
  return store.open(path)
end

--- Query the store: the result of work(db), or nil (printed) if it returns nil and a sentence.
function Context:query(work)
  local db, why = open_current(self.path)
  if not db then return cli.error("%s", why) end
  local result, fault = work(db)
  db:close()
  if result == nil then return cli.error("%s", fault) end
  return result
end

-- The command -----------------------------------------------------------------------------------------

function command.run(args)
  local name = table.remove(args, 1)
  if not name then return usage() end
  if not suggest.contains(command.verbs, name) then
    cli.error("study has no verb '%s'%s: %s", name, suggest.hint(name, command.verbs),
      table.concat(command.verbs, ", "))
    return 2
  end
  local verb = verb_of(name)
  if #args < verb.least or #args > verb.most then
    cli.error("study %s expects %s: brio study %s %s", name, verb.words == "" and "no word" or verb.words,
      name, verb.words)
    return 2
  end
  local context = setmetatable({ path = args.store or "brio.db" }, Context)
  if verb.reads then
    local data, why = study.read(args[1])
    if not data then
      cli.error("%s", why)
      return 1
    end
    context.data = data
  end
  return verb.run(args, context)
end

return command
