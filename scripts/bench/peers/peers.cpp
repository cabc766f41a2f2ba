// See peers.h.
#include "scripts/bench/peers/peers.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

// Cut every <name ...>...</name> and <name .../> out of `text`.
static void cut(std::string &text, const std::string &name) {
  const std::string open = "<" + name, shut = "</" + name + ">";
  for (size_t from = text.find(open); from != std::string::npos; from = text.find(open, from)) {
    size_t tag = text.find('>', from), close = text.find(shut, from);
    if (tag == std::string::npos) return;
    if (std::string(" \t\r\n/>").find(text[from + open.size()]) == std::string::npos) {
      from = tag;  // a longer name
      continue;
    }
    bool alone = close == std::string::npos || text[tag - 1] == '/';
    text.erase(from, (alone ? tag + 1 : close + shut.size()) - from);
  }
}

char *peers_read(const char *file) {
  std::ifstream stream(file);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  for (const char *element : {"visual", "collision"}) cut(text, element);
  const std::string ends = "\"revolute\"", endless = "\"continuous\"";
  for (size_t at = text.find(ends); at != std::string::npos; at = text.find(ends, at))
    text.replace(at, ends.size(), endless);
  return strdup(text.c_str());
}
