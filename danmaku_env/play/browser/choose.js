// Answers: the first click on a card or a seat chooses it and shows what it would do and cost, the second sends it. Keys do the same.
import { arrow, read } from "./stage.js";

const FRESH = 300; // milliseconds in which a question that has just come takes no key
const ask = document.querySelector("[data-block=question]");
let chosen = null, asked = "", timer = 0;

function leave() {
  for (const one of document.querySelectorAll(".chosen")) one.classList.remove("chosen");
  document.querySelector(".arrows").replaceChildren();
  chosen = null;
}
function choose(pick) {
  leave();
  chosen = ask.querySelector(`button[name=answer][value="${pick.value}"]`);
  if (!chosen) return false;
  chosen.classList.add("chosen");
  const there = pick.closest(".card, .seat");
  there?.classList.add("chosen");
  if (there?.dataset.seat) arrow({ actor: document.querySelector(".seat.mine").dataset.seat, target: there.dataset.seat });
  if (chosen.dataset.confirm && !chosen.querySelector(".price")) chosen.insertAdjacentHTML("beforeend", '<b class="price">click again to pay</b>');
  return true;
}
function isChosen(button) { return chosen !== null && chosen.value === button.value; }

addEventListener("click", event => {
  const button = event.target.closest("button[name=answer]");
  if (!button) return;
  if (document.body.classList.contains("playing") || document.body.classList.contains("sent")) { event.preventDefault(); return; }
  const steps = button.matches(".pick, .on-board") || button.dataset.confirm;
  if (steps && !isChosen(button)) { event.preventDefault(); choose(button); return; }
  document.body.classList.add("sent");
  read();
  leave();
}, true);

addEventListener("keydown", event => {
  const key = event.key;
  if (document.body.classList.contains("fresh") && document.querySelector(`[name=answer][data-key="${CSS.escape(key)}"]`)) { event.preventDefault(); event.stopImmediatePropagation(); }
  if (key === "Escape" && chosen) leave();
  if (key === "Enter" && chosen && !event.target.closest("button, a, input, select, summary")) { event.preventDefault(); chosen.click(); }
}, true);

document.addEventListener("question", () => {
  const number = ask.querySelector("[name=question]")?.value ?? "";
  leave();
  document.body.classList.remove("sent");
  if (!number || number === asked) return;
  asked = number;
  document.body.classList.add("fresh");
  clearTimeout(timer);
  timer = setTimeout(() => document.body.classList.remove("fresh"), FRESH);
});
