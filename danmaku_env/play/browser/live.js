// Keeps the page in step with the table. A lost connection is opened again.
let take = message => show(message.blocks);
if (document.querySelector(".board")) {
  ({ take } = await import("./stage.js"));
  await import("./choose.js");
  await import("./place.js");
}

const SOON = 500, LATE = 10000; // milliseconds until a lost connection is opened again: twice as long each time in vain
let wait = SOON;
(function connect() {
  const socket = new WebSocket(new URL("live", document.baseURI).href.replace(/^http/, "ws"));
  socket.onmessage = event => { wait = SOON; document.body.classList.remove("broken"); take(JSON.parse(event.data)); document.body.classList.add("connected"); };
  socket.onclose = () => { document.body.classList.remove("connected"); document.body.classList.add("broken"); setTimeout(connect, wait); wait = Math.min(2 * wait, LATE); };
})();
