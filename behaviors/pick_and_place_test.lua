--- A can is put onto a tray: while the hand hides it, after it is moved, and after it is knocked out of the
--- hand.
local function place(t, events, options)
  local data = t:world "pick_and_place_world.lua"
  data.events = events
  local run = t:run("pick_and_place.lua", { world_data = data, watch = options and options.watch })
  for _ = 1, 120 do
    run:advance(0.25)
    if options and options.each then options.each(run) end
    if run.state ~= "placing" then break end
  end
  return run
end

test("the can stands on the tray, though the hand hid it on the way", function(t)
  local hidden = false
  local run = place(t, nil, { each = function(run)
    local object = run.scene:object "can"
    if object and object.frozen and run.world:state("can").held_by == "nobody" then
      local seen = false
      for _, one in ipairs(run.world:detect()) do seen = seen or one.kind == "can" end
      hidden = hidden or not seen
    end
  end })
  t:equal({ run.state, run.world:state("can").on }, { "placed", "tray" })
  t:ok(hidden, "the hand never hid it: freezing it was not needed")
end)

test("a can that is moved, or knocked out of the hand, is taken again", function(t)
  local run = place(t, { { at = 1.9, what = "put", id = "can", to = { 0.40, 0.0 } },
    { at = 9, what = "put", id = "can", to = { 0.38, -0.15 } } })
  t:equal({ run.state, run.world:state("can").on }, { "placed", "tray" })
end)

test("a can that is gone is given up, in words", function(t)
  local run = place(t, { { at = 1.5, what = "take", id = "can" } })
  t:equal(run.state, "given_up")
  t:match(table.concat(t.said, "\n"), "the can is not on the tray")
end)
