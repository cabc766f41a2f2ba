--- What `brio scene` looks for in a point cloud: one row each, the file finders/<name>.lua.
---
--- A row has name, doc, and find(cloud, facts), which returns a list of things (none found: an empty one), or
--- nil and a sentence. The cloud's axes are brio's (x forward, z up). A thing is a table of
---     text    one line that says what it is, with its figures
---     lines   lists of points {x, y, z} to draw as lines, if any
---     cloud   points of it to draw, if any
---     color   {red, green, blue} from 0 to 1, unless one is to be chosen
---     label   a word for the picture; the row's name unless said
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
