--- `brio calibrate camera`: the intrinsics of a camera from pictures of a printed board, written to a file.
local cli = require "brio.terminal.cli"
local program = require "brio.commands.camera.program"

local calibrate = {}

--- The numbers that the result has, in their order.
local numbers = { "fx", "fy", "cx", "cy", "k1", "k2", "k3", "p1", "p2" }

local function number_of(camera, name)
  local kind, index = name:match "^([kp])(%d)$"
  if not kind then return camera[name] end
  return camera[kind] and camera[kind][tonumber(index)] or 0
end

local function print_result(result)
  print(("%d pictures, %d corners: root mean square error %.3f px"):format(result.views, result.points,
    result.error))
  for _, name in ipairs(numbers) do
    local deviation = result.deviation[name]
    if deviation then
      print(("  %-3s %10.4f +- %.4f"):format(name, number_of(result.camera, name), deviation))
    end
  end
  for _, picture in ipairs(result.pictures) do
    local far = picture.error > 2.5 * result.error
      and "  far off: is the board flat, the picture sharp?" or ""
    print(("  %6.3f px  %3d corners  %s%s"):format(picture.error, picture.points, picture.file, far))
  end
end

--- Calibrate with the words and options of the command.  Return the exit code.
function calibrate.run(args)
  local words = program.board_words(args)
  local radial = cli.whole(args, "radial", 0, 3, 2)
  if not words or not radial then return 2 end
  if #args < 4 then
    cli.error("give at least 3 pictures of the board: brio calibrate camera PICTURE ... (see `brio camera \z
      board`)")
    return 2
  end
  table.move({ ("radial=%d"):format(radial), "decimate=1", "--" }, 1, 3, #words + 1, words)
  table.move(args, 2, #args, #words + 1, words)
  local result, line
  local code = program.run({ "calibrate", table.unpack(words) }, function(message, text)
    if message.fault then return cli.error("%s", message.fault) end
    result, line = message, text
  end)
  if code ~= 0 or not result then return code ~= 0 and code or 1 end
  print_result(result)
  local path = args.write or "camera.json"
  local good, why = require("brio.file").replace(path, line .. "\n")
  if not good then
    cli.error("%s", why)
    return 1
  end
  print(("%s is written: calibration = %q in the camera's row"):format(path, path))
  return 0
end

return calibrate
