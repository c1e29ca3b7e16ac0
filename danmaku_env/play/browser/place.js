// What a place at the table has besides the game: the clock, the title, a sound, bars of belief on the seats, light or dark.
const place = document.querySelector(".live"), title = document.title;
let ends = 0, ahead = 0;

document.addEventListener("message", ({ detail: { now, blocks } }) => {
  if (now) ahead = Date.now() - now;
  if (blocks.notice) document.body.classList.remove("sent");
  if ("belief" in blocks) bars();
});
document.addEventListener("settled", () => { bars(); call(); });

// While somebody else is asked nothing stands in the title.
function call() {
  const mine = !!document.querySelector("[name=question]");
  if (mine && document.hidden && document.title === title) sound();
  document.title = mine ? `● ${title}` : title;
}
let audio = null;
function sound() {
  if (localStorage.getItem("sound") === "off") return;
  audio ??= new AudioContext();
  const tone = audio.createOscillator(), loud = audio.createGain();
  loud.gain.setValueAtTime(0.08, audio.currentTime);
  loud.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.35);
  tone.frequency.value = 660;
  tone.connect(loud).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.36);
}
function mark(button, on) { button.setAttribute("aria-pressed", on); }
const loud = document.getElementById("sound");
mark(loud, localStorage.getItem("sound") !== "off");
loud.addEventListener("click", () => { const off = localStorage.getItem("sound") !== "off"; localStorage.setItem("sound", off ? "off" : "on"); mark(loud, !off); });

// What the panel says stands as a bar on every seat, too.
function bars() {
  for (const seat of document.querySelectorAll("[data-seat]")) {
    const there = document.querySelector(`[data-about="${seat.dataset.seat}"]`);
    const thought = seat.querySelector(".thought");
    if (thought && !seat.matches(".mine")) thought.replaceChildren(...(there ? there.cloneNode(true).childNodes : []));
  }
}

// The clock counts down to a moment of the server's, so that a page opened again shows what is left.
setInterval(() => {
  const clock = document.querySelector(".clock");
  ends = Number(clock?.dataset.ends ?? 0);
  if (!ends) return;
  const left = Math.max(0, ends - (Date.now() - ahead)) / 1000;
  clock.querySelector("b").textContent = `${Math.ceil(left)} s`;
  clock.style.setProperty("--left", Math.min(1, left / Number(clock.dataset.seconds)));
}, 250);

// Enter in the field for one's name is no answer to a question.
document.querySelector(".saying input")?.addEventListener("keydown", event => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  document.querySelector(".saying [formaction=name]").click();
});

const theme = document.getElementById("theme");
const wanted = localStorage.getItem("theme");
if (wanted) document.documentElement.dataset.theme = wanted;
theme.addEventListener("click", () => {
  const dark = (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  document.documentElement.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("theme", document.documentElement.dataset.theme);
});
place.classList.add("ready");
