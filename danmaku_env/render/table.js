"use strict";
// Exchanges the blocks of a table, presses the button whose key was struck, and enlarges what the mouse or a finger rests on.
function show(blocks) {
  for (const [name, html] of Object.entries(blocks)) {
    const there = document.querySelector(`[data-block="${name}"]`);
    if (there) there.innerHTML = html;
  }
}
addEventListener("keydown", event => {
  const typing = event.target.closest("input:not([type=range]), select, textarea");
  if (typing || event.ctrlKey || event.altKey || event.metaKey || event.repeat && !event.key.startsWith("Arrow")) return;
  if (event.key === " " && event.target.closest("button, a, summary")) return; // a space presses what has the focus
  const button = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (button) { event.preventDefault(); button.click(); }
});
// Everything printed stands, closed, on the page: its text is shown large beside what is pointed at.
const zoom = { timer: 0, box: null };
function face(key) {
  const printed = document.getElementById(`page-${key}`);
  if (!printed) return null;
  const card = document.createElement("div");
  card.className = `face ${printed.dataset.band ?? ""}`;
  card.innerHTML = printed.innerHTML;
  return card;
}
function enlarge(from) {
  reduce();
  const box = face(from.dataset.face);
  if (!box) return;
  box.classList.add("zoom");
  document.body.append(box);
  const at = from.getBoundingClientRect(), size = box.getBoundingClientRect();
  box.style.left = `${Math.max(4, Math.min(at.left, innerWidth - size.width - 4))}px`;
  box.style.top = `${at.top > size.height + 8 ? at.top - size.height - 8 : Math.min(at.bottom + 8, innerHeight - size.height - 4)}px`;
  zoom.box = box;
}
function reduce() { clearTimeout(zoom.timer); zoom.box?.remove(); zoom.box = null; }
function rest(event, wait) {
  const from = event.target.closest?.("[data-face]") ?? event.target.closest?.(".card")?.closest("[data-face]");
  reduce();
  if (from) zoom.timer = setTimeout(() => from.isConnected && enlarge(from), wait);
}
addEventListener("pointerover", event => { if (event.pointerType === "mouse") rest(event, 450); });
addEventListener("pointerdown", event => { if (event.pointerType === "mouse") reduce(); else rest(event, 400); });
for (const end of ["pointerup", "pointercancel", "scroll", "keydown"]) addEventListener(end, reduce, { passive: true });
