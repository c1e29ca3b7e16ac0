// Shows what happens, one event at a time and at an even pace: an arrow, the card's face, life and cards as they change, a banner for what
// concerns this seat. Then the table as it stands. Both come from the server; an event is no more than the log tells this seat.
const AT_ONCE = new Set(["notice", "people", "belief", "clock", "passing", "talk"]); // blocks that no event changes
const LINES = 80; // of the log on the page; all of it has a page of its own
const board = document.querySelector(".board"), stage = board.querySelector(".spotlight"), arrows = board.querySelector(".arrows");
const latest = document.querySelector(".latest"), banner = document.querySelector(".banner"), log = document.querySelector("ol.log");
const slider = document.getElementById("pace"), skip = document.getElementById("skip");
const memory = `shown ${document.baseURI}`;
const queue = [];
let timer = 0, hurries = false, shown = Number(sessionStorage.getItem(memory) ?? -1), told = shown, first = true;

slider.value = localStorage.getItem("pace") ?? slider.value;
function say() { document.getElementById("pace-words").textContent = Number(slider.value) ? `${Number(slider.value).toFixed(1)} s` : "at once"; }
slider.addEventListener("input", () => { localStorage.setItem("pace", slider.value); say(); });
skip.addEventListener("click", () => { hurries = true; clearTimeout(timer); next(); });
say();

// A message: events that this page may not have shown yet, and the blocks that are different afterwards.
export function take(message) {
  const { blocks, events, count, read, now } = message;
  if (count < told) forget(count);
  if (first) begin(events, read);
  for (const event of events.filter(event => event.n > told)) { queue.push({ event }); told = event.n; }
  const later = Object.entries(blocks).filter(([name]) => !AT_ONCE.has(name));
  show(Object.fromEntries(Object.entries(blocks).filter(([name]) => AT_ONCE.has(name))));
  if (later.length) queue.push({ blocks: Object.fromEntries(later) });
  first = false;
  document.dispatchEvent(new CustomEvent("message", { detail: { now, blocks } }));
  if (!timer) next();
}

// On a page that was opened: what it has shown before, or its person had seen when they last answered, stands in the log at once.
function begin(events, read) {
  told = shown = Math.max(shown, read);
  log.replaceChildren();
  for (const event of events.filter(event => event.n <= shown)) line(event, false);
}

// Taken back: events that are no more are not shown; blocks that wait are, since the server sends none twice.
function forget(count) {
  for (const { blocks } of queue.splice(0)) if (blocks) settle(blocks);
  told = shown = count;
  for (const line of [...log.children]) if (Number(line.dataset.n) > count) line.remove();
}

function next() {
  timer = 0;
  clear();
  while (queue.length) {
    const { event, blocks } = queue.shift();
    if (blocks) { settle(blocks); continue; }
    play(event);
    const wait = hurries ? 0 : 1000 * Number(slider.value);
    if (!hurries) { timer = setTimeout(next, wait); break; }
  }
  const playing = timer !== 0;
  if (!playing) hurries = false;
  skip.hidden = !playing;
  document.body.classList.toggle("playing", playing);
  if (!playing) document.dispatchEvent(new Event("settled"));
}

function settle(blocks) {
  show(blocks);
  if ("question" in blocks) document.dispatchEvent(new Event("question"));
}

function play(event) {
  shown = event.n;
  sessionStorage.setItem(memory, shown);
  line(event, true);
  latest.textContent = event.text;
  latest.className = `latest ${event.tone ?? ""}`;
  if (event.face) { const there = face(event.face); if (there) stage.replaceChildren(there); }
  if (event.banner) { banner.textContent = event.banner; banner.className = `banner ${event.tone ?? ""}`; banner.hidden = false; }
  arrow(event);
  change(event);
  document.dispatchEvent(new CustomEvent("event", { detail: event }));
}

function clear() {
  arrows.replaceChildren();
  stage.replaceChildren();
  banner.hidden = true;
  for (const one of board.querySelectorAll(".struck, .acts")) one.classList.remove("struck", "acts");
}

function line(event, fresh) {
  const item = document.createElement("li");
  item.textContent = event.text;
  item.dataset.n = event.n;
  item.className = [event.kind === "turn" && "turn", event.mine && "me", fresh && "new"].filter(Boolean).join(" ");
  log.append(item);
  while (log.children.length > LINES) log.firstChild.remove();
}
// What a person has seen before answering is no news any more.
export function read() { for (const item of log.querySelectorAll(".new")) item.classList.remove("new"); }

const place = seat => board.querySelector(`[data-seat="${seat}"]`);

// From one seat to another, or a ring round one that acts alone.
export function arrow({ actor, target, tone }) {
  const from = place(actor), to = place(target);
  from?.classList.add("acts");
  if (!from || !to || from === to) return;
  if (tone === "harm") to.classList.add("struck");
  const edge = board.getBoundingClientRect();
  const [a, b] = [from, to].map(one => { const at = one.getBoundingClientRect(); return { x: at.left + at.width / 2 - edge.left, y: at.top + at.height / 2 - edge.top, w: at.width / 2, h: at.height / 2 }; });
  const along = (one, other) => { const dx = other.x - one.x, dy = other.y - one.y, cut = Math.min(one.w / (Math.abs(dx) || 1), one.h / (Math.abs(dy) || 1), 0.4); return [one.x + dx * cut, one.y + dy * cut]; };
  const [x, y] = along(a, b), [u, v] = along(b, a), angle = Math.atan2(v - y, u - x), wing = turn => `L${u - 16 * Math.cos(angle + turn)} ${v - 16 * Math.sin(angle + turn)}`;
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", `M${x} ${y}L${u} ${v}${wing(0.5)}M${u} ${v}${wing(-0.5)}`);
  path.setAttribute("class", tone ?? "");
  arrows.append(path);
}

// Life, cards and the turn as the event leaves them; the blocks that follow say it exactly.
function change(event) {
  for (const [seat, life] of Object.entries(event.life ?? {})) {
    const there = place(seat)?.querySelector(".life");
    if (!there?.querySelector(".hearts")) continue;
    const most = Math.max(life, Number(there.querySelector(".count").textContent.split("/")[1]));
    there.querySelector(".hearts").textContent = "♥".repeat(life) + "♡".repeat(most - life);
    there.querySelector(".count").textContent = `${life}/${most}`;
  }
  for (const [seat, more] of Object.entries(event.cards ?? {})) {
    const there = place(seat)?.querySelector(".held"), size = Math.max(0, parseInt(there?.textContent ?? "0", 10) + more);
    if (there) there.textContent = `${size} card${size === 1 ? "" : "s"}`;
  }
  if (event.kind === "turn") for (const seat of board.querySelectorAll(".seat")) seat.classList.toggle("turn", seat.dataset.seat === String(event.actor));
  if (event.kind === "defeat") place(event.actor)?.classList.add("out");
}
