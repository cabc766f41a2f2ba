--- `brio search`: full-text search in the rows of a store.
local cli, store, suggest = require "brio.terminal.cli", require "brio.store", require "brio.lib.suggest"

local command = {
  name = "search",
  summary = "search notes, annotations, events, log lines, faults, operators' lines and versions' texts for \z
    words",
  usage = "brio search WORDS... [options]     (for example brio search door stuck, or brio search 'gree* \z
    \"a phrase\" -without')",
  options = {
    { "store", "FILE", "the run store; default: brio.db" },
    { "kind", "KIND", "only this kind: " .. table.concat(require("brio.analysis.search").kinds, ", ") },
    { "runs", "SET", "only in these runs: 3,5,8-12, last 20, kiosk, FILE#3, behavior=kiosk (see \z
      docs/analysis/finding.md)" },
    { "most", "N", "maximum number of results; default 50" },
    { "json", nil, "print JSON" },
  },
}

--- The first line of a hit: its place.
local function place(hit)
  if hit.kind == "version" then
    local several = (hit.runs or ""):find "[,%-]" and "s" or ""
    return ("version %s of %s, used by run%s %s"):format(hit.row:sub(1, 12), hit.name or "?", several,
      hit.runs ~= "" and hit.runs or "-")
  end
  return ("run %d at %.2f s, %s, %s%s"):format(hit.run, hit.t or 0, hit.kind,
    (hit.behavior or "no behavior"):match "[^/]*$",
    hit.states and " in " .. hit.states or "")
end

local function tell(found, json)
  if json then
    found.hits, found.gaps = store.array(found.hits), store.array(found.gaps)
    print(store.json(found))
    return
  end
  for _, hit in ipairs(found.hits) do
    print(place(hit) .. "\n    " .. hit.text:gsub("[%c]+", " "):gsub("  +", " "))
  end
  if #found.hits == 0 then print "nothing was found" end
  if found.more then print "there is more: say --most, or more words" end
  for _, gap in ipairs(found.gaps) do
    io.stderr:write(("brio: not all could be searched: %s: %s\n"):format(gap.kind, gap.why))
  end
end

local function search(args, typed, most)
  local db, path, chosen = require("brio.runs.stored").open_sets({ args.runs }, args.store)
  if not db then return nil, path end
  args.store = path
  local options = { kind = args.kind, most = most }
  if require("luv").guess_handle(1) == "tty" and not args.json then options.mark = { "\27[1m", "\27[0m" } end
  local fault
  if args.runs then
    options.runs, fault = require("brio.analysis.run_sets").runs(db, chosen[1])
    if not options.runs then
      db:close()
      return nil, fault
    end
  end
  local words = require "brio.analysis.search"
  local found, sentence = words.find(path, typed, options)
  if found then
    words.explain(db, found)
    tell(found, args.json)
  end
  db:close()
  return found, sentence
end

function command.run(args)
  local kinds = require("brio.analysis.search").kinds
  local most = cli.whole(args, "most", 1, 1e6, 50)
  if not most then return 2 end
  if #args == 0 then
    cli.error("search expects words: %s", command.usage)
    return 2
  elseif args.kind and not suggest.contains(kinds, args.kind) then
    cli.error("there is no kind '%s'%s: there are %s", args.kind, suggest.hint(args.kind, kinds),
      table.concat(kinds, ", "))
    return 2
  end
  for index, word in ipairs(args) do -- a word with spaces was in the shell's quotes: a phrase
    if #args > 1 and word:find " " and not word:find '"' then args[index] = '"' .. word .. '"' end
  end
  return cli.finish(search(args, table.concat(args, " ", 1, #args), most))
end

return command
