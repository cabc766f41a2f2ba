--- The leaf `say`: an utterance, with the robot's mouth and gestures (docs/animation/speech.md).
local text = require "brio.character.speech.text"

--- Approximate bytes of text per second of speech.
local bytes_a_second = 14

return {
  name = "say",
  doc = "Speaks a text, and succeeds at its end.",
  fields = {
    text = { "string",
      doc = "the text; {name value} in it is an event at that word (docs/animation/speech.md)" },
    voice = { "string", doc = "which voice, else the character's" },
    rate = { "number", unit = "1", lower = 0.3, upper = 3, doc = "how fast, 1 as usual" },
    pitch = { "number", unit = "1", lower = 0, upper = 2, doc = "how high, 1 as usual" },
    volume = { "number", unit = "1", lower = 0, upper = 2, doc = "how loud, 1 as usual" },
    beats = { "number", unit = "1", lower = 0, upper = 3, doc = "how much head and hands go along" },
    interrupt = { "boolean", value = false,
      doc = "the current speech is cut off; else this text is queued" },
    wait = { "boolean", value = true, doc = "false: it succeeds as soon as the text is queued" },
  },
  needs = "text",
  fault = function(form) return text.fault(form.text) end,
  owns = function() return {} end,
  seconds = function(form) return form.wait
    and math.max(0.5, #text.plain(form.text, false, 2 ^ 16) / bytes_a_second) or 0 end,
  work = function(site, form, memory, fresh)
    if fresh then
      local how = {}
      for _, key in ipairs { "voice", "rate", "pitch", "volume", "beats", "interrupt" } do
        how[key] = form[key]
      end
      local item, why = site.host.speech:say(form.text, how, site.name)
      if not item then return false, why end
      memory.item = item
      if not form.wait then return true end
    end
    local over = memory.item.over
    if over == nil then return nil end
    if over == "over" then return true end
    return false, ("it was cut off: %s"):format(over)
  end,
  stop = function(site, _, memory)
    if memory.item and memory.item.over == nil then site.host.speech:drop(memory.item, "stopped") end
  end,
  progress = function(_, _, memory)
    local item = memory.item
    return { text = not item and "" or not item.began and "waits for its turn"
      or item.word and "at '" .. item.word .. "'"
      or "speaks" }
  end,
  inherit = { "voice", "rate", "pitch", "volume", "beats" },
}
