"""The cards of Gensou no Utage, volume 1: what is printed on them, and their texts as programs."""
