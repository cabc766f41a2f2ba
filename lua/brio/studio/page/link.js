// The connection to the studio: requests with answers, messages to all pages, frames of poses.  A connection
// that is lost is made again.

const pauses = [100, 250, 500, 1000, 2000];

// Exchange the token of the address for a cookie, and take it out of the address.
export async function enter() {
  const token = location.hash.slice(1);
  if (token) {
    history.replaceState(null, "", location.pathname);
    const reply = await fetch("/login", { method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ token }) });
    if (!reply.ok) throw new Error(await reply.text());
  }
  return get("start");
}

// Ask the studio for something below /api/.
export async function get(name, query) {
  const reply = await fetch("/api/" + name + (query ? "?" + new URLSearchParams(query) : ""));
  if (reply.status === 403) throw new Error(await reply.text());
  if (reply.headers.get("Content-Type") === "application/octet-stream") return reply.arrayBuffer();
  if (reply.headers.get("Content-Type") === "image/jpeg") return reply.blob();
  const value = await reply.json();
  if (!reply.ok) throw new Error(value.error || reply.statusText);
  return value;
}

export class Link {
  // on: message(object), frame(DataView), open(), lost()
  constructor(on) {
    this.on = on;
    this.next = 0;
    this.waiting = new Map();
    this.tries = 0;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss://" : "ws://";
    const wire = new WebSocket(scheme + location.host + "/socket");
    wire.binaryType = "arraybuffer";
    wire.onopen = () => {
      this.tries = 0;
      this.on.open();
    };
    wire.onmessage = (event) => {
      if (typeof event.data !== "string") this.on.frame(new DataView(event.data));
      else this.take(JSON.parse(event.data));
    };
    wire.onclose = () => this.lose();
    this.wire = wire;
  }

  take(message) {
    const done = message.answer && this.waiting.get(message.id);
    if (!done) {
      if (!message.answer) this.on.message(message);
      return;
    }
    this.waiting.delete(message.id);
    done(message.answer);
  }

  lose() {
    // Nobody knows whether it was done: an edit waits, and names the text that it saw when it is sent again.
    for (const done of this.waiting.values()) {
      done({ error: "the connection to the studio is lost", waits: true });
    }
    this.waiting.clear();
    this.on.lost();
    setTimeout(() => this.open(), pauses[Math.min(this.tries++, pauses.length - 1)]);
  }

  get ready() { return this.wire.readyState === WebSocket.OPEN; }

  send(message) {
    if (this.ready) this.wire.send(JSON.stringify(message));
    return this.ready;
  }

  // Send a request; resolves to the answer, which has text or error.
  ask(fields) {
    return new Promise((done) => {
      const id = ++this.next;
      if (!this.send({ id, ...fields })) return done({ error: "the studio is not connected", waits: true });
      this.waiting.set(id, done);
    });
  }
}
