"""The cards of Shisouroku: what is printed on them (`box`), the words their programs are written in (`words`), and both as tables."""
