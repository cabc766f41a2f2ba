--- `brio study export`: exports the study's data for sharing, without identifying information.
local cli, export, uv = require "brio.terminal.cli", require "brio.study.export", require "luv"

local verb = { words = "FILE --out FOLDER|FILE.zip", least = 1, most = 1, reads = true,
  summary = "export the data for sharing, as tables and a codebook, without names, texts and dates" }

--- Write the files into a folder, which must not contain any of them yet.
local function write_folder(folder, files)
  for _, file in ipairs(files) do
    if uv.fs_stat(folder .. "/" .. file[1]) then
      return nil, ("%s/%s is there already"):format(folder, file[1])
    end
  end
  local there, fault = cli.make_folder(folder)
  if not there then return nil, fault end
  for _, file in ipairs(files) do
    local good, why = cli.write(folder .. "/" .. file[1], file[2])
    if not good then return nil, why end
  end
  return true
end

function verb.run(args, context)
  if not args.out then
    cli.error "export expects --out FOLDER or --out FILE.zip"
    return 2
  end
  if not context:registered() then return 1 end
  local alone
  local files = context:query(function(db)
    local made, more = export.files(db, context.data, { without_facts = args["without-facts"] })
    alone = more
    return made, more
  end)
  if not files then return 1 end
  local path = args.out:gsub("(.)/+$", "%1")
  local good, why
  if path:find "%.zip$" then
    good, why = cli.write(path, require("brio.formats.zip").pack(files))
  else
    good, why = write_folder(path, files)
  end
  if not good then return cli.finish(nil, why) end
  print(("wrote %s: %d files"):format(path, #files))
  if alone > 0 then
    print(("%d of the participants have facts that nobody else has, and may be known by them:"):format(alone)
      .. " --without-facts leaves facts out")
  end
  return 0
end

return verb
