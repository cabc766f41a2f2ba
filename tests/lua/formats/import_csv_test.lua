--- Motions in tables of values (CSV): separators, dates, units, and faults in the table.
local import = require "brio.import"

local function read(text, options) return import.read(text, options) end

local function refused(t, expected, text, options)
  local made, why, code = read(text, options)
  t:equal({ made, code }, { nil, "format" })
  t:ok(tostring(why):find(expected, 1, true), "'%s' does not say '%s'", why, expected)
end

test("CSV: separators, decimal commas, empty cells, dates, units, columns that are no numbers", function(t)
  local made = assert(read("\u{FEFF}Timestamp;elbow [deg];ok;wrist\r\n\z
      2022-10-26T08:17:21.500Z;90,5;True;1\r\n"
    .. "2022-10-26T08:17:22.750Z;;False;-7,39E-3\r\n", { file = "a.csv" }))
  t:equal(#made.tracks, 2)
  t:equal(made.tracks[1].keys[1], { 0.0, math.rad(90.5) })
  t:equal(#made.tracks[1].keys, 1)
  t:near(made.tracks[2].keys[2], { 1.25, -0.00739 }, 1e-6)
  t:equal(made.notes[1], "columns without numbers, left out: ok")
  made = assert(read("a,b\n1,2\n3,4\n", { file = "a.csv", fps = 10 }))
  t:equal(made.tracks[2].keys, { { 0.0, 2.0 }, { 0.1, 4.0 } })
  refused(t, "line 1: values, expected the columns' names above them", "0,1\n1,2\n", { file = "a.csv" })
  refused(t, "line 1: values, expected", "2022-10-26 08:17:21,1e-3\n", { file = "a.csv", fps = 10 })
  made = assert(read("t,b,c,\n0,1,2,\n1,2,3,4\n2\n3,2,x,\n3,1,1,\n", { file = "a.csv" }))
  t:equal({ #made.tracks, made.notes }, { 1, {
    "1 rows repeat the time of the row before, first in line 6: left out",
    "1 rows have values in columns without a name, first in line 3: left out",
    "1 rows have fewer cells than there are names, first in line 4: no keys there",
    "columns without numbers, left out: c (line 5 has 'x')" } })
  refused(t, "the value of key 1 is 1e+30, expected a finite number from", "t,b\n0,1e30\n",
    { file = "a.csv" })
  refused(t, "line 3: '-NaN' in column 'b', expected a finite number, or an empty cell for none",
    "t,a,b\n0,1,1\n1,2,-NaN\n", { file = "a.csv" })
  refused(t, "no column of numbers beside the time: a, b (line 3 has 'x')", "t,a,b\n0,inf,1\n1,b,x\n",
    { file = "a.csv" })
  refused(t, "line 1: no column is the time", "a,b\n1,2\n", { file = "a.csv" })
  refused(t, "line 3: its time, 0 s, is before", "t,b\n1,2\n0,3\n", { file = "a.csv" })
  refused(t, "line 2: the time is 'soon'", "t,b\nsoon,2\n", { file = "a.csv" })
  refused(t, "no keyframe in it", "t,b\n", { file = "a.csv" })
end)

test("CSV: dates with a time zone, and with a decimal comma", function(t)
  local made = assert(read("t;a\n2022-10-30T02:59:59+02:00;1\n2022-10-30T02:00:00.5+01:00;2\n"
    .. "2022-10-29 20:00:01 -0500;3\n", { file = "a.csv" })) -- the night in which clocks go back
  t:near(made.tracks[1].keys, { { 0, 1 }, { 1.5, 2 }, { 2, 3 } }, 1e-6)
  made = assert(read("t;a\n2022-10-30 02:59:59,250;1\n2022-10-30 02:59:59,750;2\n", { file = "a.csv" }))
  t:near(made.tracks[1].keys, { { 0, 1 }, { 0.5, 2 } }, 1e-6)
end)
