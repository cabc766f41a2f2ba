--- The system's error messages: libuv begins them with a code, and may end them with the path.

--- The message in "EACCES: permission denied: /some/path": "permission denied"; nil of nil.
return function(why)
  why = tostring(why or "unknown error")
  return why:match "^%u[%u%d_]+: (.-):" or why:match "^%u[%u%d_]+: (.*)$" or why
end
