// A servo board for brio: hobby servos at an Arduino's pins, told by lines of text.
// docs/devices/line-protocol.md has the grammar.  Set the pins here; ids, baud rate and limits
// are set over the line and kept in the EEPROM.
#include <EEPROM.h>
#include <Servo.h>

const byte pins[] = {2, 3, 4, 5, 6, 7, 8, 9};  // of the servos, channel 0 first
const byte inputs[] = {A0, A1, A2, A3};        // what is read as A0, A1, ...
const byte channels = sizeof pins, ninput = sizeof inputs;
const int LEAST = 500, MOST = 2500;            // us: no pulse is told beyond
const byte MAGIC = 0xB2, MOST_LINE = 204;

struct Kept { byte magic, id; long baud; int limits[channels][2]; } kept;
struct Channel { Servo servo; int from, to; unsigned long begun; long ms; } at[channels];
enum { DONE, NO_LINE, NO_NUMBER, NO_CHANNEL, BEYOND };  // how a line was taken

char text[MOST_LINE];
byte length = 0;
bool inside = false, named = false;            // within a line; the line has our id
byte flags = 1;                                // 1: started, 2: the watchdog let go
unsigned int spoiled = 0, refused = 0;
unsigned long heard = 0, patience = 0;         // ms
long next_baud = 0;

// ---- answers ----

void say(const char *words) {
  char line[MOST_LINE], end[6];
  line[0] = 0;
  if (named) itoa(kept.id, line, 10);
  strcat(line, words);
  byte sum = 0;
  for (const char *c = line; *c; c++) sum ^= *c;
  sprintf(end, "*%02X\n", sum);
  Serial.print('$');
  Serial.print(line);
  Serial.print(end);
}

void say_numbers(char letter, int (*number)(byte), byte count) {
  char line[MOST_LINE - 8];
  char *end = line;
  *end++ = letter;
  *end = 0;
  for (byte i = 0; i < count; i++) end += sprintf(end, " %d", number(i));
  say(line);
}

int pulse_at(byte i) {
  Channel &c = at[i];
  if (!c.servo.attached()) return 0;
  long went = millis() - c.begun;
  return went >= c.ms ? c.to : c.from + (c.to - c.from) * went / c.ms;
}

int limit_at(byte i) { return kept.limits[i / 2][i % 2]; }
int input_at(byte i) { return analogRead(inputs[i]); }

int status_at(byte i) { return i == 0 ? flags : (int)(i == 1 ? spoiled : refused); }

// ---- words of a line ----

// Read a number; false: there is none.
bool number(char *&words, long &value) {
  char *end;
  value = strtol(words, &end, 10);
  if (end == words || (*end && *end != ' ')) return false;
  words = end;
  return true;
}

bool at_end(const char *words) {
  while (*words == ' ') words++;
  return !*words;
}

void release(byte i) { at[i].servo.detach(); }

// A channel that sends nothing begins with its target: where it stands is not known.
void move(byte i, int pulse, long ms) {
  Channel &c = at[i];
  int now = pulse_at(i);
  c.from = now ? now : pulse;
  c.to = pulse;
  c.begun = millis();
  c.ms = ms;
  if (!c.servo.attached()) c.servo.attach(pins[i], LEAST, MOST);
  c.servo.writeMicroseconds(ms > 0 ? c.from : c.to);
}

// "channel pulse" again and again: first looked through, then done, all or nothing.
byte pulses(char *words, long ms, bool doing) {
  long channel, pulse;
  while (!at_end(words)) {
    if (!number(words, channel) || !number(words, pulse)) return NO_NUMBER;
    if (channel < 0 || channel >= channels) return NO_CHANNEL;
    if (pulse < kept.limits[channel][0] || pulse > kept.limits[channel][1]) return BEYOND;
    if (doing) move(channel, pulse, ms);
  }
  return DONE;
}

byte outputs(char *words, bool doing) {
  long channel, on;
  while (!at_end(words)) {
    if (!number(words, channel) || !number(words, on)) return NO_NUMBER;
    if (channel < 0 || channel >= channels) return NO_CHANNEL;
    if (doing && !on) release(channel);
  }
  return DONE;
}

byte limits(char *words, bool doing) {
  long channel, least, most;
  while (!at_end(words)) {
    if (!number(words, channel) || !number(words, least) || !number(words, most)) return NO_NUMBER;
    if (channel < 0 || channel >= channels) return NO_CHANNEL;
    if (least < LEAST || most > MOST || least >= most) return BEYOND;
    if (doing) kept.limits[channel][0] = least, kept.limits[channel][1] = most;
  }
  if (doing) EEPROM.put(0, kept);
  return DONE;
}

byte one_number(char *words, long least, long most, long &value) {
  if (!number(words, value) || !at_end(words)) return NO_NUMBER;
  return value < least || value > most ? BEYOND : DONE;
}

// ---- lines ----

byte set_id(char *words) {
  long id;
  byte result = one_number(words, 0, 127, id);
  if (result == DONE) kept.id = id, EEPROM.put(0, kept);
  return result;
}

byte set_baud(char *words) {
  long baud;
  byte result = one_number(words, 9600, 1000000, baud);
  if (result == DONE) next_baud = baud;
  return result;
}

byte set_patience(char *words) {
  long ms;
  byte result = one_number(words, 0, 60000, ms);
  if (result == DONE) patience = ms;
  return result;
}

// Lines that are done; the others are asked.
byte obey(char letter, char *words) {
  long ms = 0;
  byte result;
  switch (letter) {
    case 'P':
    case 'M':
      if (letter == 'M' && (!number(words, ms) || ms < 0 || ms > 60000)) return NO_NUMBER;
      result = pulses(words, ms, false);
      return result == DONE ? pulses(words, ms, true) : result;
    case 'O':
      result = outputs(words, false);
      return result == DONE ? outputs(words, true) : result;
    case 'L':
      result = limits(words, false);
      return result == DONE ? limits(words, true) : result;
    case 'T': return set_patience(words);
    case 'N': return set_id(words);
    case 'B': return set_baud(words);
    default: return NO_LINE;
  }
}

// Answer a question.  Return whether it was one.
bool answer(char letter, const char *words) {
  char line[40];
  if (!at_end(words)) return false;
  switch (letter) {
    case 'V':
      sprintf(line, "V brio-servo 2 %d %d %d", channels, ninput, kept.id);
      say(line);
      return true;
    case 'R': say_numbers('R', pulse_at, channels); return true;
    case 'I': say_numbers('I', input_at, ninput); return true;
    case 'L': say_numbers('L', limit_at, 2 * channels); return true;
    case 'S':
      say_numbers('S', status_at, 3);
      flags = spoiled = refused = 0;
      return true;
    default: return false;
  }
}

void take_line() {
  static const char *const reasons[] = {"", "no such line", "a number is missing or wrong", "no such channel", "beyond its limits"};
  char *letter = text, line[40];
  long id;
  named = isdigit(*letter);
  if (named) {
    id = strtol(text, &letter, 10);
    if (id != kept.id) return;
  }
  heard = millis();
  if (answer(*letter, letter + 1)) return;
  byte was = kept.id, result = obey(*letter, letter + 1), now = kept.id;
  kept.id = was;                                // the answer comes from who was asked
  if (result != DONE) refused++;
  sprintf(line, "E %d %s", result, reasons[result]);
  say(result == DONE ? "K" : line);
  kept.id = now;
}

void take(char c) {
  if (c == '$') {
    inside = true;
    length = 0;
    return;
  }
  if (!inside) return;
  if (c != '\n') {
    if (length < MOST_LINE - 1) text[length++] = c;
    else inside = false;
    return;
  }
  inside = false;
  if (length < 4 || text[length - 3] != '*') { spoiled++; return; }
  byte sum = 0;
  for (byte i = 0; i < length - 3; i++) sum ^= text[i];
  text[length] = 0;
  if (sum != strtol(text + length - 2, 0, 16)) { spoiled++; return; }
  text[length - 3] = 0;
  take_line();
}

void setup() {
  EEPROM.get(0, kept);
  if (kept.magic != MAGIC || kept.id > 127 || kept.baud < 9600 || kept.baud > 1000000) {
    kept.magic = MAGIC;
    kept.id = 0;
    kept.baud = 115200;
    for (byte i = 0; i < channels; i++) kept.limits[i][0] = LEAST, kept.limits[i][1] = MOST;
  }
  Serial.begin(kept.baud);
}

void loop() {
  while (Serial.available() && !next_baud) take(Serial.read());
  if (next_baud) {
    Serial.flush();
    Serial.begin(next_baud);
    kept.baud = next_baud;
    next_baud = 0;
    EEPROM.put(0, kept);
  }
  for (byte i = 0; i < channels; i++)
    if (at[i].servo.attached()) at[i].servo.writeMicroseconds(pulse_at(i));
  if (!patience || millis() - heard <= patience) return;
  for (byte i = 0; i < channels; i++) {
    if (at[i].servo.attached()) flags |= 2;
    release(i);
  }
}
