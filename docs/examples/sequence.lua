-- Sequences: motion as keyframes, described, checked, written and read (docs/animation/sequences.md).
local sequence = require "brio.sequence"

local nod = sequence.describe {
  unit = "deg",
  tracks = {
    HeadPitch = { { 0, kind = "input" }, { 0.3, 12, kind = "superposition" }, { 1, kind = "input" } } },
}
print(sequence.length(nod), sequence.count(nod))          --> 1	3
print((sequence.text(nod):gsub("\n$", "")))
--> return {
-->   unit = "deg",
-->   tracks = {
-->     HeadPitch = {
-->       { 0, kind = "input" },
-->       { 0.3, 12, kind = "superposition" },
-->       { 1, kind = "input" },
-->     },
-->   },
--> }

-- What is wrong is said with its place.
print(sequence.fault { tracks = { HeadPitch = { { 0.5, 1 }, { 0.2, 1 } } } })
--> tracks.HeadPitch[2] is at 0.2 s, which must be after the key before it, at 0.5 s
print((select(2, sequence.parse("return { tracks = { HeadPitch = { { 0, 'up' } } } }", "nod.lua"))))
--> nod.lua: tracks.HeadPitch[1] of kind 'normal' needs a finite number as its value, not 'up'
