"""Duplicate tournaments: plan, crew and its workers, record on disk, statistics, ratings, report. Single games are `matches`."""
