"use strict";
// Exchanges the blocks of a table, and presses the button that carries the key which was struck.
function show(blocks) {
  for (const [name, html] of Object.entries(blocks)) {
    const there = document.querySelector(`[data-block="${name}"]`);
    if (there) there.innerHTML = html;
  }
}
addEventListener("keydown", event => {
  const typing = event.target.closest("input:not([type=range]), select, textarea");
  if (typing || event.ctrlKey || event.altKey || event.metaKey || event.repeat && !event.key.startsWith("Arrow")) return;
  const button = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (button) { event.preventDefault(); button.click(); }
});
// An answer with a price that cannot be declined afterwards is confirmed before it is sent.
addEventListener("click", event => {
  const words = event.target.closest("[data-confirm]")?.dataset.confirm;
  if (words && !confirm(words)) event.preventDefault();
}, true);
