// Steps through the film in this file: data is what replay_page.py packed, a step is a position that the chosen eyes see.
(async () => {
  const packed = Uint8Array.from(atob(document.getElementById("film").textContent), letter => letter.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const data = JSON.parse(await new Response(unpacked).text());
  const get = id => document.getElementById(id);
  const state = { eyes: 0, step: 0, believer: 0, timer: 0 };

  // how many of the sorted numbers are at most `place`
  function upTo(numbers, place) {
    let low = 0, high = numbers.length;
    while (low < high) { const middle = (low + high) >> 1; if (numbers[middle] <= place) low = middle + 1; else high = middle; }
    return low;
  }
  function at(changes, place) {
    const found = upTo(changes[0], place);
    return found ? data.strings[changes[1][found - 1]] : "";
  }
  function item(text, classes) {
    const line = document.createElement("li");
    line.textContent = text;
    line.className = classes;
    return line;
  }
  function tell(eyes, place) {
    const until = eyes.lines.filter(line => line[0] <= place), me = `seat ${eyes.seat} `;
    get("log").replaceChildren(...until.slice(-250).map(([when, number]) => {
      const text = data.strings[number], kinds = [];
      if (text.startsWith("---")) kinds.push("turn");
      if (when === place) kinds.push("new");
      if (eyes.seat !== null && (text.includes(me) || text.endsWith(me.trim()))) kinds.push("me");
      return item(text, kinds.join(" "));
    }));
    get("log").scrollTop = get("log").scrollHeight;
  }
  function draw() {
    const eyes = data.eyes[state.eyes], place = eyes.places[state.step];
    show(Object.fromEntries(Object.entries(eyes.blocks).map(([name, changes]) => [name, at(changes, place)])));
    tell(eyes, place);
    get("slider").max = eyes.places.length - 1;
    get("slider").value = state.step;
    get("step").textContent = `step ${state.step} of ${eyes.places.length - 1}`;
    const beliefs = data.beliefs[state.believer];
    if (!beliefs) return;
    document.querySelector(".beliefs").style.setProperty("--now", place / Math.max(1, data.last));
    for (const [pair, changes] of Object.entries(beliefs.blocks)) document.querySelector(`[data-belief="${pair}"]`).textContent = at(changes, place);
  }
  function go(step) {
    state.step = Math.max(0, Math.min(step, data.eyes[state.eyes].places.length - 1));
    draw();
  }
  function goTo(place) { go(upTo(data.eyes[state.eyes].places, place) - 1); }
  function look(eyes) {
    const place = data.eyes[state.eyes].places[state.step];
    state.eyes = eyes;
    charts();
    goTo(place);
  }
  // what moved the beliefs, as the chosen eyes may know it: from above everybody's
  function charts() {
    const beliefs = data.beliefs[state.believer], seat = data.eyes[state.eyes].seat;
    if (!beliefs) return;
    document.querySelector(".beliefs").classList.toggle("one", seat !== null);
    for (const row of document.querySelectorAll("[data-observer]")) row.hidden = seat !== null && Number(row.dataset.observer) !== seat;
    for (const [pair, svg] of Object.entries(beliefs.charts)) document.querySelector(`[data-chart="${pair}"]`).innerHTML = svg;
    for (const [place, observer, judged, words] of beliefs.marks.filter(mark => seat === null || mark[1] === seat)) {
      const mark = document.createElement("button");
      mark.className = "mark";
      mark.style.left = `${100 * place / data.last}%`;
      mark.title = words;
      mark.tabIndex = -1;
      mark.onclick = () => goTo(place);
      document.querySelector(`[data-chart="${observer}-${judged}"]`).append(mark);
    }
    get("deeds").replaceChildren(...beliefs.deeds[state.eyes].map(([place, words]) => {
      const line = item("", ""), button = document.createElement("button");
      button.textContent = words;
      button.onclick = () => goTo(place);
      line.append(button);
      return line;
    }));
  }
  function play() {
    if (state.timer) { clearInterval(state.timer); state.timer = 0; get("play").textContent = "play"; return; }
    get("play").textContent = "stop";
    state.timer = setInterval(() => { if (state.step + 1 < data.eyes[state.eyes].places.length) go(state.step + 1); else play(); }, 700);
  }
  get("start").onclick = () => go(0);
  get("back").onclick = () => go(state.step - 1);
  get("next").onclick = () => go(state.step + 1);
  get("end").onclick = () => go(Infinity);
  get("play").onclick = play;
  get("slider").oninput = () => go(Number(get("slider").value));
  get("eyes").onchange = () => look(Number(get("eyes").value));
  if (get("believer")) get("believer").onchange = () => { state.believer = Number(get("believer").value); charts(); draw(); };
  charts();
  go(0);
})();
