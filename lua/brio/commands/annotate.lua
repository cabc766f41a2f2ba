--- `brio annotate`: imports annotations made in ELAN into the store.
local cli, eaf = require "brio.terminal.cli", require "brio.formats.elan_reader"
local elan, recorded = require "brio.formats.run.writers.elan", require "brio.record.reader"
local forms = require "brio.forms"
local sandbox = require "brio.behavior.sandbox.sandbox"
local study = require "brio.study.file"

local command = {
  name = "annotate",
  summary = "import annotations from ELAN into the store",
  usage = "brio annotate RUN FILE.eaf --coder CODE [options]     (RUN: see docs/analysis/runs.md)",
  options = {
    { "coder", "CODE", "the coder: a code with a digit, such as C1" },
    { "tier", "NAME", "this tier of the file only; can be repeated", many = true },
    { "offset", "S", "second of the recording at which the run began; default: that of the file, else 0" },
    { "store", "FILE", "the run store; default: brio.db" },
  },
}

--- The key of an annotation in a file; a line end in a tier's name is a space in XML.
local function name_of(tier, mark)
  return ("%s\n%d\n%d\n%s"):format((tier.id:gsub("%s", " ")), mark.from, mark.to, mark.text)
end

--- Number of occurrences of each annotation in brio's own export: these are not new.
local function known_marks(run, offset)
  local known = {}
  for _, tier in ipairs(elan.tiers(run, offset)) do
    for _, mark in ipairs(tier.marks) do
      local key = name_of(tier, mark)
      known[key] = (known[key] or 0) + 1
    end
  end
  return known
end

--- The name of a tier in the store: without the additions of the export.
local function tier_of(id) return (id:gsub("^annotations: ", ""):gsub(" %(%d+%)$", "")) end

--- An annotation of a file as a row of the store; in a tier exported by brio, without the coder after its
--- text.
local function row_of(run, tier, mark, options)
  local label = tier.id:find "^annotations: " and mark.text:gsub(" %([%w_-]+%)$", "") or mark.text
  return { run = run.number, tier = tier_of(tier.id), t0 = mark.from / 1000 - options.offset,
    t1 = mark.to > mark.from and mark.to / 1000 - options.offset or nil, label = label,
      coder = options.coder }
end

local function key_of(row)
  return ("%s\n%.6f\n%.6f\n%s\n%s"):format(row.tier, row.t0, row.t1 or row.t0, row.label, row.coder or "")
end

--- The annotations that the store has of the run.
local function stored_rows(run)
  local known = {}
  for row in run:select "SELECT tier, t0, t1, label, coder FROM annotations WHERE run = ?1 AND ?2 <= ?3" do
    known[key_of(row)] = true
  end
  return known
end

--- New annotations in a file: rows for the store, number of known ones; nil and a tier of --tier that the
--- file lacks.
local function news_of(document, run, options)
  local known, stored, rows, same, wanted = known_marks(run, options.offset), stored_rows(run), {}, 0, {}
  for _, name in ipairs(options.tiers or {}) do wanted[name] = true end
  for _, tier in ipairs(document.tiers) do
    local asked = not options.tiers or wanted[tier.id]
    wanted[tier.id] = nil
    for _, mark in ipairs(asked and tier.marks or {}) do
      local key = name_of(tier, mark)
      local row = row_of(run, tier, mark, options)
      if (known[key] or 0) > 0 or stored[key_of(row)] then
        known[key], same = (known[key] or 1) - 1, same + 1
      elseif mark.text:find "%S" then
        rows[#rows + 1], stored[key_of(row)] = row, true
      end
    end
  end
  if next(wanted) then return nil, next(wanted) end
  return rows, same
end

--- Whether the file is about this run; nil and a sentence.
local function about_run(document, run, path)
  local of = document.properties["brio.uuid"]
  if not of or of == run.run.uuid then return true end
  return nil, ("%s was exported from another run than run %d of this store"):format(path, run.number)
end

--- Read the file and compare it with the run: new rows, number of known ones; nil and a sentence.
local function compare(db, number, path, options)
  local source, why = sandbox.read(path)
  if not source then return nil, why end
  local document, fault = eaf.parse(source, path)
  if not document then return nil, fault end
  local run, wrong = recorded.open(db, number)
  if not run then return nil, wrong end
  local good, other = about_run(document, run, path)
  if not good then return nil, other end
  options.offset = options.offset or tonumber(document.properties["brio.offset"]) or 0
  local rows, same = news_of(document, run, options)
  if not rows then return nil, ("%s has no tier '%s'"):format(path, same) end
  return { rows = rows, same = same, left_out = document.left_out }
end

local function keep(path, rows)
  if not rows[1] then return true end
  local file, why = forms.open(path)
  if not file then return nil, why end
  local good, fault = file:put("annotations_after", rows)
  file:close()
  return good, fault
end

function command.run(args)
  if #args ~= 2 then
    cli.error("annotate expects a run and a file: %s", command.usage)
    return 2
  end
  if not study.is_code(args.coder) then
    cli.error("%s", args.coder and
      ("a coder is a code with a digit, such as C1, never a name: not '%s'"):format(args.coder)
      or "say who annotated: --coder C1")
    return 2
  end
  local offset = args.offset and cli.number(args, "offset", -1e7, 1e7, 0)
  if args.offset and not offset then return 2 end
  local found, why = cli.with_run(args, args[1], function(db, run)
    return compare(db, run.run, args[2], { coder = args.coder, tiers = args.tier, offset = offset })
  end)
  if not found then return cli.finish(nil, why) end
  local good, fault = keep(args.store or "brio.db", found.rows)
  if not good then return cli.finish(nil, fault) end
  print(("%d annotations of %s are new, %d were in the store before%s"):format(#found.rows, args.coder,
    found.same,
    found.left_out > 0 and (", %d have no times and were left out"):format(found.left_out) or ""))
  return 0
end

return command
