--- The finders of `brio scene`: each is a file finders/<name>.lua.
---
--- A row has name, doc, and find(cloud, facts), which returns a list of things, or nil and a sentence. The
--- cloud's axes are brio's (x forward, z up). A thing is a table of
---     text    a line that describes it, with figures
---     lines   optional: lists of points {x, y, z} to draw as lines
---     cloud   optional: its points, to draw
---     color   optional: {red, green, blue} from 0 to 1
---     label   a word for the picture; default: the row's name
local finders = {}

--- The rows, in order: (require "brio.perception.finders.name").
finders.list = {
  (require "brio.perception.finders.planes"),
  (require "brio.perception.finders.things"),
  (require "brio.perception.finders.edges"),
  (require "brio.perception.finders.table"),
  (require "brio.perception.finders.doors"),
}

return finders
