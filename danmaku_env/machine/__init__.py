"""What every game needs that runs on a stack of frames in one flat record. Nothing here knows what the game is about.

`records` lays a record out, `frames`, `stack` and `flow` run it, `answers` asks, `event_ring` remembers, `rng` is the source of chance,
`lists` are rows of things in order, `prefetch` asks for memory ahead of time, and `batch` has the entry points over batches of games.

Code that must call a game, or needs its numbers, comes from a factory: a function that makes kernels from those of the game
(`answers.answers_of`, those of `batch`). The machine knows records by these fields, which every game has:

| field | is |
|---|---|
| `seed`, `rng` | the seed that the game began with; the generator, u4 [4] |
| `stack`, `depth` | i2 [frames, columns]; how many frames are open |
| `legal`, `answer`, `asking`, `question`, `decisions` | what is asked, see `answers` |
| `outcome`, `winners`, `status`, `num_players` | how it stands, see `records`; a bit per seat that has won |
| `log`, `log_count` | u1 [a power of two, 8], see `event_ring`; events so far |
"""
