-- Where a thing is that a camera sees.
local camera = require "brio.camera"

local eye = camera.new { width = 640, height = 480, fx = 535.4, fy = 539.2, cx = 320.1, cy = 247.6 }
local u, v = eye:project { 2, 0.5, 0 }
print(("pixel %.1f %.1f"):format(u, v))                                --> pixel 186.3 247.6
local ray = eye:ray(u, v)
print(("%.2f to the left of 1 ahead"):format(ray[2] / ray[1]))         --> 0.25 to the left of 1 ahead

-- a person's box tells how far they are
local person = eye:by_height({ 300, 100, 80, 300 }, 1.7)
print(("a person %.1f m ahead"):format(person[1]))                     --> a person 3.1 m ahead

-- a box in the picture and a depth picture tell where a thing is: here all is 1.5 m ahead
local small = camera.new { width = 32, height = 24, fx = 30 }
local depth = { width = 32, height = 24, u16 = string.pack("<I2", 1500):rep(32 * 24) }
local found = small:look { box = { 10, 6, 12, 12 }, depth = depth, erode = 1 }
print(("%.2f m ahead, %d pixels"):format(found.position[1], found.used)) --> 1.50 m ahead, 100 pixels
