--- What a run reports when the machine, and not the test, kept its threads or a device waiting.
local stalls = {}

--- Pieces of the sentences that report waiting: of the run's own threads; of a device in another process.
stalls.of_threads = { "sent no pose in time", "the scripts are back", "motor thread did not run" }
stalls.of_devices = { "is late by", "does not answer", "answers again", "the motors rest and hold" }

local function any_in(pieces, line)
  for _, piece in ipairs(pieces) do
    if line:find(piece, 1, true) then return true end
  end
  return false
end

--- Whether a line reports that; `devices` also counts the consequences of a device that waited.
function stalls.tells(line, devices)
  return any_in(stalls.of_threads, line) or line:find("is late by", 1, true) ~= nil
    or devices and any_in(stalls.of_devices, line) or false
end

--- SQL: whether a fault's `message` reports that.
stalls.sql = "(message like '%sent no pose%' or message like '%thread did not run%' or message like '%is \z
  late by%')"

return stalls
