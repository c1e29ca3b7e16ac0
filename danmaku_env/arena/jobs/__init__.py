"""Jobs that take long: what they depend on, their folder, going on after a kill, and the workers that do them."""
