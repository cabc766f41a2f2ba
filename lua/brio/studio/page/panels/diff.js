// What differs between two texts, line by line.

// Lines of two texts in order, {sign: " ", "-" or "+", text}, by the longest common subsequence of what is
// between their common beginning and end.  O(n m) of that part, which is limited.
const most = 4e6;

function between(a, b) {
  if (a.length * b.length > most) {
    return [...a.map((text) => ({ sign: "-", text })), ...b.map((text) => ({ sign: "+", text }))];
  }
  const width = b.length + 1, best = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      best[i * width + j] = a[i] === b[j] ? best[(i + 1) * width + j + 1] + 1
        : Math.max(best[(i + 1) * width + j], best[i * width + j + 1]);
    }
  }
  const made = [];
  let i = 0, j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      made.push({ sign: " ", text: a[i] });
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && best[(i + 1) * width + j] >= best[i * width + j + 1])) {
      made.push({ sign: "-", text: a[i++] });
    } else {
      made.push({ sign: "+", text: b[j++] });
    }
  }
  return made;
}

export function linesOf(first, second) {
  const a = first.split("\n"), b = second.split("\n");
  let head = 0, tail = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  while (tail < a.length - head && tail < b.length - head
    && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const same = (list) => list.map((text) => ({ sign: " ", text }));
  return [...same(a.slice(0, head)), ...between(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...same(a.slice(a.length - tail))];
}

// The same with three lines around each change; "@" says from which line of the second text on.
export function changesOf(first, second) {
  const all = linesOf(first, second), made = [], near = 3;
  let line = 0, shown = -1;
  all.forEach((one, i) => {
    if (one.sign !== "-") line++;
    const from = Math.max(0, i - near), close = all.slice(from, i + near + 1).some((other) => other.sign !== " ");
    if (!close) return;
    if (i !== shown + 1 || made.length === 0) made.push({ sign: "@", text: `line ${Math.max(1, line)}` });
    made.push(one);
    shown = i;
  });
  return made.length ? made : [{ sign: "@", text: "no difference" }];
}
