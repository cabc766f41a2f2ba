--- ROBOTIS' action files: 256 pages of poses, of the OP3 and similar robots.
---
--- A page has 512 bytes: a head of 64 and 7 steps of 64, each with a position for every servo, a pause and a
--- time. Positions are 4096 to a turn with 2048 in the center. One unit of time is 8 ms, the cycle of the
--- module that plays them; a page's speed scales it (32: unchanged). Pages name their successor.
local clip = require "brio.formats.clip"
local suggest = require "brio.lib.suggest"

local op3 = { name = "op3", extensions = { "bin" },
  doc = "ROBOTIS action file: 256 pages of poses, as of the OP3" }

local page_size, head_size, step_size, most_steps = 512, 64, 64, 7
local invalid, torque_off = 0x4000, 0x2000
local unit_time = 0.008

--- Names of the OP3's servos by their numbers, 1 to 20.
local servos = {
  "r_sho_pitch", "l_sho_pitch", "r_sho_roll", "l_sho_roll", "r_el", "l_el", "r_hip_yaw", "l_hip_yaw",
    "r_hip_roll",
  "l_hip_roll", "r_hip_pitch", "l_hip_pitch", "r_knee", "l_knee", "r_ank_pitch", "l_ank_pitch", "r_ank_roll",
  "l_ank_roll", "head_pan", "head_tilt",
}

local function sum_is_right(text, at)
  local sum = 0
  for index = at + 1, at + page_size do sum = sum + text:byte(index) end
  return sum % 256 == 0xff
end

--- The head of a page: its name, repetitions, number of steps, speed, successor.
local function head(text, page)
  local at = page * page_size
  return {
    name = text:sub(at + 1, at + 14):match "^[^%c]*", times = text:byte(at + 16),
      by_speed = text:byte(at + 17) == 0,
    steps = text:byte(at + 21), speed = text:byte(at + 23), following = text:byte(at + 26),
      whole = sum_is_right(text, at),
  }
end

function op3.sniff(text)
  return #text == 256 * page_size and head(text, 1).whole and head(text, 1).steps <= most_steps
end

local function list_pages(text)
  local names, broken = {}, 0
  for page = 1, #text // page_size - 1 do
    local one = head(text, page)
    if not one.whole then
      broken = broken + 1
    elseif one.steps > 0 and one.steps <= most_steps and one.times > 0 then
      names[#names + 1] = ("%d %s"):format(page, one.name)
    end
  end
  return names, broken
end

local function find_page(wanted, names)
  local titles = {}
  for index, name in ipairs(names) do
    local number, title = name:match "^(%d+) (.*)$"
    titles[index] = title
    if not wanted or wanted == number or wanted == title or wanted == name then return tonumber(number) end
  end
  clip.fail(nil, "no page '%s'%s; there are: %s", tostring(wanted), suggest.hint(tostring(wanted), titles),
    table.concat(names, ", "):sub(1, 400))
end

--- Duration of a step, s: its own time, or, if the page's schedule is by speed, the time of its largest
--- rotation.
local function step_time(one, step, pose, before)
  local speed = math.max(step.time * one.speed >> 5, 1)
  if not one.by_speed then return speed * unit_time end
  local widest = 0
  for servo, value in next, pose do
    if before[servo] then widest = math.max(widest, math.abs(value - before[servo])) end
  end
  return math.max(widest * 40 // (speed * 3), 1) * unit_time
end

local function read_step(text, page, index)
  local at = page * page_size + head_size + (index - 1) * step_size
  local pose = {}
  for servo = 1, #servos do
    local value = ("<I2"):unpack(text, at + 1 + 2 * servo)
    if value & invalid == 0 and value & torque_off == 0 then pose[servo] = value end
  end
  return { pose = pose, pause = text:byte(at + 63), time = text:byte(at + 64) }
end

local function add_keys(state, t, pose)
  for servo, value in next, pose do
    local keys = state.keys[servo]
    if not keys then
      keys = { { 0, "input", "monotone" } }
      state.keys[servo] = keys
    end
    keys[#keys + 1] = { t, (value - 2048) * math.pi / 2048, "monotone" }
  end
end

local function play_page(text, page, one, state)
  for _ = 1, one.times do
    for index = 1, one.steps do
      local step = read_step(text, page, index)
      state.t = state.t + step_time(one, step, step.pose, state.pose)
      add_keys(state, state.t, step.pose)
      for servo, value in next, step.pose do state.pose[servo] = value end
      local pause = (step.pause << 5) // math.max(one.speed, 1) * unit_time
      if pause > 0 then
        state.t = state.t + pause
        add_keys(state, state.t, step.pose)
      end
    end
  end
end

--- Play a page and its successors, each once.
local function play_pages(text, page, notes)
  local state, seen = { t = 0, keys = {}, pose = {} }, {}
  while page > 0 and not seen[page] do
    seen[page] = true
    local one = page < #text // page_size and head(text, page) or nil
    if not one or not one.whole or one.steps == 0 or one.steps > most_steps then
      clip.note(notes, "the page that should follow, %d, holds nothing to play: ended there", page)
      break
    end
    play_page(text, page, one, state)
    page = one.following
  end
  if page > 0 and seen[page] then clip.note(notes, "page %d follows again and again: played once", page) end
  return state
end

function op3.read(text, options)
  if #text % page_size ~= 0 or #text < 2 * page_size then
    clip.fail(nil, "%d bytes, expected a multiple of %d, for each page", #text, page_size)
  end
  local names, broken = list_pages(text)
  if #names == 0 then clip.fail(nil, "no page with steps and a right checksum in it") end
  local notes = {}
  if broken > 0 then clip.note(notes, "%d pages have a wrong checksum: they cannot be played", broken) end
  local page = find_page(options.clip, names)
  local state, tracks = play_pages(text, page, notes), {}
  for servo, name in ipairs(servos) do
    if state.keys[servo] then
      tracks[#tracks + 1] = { name = name, unit = "rad", keys = state.keys[servo] }
    end
  end
  if not options.clip and #names > 1 then
    clip.note(notes, "page '%s' of %d; name another with --clip", names[1], #names)
  end
  return clip.joints { name = head(text, page).name, clips = names, tracks = tracks, notes = notes,
    duration = state.t }
end

return op3
