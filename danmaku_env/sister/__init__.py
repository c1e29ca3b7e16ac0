"""Other games of the same world on the same machine; docs/sister.md says which. Nothing here is loaded until its name is used."""
