-- For commands and tools: behaviors see no files.
local file = require "brio.file"

local path = os.tmpname()
local handle = assert(io.open(path, "w"))
handle:write "one\ntwo\n"
handle:close()
print(#file.read(path))                --> 8
print(file.replace(path, "three\n"))   --> true
print(#file.read(path))                --> 6
print(select(3, file.read(path, 4)))   --> limit
os.remove(path)
print(select(3, file.read(path)))      --> no_file
print((select(2, file.read "/")))       --> / is a folder, a file was expected
print(table.concat(file.list "drivers/gamepads", " "))         --> standard.lua
print((select(2, file.replace("/no/such/folder", "x"))))
--> /no/such/folder cannot be written: No such file or directory
