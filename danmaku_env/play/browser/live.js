"use strict";
// Keeps the page in step with the table: each message has the blocks that changed. A lost connection is opened again.
(function connect() {
  const socket = new WebSocket(new URL("live", document.baseURI).href.replace(/^http/, "ws"));
  socket.onmessage = event => { document.body.classList.remove("broken"); show(JSON.parse(event.data)); };
  socket.onclose = () => { document.body.classList.add("broken"); setTimeout(connect, 500); };
})();
