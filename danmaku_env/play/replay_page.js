// Steps through the replay in this file: data is what replay_page.py packed, a step is a position at which the chosen view
// changes. The address names both: #step=200&view=3 (or view=above); #figure=beliefs&view=3 is the chart alone, to be put into another page.
(async () => {
  const packed = Uint8Array.from(atob(document.getElementById("replay").textContent), letter => letter.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const data = JSON.parse(await new Response(unpacked).text());
  const get = id => document.getElementById(id);
  const state = { view: 0, step: 0, beliefModel: 0, timer: 0 };

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
  function tell(view, place) {
    const until = view.lines.filter(line => line[0] <= place), me = `seat ${view.seat} `;
    get("log").replaceChildren(...until.slice(-250).map(([when, number]) => {
      const text = data.strings[number], kinds = [];
      if (text.startsWith("---")) kinds.push("turn");
      if (when === place) kinds.push("new");
      if (view.seat !== null && (text.includes(me) || text.endsWith(me.trim()))) kinds.push("me");
      return item(text, kinds.join(" "));
    }));
    get("log").scrollTop = get("log").scrollHeight;
  }
  function draw() {
    const view = data.views[state.view], place = view.places[state.step];
    show(Object.fromEntries(Object.entries(view.blocks).map(([name, changes]) => [name, at(changes, place)])));
    tell(view, place);
    get("slider").max = view.places.length - 1;
    get("slider").value = state.step;
    get("step").textContent = `step ${state.step} of ${view.places.length - 1}`;
    const figure = wanted().get("figure"), address = `#${figure ? `figure=${figure}&` : ""}step=${state.step}&view=${view.seat ?? "above"}`;
    if (location.hash !== address && location.protocol !== "about:") history.replaceState(null, "", address);
    const beliefs = data.beliefs[state.beliefModel];
    if (!beliefs) return;
    document.querySelector(".beliefs").style.setProperty("--now", place / Math.max(1, data.last));
    for (const [pair, changes] of Object.entries(beliefs.blocks)) document.querySelector(`[data-belief="${pair}"]`).textContent = at(changes, place);
  }
  function go(step) {
    state.step = Math.max(0, Math.min(step, data.views[state.view].places.length - 1));
    draw();
  }
  function goTo(place) { go(upTo(data.views[state.view].places, place) - 1); }
  function look(view) {
    const place = data.views[state.view].places[state.step];
    state.view = view;
    charts();
    goTo(place);
  }
  function wanted() { return new URLSearchParams(location.hash.slice(1)); }
  // the step and the view that the address names; what it does not name stays
  function follow() {
    const names = wanted(), step = Number.parseInt(names.get("step") ?? "", 10);
    const view = data.views.findIndex(one => String(one.seat ?? "above") === names.get("view"));
    document.body.classList.toggle("figure", names.get("figure") === "beliefs");
    if (view >= 0 && view !== state.view) { get("view").value = view; look(view); }
    go(Number.isNaN(step) ? state.step : step);
  }
  // to the first of these places that comes later
  function onward(places) {
    const now = data.views[state.view].places[state.step], there = places.filter(place => place > now);
    if (there.length) goTo(Math.min(...there));
  }
  function told(is) { return data.views[state.view].lines.filter(([, number]) => is(data.strings[number])).map(([place]) => place); }
  function moved() {
    const beliefs = data.beliefs[state.beliefModel], seat = data.views[state.view].seat;
    return (beliefs?.marks ?? []).filter(mark => seat === null || mark[1] === seat).map(([place]) => place);
  }
  // the charts that are seen, and only they, as a file
  function save(name, type, text) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
  function pairs() {
    const seat = data.views[state.view].seat;
    return Object.keys(data.beliefs[state.beliefModel].charts).filter(pair => seat === null || Number(pair.split("-")[0]) === seat);
  }
  function picture() {
    const wide = 220, high = 90, seats = Object.keys(data.views).length - 1, rows = [...new Set(pairs().map(pair => pair.split("-")[0]))];
    const fills = ["heroine", "rival", "partner", "stage", "extra", "none"].map(name => `.${name}{fill:${getComputedStyle(document.querySelector(`.legend i.${name}`)).backgroundColor}}`);
    const text = (x, y, words) => `<text x="${x}" y="${y}">${words}</text>`, keys = [...document.querySelectorAll(".legend .key")];
    const drawn = pairs().map(pair => {
      const [one, other] = pair.split("-"), x = other * wide, y = rows.indexOf(one) * high;
      return text(x + 4, y + 12, `seat ${one} about seat ${other}`) + data.beliefs[state.beliefModel].charts[pair].replace("<svg ", `<svg x="${x + 4}" y="${y + 18}" width="${wide - 8}" height="${high - 26}" `);
    });
    const legend = keys.map((key, place) => { const x = 4 + place * 120, y = rows.length * high + 6; return `<rect class="${key.querySelector("i").className}" x="${x}" y="${y}" width="12" height="12"/>${text(x + 16, y + 11, key.textContent)}`; });
    return `<svg xmlns="${document.querySelector(".beliefs svg").namespaceURI}" width="${seats * wide}" height="${rows.length * high + 26}" font-family="sans-serif" font-size="11"><style>${fills.join("")}</style>${drawn.join("")}${legend.join("")}</svg>`;
  }
  function table() {
    const beliefs = data.beliefs[state.beliefModel], lines = [`observer,seat,place,${beliefs.columns.join(",")}`];
    for (const pair of pairs()) for (const [place, ...shares] of beliefs.shares[pair]) lines.push([...pair.split("-"), place, ...shares].join(","));
    return `${lines.join("\n")}\n`;
  }
  // what moved the beliefs, as the chosen view may show it: from above everybody's
  function charts() {
    const beliefs = data.beliefs[state.beliefModel], seat = data.views[state.view].seat;
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
    get("shifts").replaceChildren(...beliefs.shifts[state.view].map(([place, words]) => {
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
    const wait = 700 / Number(get("speed").value);
    state.timer = setInterval(() => { if (state.step + 1 < data.views[state.view].places.length) go(state.step + 1); else play(); }, wait);
  }
  get("start").onclick = () => go(0);
  get("back").onclick = () => go(state.step - 1);
  get("next").onclick = () => go(state.step + 1);
  get("end").onclick = () => go(Infinity);
  get("play").onclick = play;
  get("speed").onchange = () => { if (state.timer) { play(); play(); } };
  get("turn").onclick = () => onward(told(line => line.startsWith("---")));
  get("attack").onclick = () => onward(told(line => line.includes(" attacks ")));
  get("shift").onclick = () => onward(moved());
  if (get("save-svg")) {
    get("save-svg").onclick = () => save("beliefs.svg", "image/svg+xml", picture());
    get("save-csv").onclick = () => save("beliefs.csv", "text/csv", table());
  }
  addEventListener("hashchange", follow);
  get("slider").oninput = () => go(Number(get("slider").value));
  get("view").onchange = () => look(Number(get("view").value));
  if (get("belief-model")) get("belief-model").onchange = () => { state.beliefModel = Number(get("belief-model").value); charts(); draw(); };
  charts();
  follow();
})();
