// Marks of people at moments of a run: put, taken back by their coder, and both undone and redone, in the order
// in which this page asked for them.

export class Marks {
  // ask(fields) resolves to an answer; changed(run, mark, there) is told of each mark that is there or no more.
  constructor(ask, changed) {
    this.ask = ask;
    this.changed = changed;
    this.done = [];      // {puts, run, mark}, the newest last
    this.undone = [];
    this.last = Promise.resolve("");
  }

  // Do one thing after the other; resolves to a sentence, "" if all is well.
  after(work) {
    this.last = this.last.then(work, work);
    return this.last;
  }

  // Put a mark, or take it back.  A mark that is put again has another number.
  async send(puts, run, mark) {
    const { id, ...rest } = mark;
    const answer = await this.ask(puts ? { mark: { run, ...rest } } : { unmark: { run, mark: id, coder: mark.coder } });
    this.waits = Boolean(answer.waits);
    if (answer.error) return answer.error;
    if (puts) Object.assign(mark, { id: answer.mark, coder: answer.coder });
    this.changed(run, mark, puts);
    return "";
  }

  act(puts, run, mark) {
    return this.after(async () => {
      const fault = await this.send(puts, run, mark);
      if (fault) return fault;
      this.done.push({ puts, run, mark });
      this.undone = [];
      return "";
    });
  }

  // Put a mark {tier, t0, t1?, label, coder?} into a run.
  put(run, mark) { return this.act(true, run, { ...mark }); }

  // Take back a mark of the store {id, tier, t0, t1, label, coder}.  Who put it here may have it in the history.
  takeBack(run, mark) {
    const known = this.done.find((one) => one.run === run && one.mark.id === mark.id);
    return this.act(false, run, known ? known.mark : { ...mark });
  }

  // Move the newest step from one list to the other, and do it, or its opposite.  A mark that cannot be taken back
  // is there no more, or stays for ever: the step is dropped, unless only the connection is lost.
  step(from, to, opposite) {
    return this.after(async () => {
      const one = this[from][this[from].length - 1];
      if (!one) return "";
      const puts = one.puts !== opposite, fault = await this.send(puts, one.run, one.mark);
      if (fault && (puts || this.waits)) return fault;
      this[from].pop();
      if (fault) return fault;
      this[to].push(one);
      return "";
    });
  }

  undo() { return this.step("done", "undone", true); }
  redo() { return this.step("undone", "done", false); }
}
