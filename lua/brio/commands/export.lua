--- `brio export`: exports a run or a sequence for other programs.
local cli, motions = require "brio.terminal.cli", require "brio.terminal.motion_files"
local run_export = require "brio.formats.run.writers"

local command = {
  name = "export",
  summary = "write a run for other programs (CSV, MCAP, ELAN, LSL, glTF, an HTML report), or a sequence",
  usage = "brio export RUN --as FORMAT [--out FILE] [options]\n"
    .. "       brio export FILE --out FILE.csv|.glb|.gltf|.lua [options]     (no RUN or FILE: list the \z
      formats)",
  options = motions.with_options {
    { "as", "FORMAT", "format for a run; default: by the name of --out" },
    { "store", "FILE", "the run store; default: brio.db" },
    { "out", "FILE", "output file (-: the terminal); for a sequence its extension is the format" },
    { "from", "T", "for a run: from this second on" },
    { "to", "T", "for a run: until this second" },
    { "dof", "NAME", "for a run: this DOF only; can be repeated", many = true },
    { "table", "NAME", "csv: this table or view only, in one file; default with --out FILE.csv: samples" },
    { "rate", "HZ", "frames per second; default: 60 for a sequence, 30 for a run" },
    { "media", "FILE", "elan: the recording of the annotations; can be repeated", many = true },
    { "offset", "S", "elan: second of the recording at which the run began; lsl: offset of all times" },
  },
}

local function list_formats()
  print "Of a run (--as):"
  for _, format in ipairs(run_export.list()) do print(("  %-6s %s"):format(format.name, format.doc)) end
  print "Of a sequence (by what the name of --out ends with):"
  for _, format in ipairs(require("brio.formats.motion.writers").list()) do
    print(("  %-6s %s"):format(format.name, format.doc))
  end
  print "  lua    a sequence of brio's own"
  return 0
end

-- Files ---------------------------------------------------------------------------------------------

local Sink = {}
Sink.__index = Sink

--- A file that gets its name when it is complete; pipes and devices are written directly.
local function open_sink(path)
  if path == "-" then return setmetatable({ handle = io.stdout, path = path, bytes = 0 }, Sink) end
  local uv = require "luv"
  local real = uv.fs_realpath(path) or path
  local there = uv.fs_stat(real)
  local made = (not there or there.type == "file") and real .. ".new" or nil
  local handle, why = io.open(made or real, "wb")
  if not handle then return nil, why end
  return setmetatable({ handle = handle, path = path, real = real, made = made, bytes = 0 }, Sink)
end

function Sink:write(bytes)
  local good, why = self.handle:write(bytes)
  if not good then error(("%s: %s"):format(self.path, why), 0) end
  self.bytes = self.bytes + #bytes
end

--- Close the file, and give it its final name.
function Sink:close()
  local good, why = self.handle:flush()
  if good and self.path ~= "-" then
    good, why = self.handle:close()
    if good and self.made then good, why = os.rename(self.made, self.real) end
  end
  if not good then error(("%s: %s"):format(self.path, why), 0) end
end

--- Remove it.
function Sink:drop()
  if self.path == "-" then return end
  if io.type(self.handle) == "file" then self.handle:close() end
  if self.made then os.remove(self.made) end
end

--- A spool for bytes that must be counted before they are written.
function Sink.spool()
  local handle = assert(io.tmpfile())
  return {
    bytes = 0,
    write = function(self, bytes)
      assert(handle:write(bytes))
      self.bytes = self.bytes + #bytes
    end,
    pieces = function()
      handle:seek "set"
      return function() return handle:read(1 << 16) end
    end,
    close = function() handle:close() end,
  }
end

local Folder = { spool = Sink.spool }
Folder.__index = Folder

local function open_folder(path)
  local good, why = cli.make_folder(path)
  if not good then return nil, why end
  return setmetatable({ path = path, bytes = 0, files = {} }, Folder)
end

function Folder:file(name)
  local sink, why = open_sink(self.path .. "/" .. name)
  if not sink then error(why, 0) end
  self.files[#self.files + 1] = sink
  return sink
end

function Folder:close()
  for _, sink in ipairs(self.files) do self.bytes = self.bytes + sink.bytes end
end

function Folder:drop()
  for _, sink in ipairs(self.files) do sink:drop() end
end

-- Runs ----------------------------------------------------------------------------------------------

--- The options of only some formats, with their meanings.
local special = { "dof", "table", "rate", "media", "offset", "robot" }

--- Options of a run's export, checked; nil on errors (printed).
local function read_run_options(args, format)
  local options = { dofs = args.dof, table = args.table, media = args.media, robot = args.robot,
    program = require("luv").exepath(),
    note = function(sentence) io.stderr:write("note: ", sentence, "\n") end }
  for _, name in ipairs(special) do
    if args[name] and not format.takes[name] then
      return cli.error("%s has no use for --%s", format.name, name)
    end
  end
  if not cli.read_span(args, options) then return nil end
  options.rate = cli.number(args, "rate", 0.1, 1000, false)
  options.offset = cli.number(args, "offset", -1e9, 1e9, 0.0)
  if options.rate == nil or options.offset == nil then return nil end
  options.rate = options.rate or nil
  return options
end

--- "12.3 MB"
local function size_of(bytes)
  local unit = bytes < 1e6 and { 1e3, "kB" } or { 1e6, "MB" }
  return ("%.1f %s"):format(bytes / unit[1], unit[2])
end

local function write_run(args, format, options)
  return cli.with_run(args, args[1], function(db, run)
    if format.many and not options.table and (args.out or ""):lower():find "%.csv$" then
      options.table = "samples"
    end
    local several = format.many and not options.table
    local name = several and "run%d-" .. format.name or "run%d." .. format.extensions[1]
    local out = args.out or name:format(run.run)
    if several and out == "-" then return nil, format.name
      .. " makes several files: --out names a folder, or --table one of them" end
    local sink, why = (several and open_folder or open_sink)(out)
    if not sink then return nil, why end
    local good, fault = run_export.write(db, run.run, format, sink, options)
    if good then good, fault = pcall(sink.close, sink) end
    if not good then
      sink:drop()
      return nil, fault
    end
    if out ~= "-" then print(("run %d: %s, %s"):format(run.run, out, size_of(sink.bytes))) end
    return true
  end)
end

local function export_run(args)
  local format, why = run_export.format(args.as, args.out)
  if not format then
    cli.error("%s", why)
    return 2
  end
  local options = read_run_options(args, format)
  if not options then return 2 end
  return cli.finish(write_run(args, format, options))
end

-- Sequences -------------------------------------------------------------------------------------------

local function bytes_of(made, description, out, rate)
  if out:match "%.lua$" then return require("brio.motion.sequence").text(made) end
  local export = require "brio.formats.motion.writers"
  local format, why = export.format(out)
  if not format then return nil, why end
  local film = export.film(made, description, rate)
  if #film.dofs == 0 then return nil, "it moves no DOF of " .. description.name end
  return format.write(film, description)
end

local function export_file(path, args, options, rate)
  local made, notes, description = motions.sequence(path, args.robot, options)
  if not made then return nil, notes end
  for _, note in ipairs(notes) do io.stderr:write("note: ", note, "\n") end
  local bytes, why = bytes_of(made, description, args.out, rate)
  if not bytes then return nil, why end
  return cli.write(args.out, bytes)
end

local function export_sequence(args)
  local options, rate = motions.options(args), cli.number(args, "rate", 1, 1000, 60)
  if #args ~= 1 or not args.out then
    cli.error("export expects a file, and --out: %s", command.usage)
    return 2
  end
  if not (options and rate) then return 2 end
  return cli.finish(export_file(args[1], args, options, rate))
end

function command.run(args)
  if #args == 0 and not args.out and not args.as then return list_formats() end
  local is_run = args.as or args[1] and not motions.is_file(args[1], args)
  if is_run and #args <= 1 then return export_run(args) end
  return export_sequence(args)
end

return command
