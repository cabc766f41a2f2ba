-- What string.find and its kind do, but the script budget can stop it.
local pattern, script = require "brio.pattern", require "brio.script"

print(pattern.find("left elbow", "(%a+)$"))                  --> 6	10	elbow
print(pattern.gsub("a=1, b=2", "(%w)=(%w)", "%2=%1"))        --> 1=a, 2=b	2
local bomb = ("a?"):rep(40) .. ("a"):rep(40)
local good, message = script.call(0.05, pattern.match, ("a"):rep(39) .. "b", bomb)
print(good, message:match "time budget")                     --> false	time budget
