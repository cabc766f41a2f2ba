--- The system's errors in words: libuv begins them with a code, and may end them with the path.

--- What is wrong, of "EACCES: permission denied: /some/path" or nil: "permission denied".
return function(why)
  why = tostring(why or "unknown error")
  return why:match "^%u[%u%d_]+: (.-):" or why:match "^%u[%u%d_]+: (.*)$" or why
end
