"""Tables in the browser: people by secret links, agents in the other seats (docs/serve.md).

- `table` one game, its people and their secrets; `pace`, `waits` its times; `together` who is asked at the same time;
  `keeping` games under way as files; `naming` what agents are called there.
- `lobby` all tables; `room` a table that is played on while people come and go; `message` what a browser is sent; `pages`, `app` the pages
  and their addresses.
- `access` who may speak at all; `connections` who may stay; `http_errors` the answer to an impossible request; `server` the
  process.
"""
