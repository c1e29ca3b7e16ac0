"""Tables in the browser: people by secret links, agents in the other seats (docs/serve.md).

`refusal` what is said to who sends something that cannot be; `naming` what agents are called there; `table` one game,
its chairs and secrets; `pace`, `waits` its times; `together` who is asked at the same time; `keeping` games under way as files;
`message` what a browser is sent;
`lobby` all tables; `room` a table that is played on while people come and go; `gate` who may speak at all; `connections` who may
stay; `pages`, `app` the pages and where they are; `server` the process.
"""
