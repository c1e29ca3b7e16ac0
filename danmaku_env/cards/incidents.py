"""The 16 incidents of the base game, in box order."""

from danmaku_env.cards.vocabulary import *

INCIDENTS = (
    Incident(
        id="crisis_of_faith", name="Crisis of Faith", season=AUTUMN,
        text="Everybody but the Heroine flips in turn until autumn shows; that player and the Heroine exchange roles, "
             "the new Heroine gains 1 life, and the incident is over.",
        enter=[swap_with_heroine(), resolve_incident()]),
    Incident(
        id="crossing_to_higan", name="Crossing to Higan", season=AUTUMN,
        text="Everybody is in range of everybody, until somebody is defeated.",
        laws=ALL_REACH, resolves_on_defeat=True),
    Incident(
        id="endless_party", name="Endless Party", season=SPRING,
        text="Everybody draws 1 in each incident step, until the Main deck is rebuilt.",
        step=[Each(EVERYONE, [draw(1, EACH)])], resolves_on_reshuffle=True),
    Incident(
        id="eternal_night", name="Eternal Night", season=AUTUMN,
        text="Danmaku cards are unlimited. The top card of each incident step and discarded danmaku cards are collected, 12 in all.",
        laws=FREE_DANMAKU, step=[collect_top()], collects_types=DANMAKU, needs=12),
    Incident(
        id="five_impossible_requests", name="Five Impossible Requests", season=AUTUMN,
        text="In the incident step you discard your hand and draw as many cards. One artifact is collected.",
        step=[discard_hand(ME), draw(AMOUNT), if_(COLLECTED_ALL, [resolve_incident()])], collects_types=ARTIFACT, needs=1),
    Incident(
        id="great_barrier_weakening", name="Great Barrier Weakening", season=WINTER,
        text="A player's first card drawn in a turn comes from the top of the discard pile. 3 invocation cards are collected.",
        laws=DRAW_FROM_DISCARD, collects_types=INVOCATION, needs=3),
    Incident(
        id="great_fairy_wars", name="Great Fairy Wars", season=SUMMER,
        text="On entering everybody else, and in the incident step you, discard a danmaku card or lose 1 life. "
             "9 danmaku cards are collected.",
        enter=[Each(OTHERS, [discard_or(EACH, DANMAKU, [lose_life(EACH, 1)])])],
        step=[discard_or(CURRENT, DANMAKU, [lose_life(CURRENT, 1)])], collects_types=DANMAKU, needs=9),
    Incident(
        id="lily_white", name="Lily White", season=SPRING,
        text="Flip in the incident step: summer ends the incident, spring costs you 3 life.",
        step=[flip(), if_flipped([SUMMER], [resolve_incident()]), if_flipped([SPRING], [lose_life(CURRENT, 3)])]),
    Incident(
        id="overdrive", name="Overdrive", season=SUMMER,
        text="You may pay 1 life to activate your Spell Card in its normal timing. 6 dodge cards are collected.",
        laws=SPELL_WAY, source=spell_source([pay_life()], text="Pay 1 life to activate your Spell Card."),
        collects_types=DODGE, needs=6),
    Incident(
        id="rekindle_blazing_hell", name="Rekindle Blazing Hell", season=SUMMER,
        text="On entering everybody, and in the incident step you, draw up to max hand size. 6 summer cards are collected.",
        enter=[Each(EVERYONE, [draw(SHORTFALL, EACH)])], step=[draw(SHORTFALL, CURRENT)], collects_season=SUMMER, needs=6),
    Incident(
        id="saigyou_ayakashi_blooming", name="Saigyou Ayakashi Blooming", season=SPRING,
        text="You lose 1 life in the incident step. 6 winter cards are collected.",
        step=[lose_life(CURRENT, 1)], collects_season=WINTER, needs=6),
    Incident(
        id="scarlet_weather_rhapsody", name="Scarlet Weather Rhapsody", season=SUMMER,
        text="Flip in the incident step: spring exchanges your hand with the right neighbour, autumn with the left one, "
             "summer draws 1, winter discards 1 at random. 2 cards of every season are collected.",
        step=[
            flip(),
            if_flipped([SPRING], [swap_hands(CURRENT, RIGHT)]),
            if_flipped([SUMMER], [draw(1, CURRENT)]),
            if_flipped([AUTUMN], [swap_hands(CURRENT, LEFT)]),
            if_flipped([WINTER], [discard_random(CURRENT)])],
        collects_each_season=2, needs=8),
    Incident(
        id="spring_snow", name="Spring Snow", season=WINTER,
        text="Nobody can activate Spell Cards. 6 spring cards are collected.",
        laws=NO_SPELLS, collects_season=SPRING, needs=6),
    Incident(
        id="undefined_fantastic_object", name="Undefined Fantastic Object", season=WINTER,
        text="Reveal 3 cards in the incident step; you may take a powerup, invocation or healing card, the rest is collected, 12 in all.",
        step=[reveal(3), choose_aside(POWERUP | INVOCATION | HEALING, optional=True), take(), collect_aside()], needs=12),
    Incident(
        id="voyage_to_makai", name="Voyage to Makai", season=SPRING,
        text="Nobody gains life and nobody is brought back from 0 life. 6 autumn cards are collected.",
        laws=NO_HEALING, collects_season=AUTUMN, needs=6),
    Incident(
        id="worldly_desires", name="Worldly Desires", season=WINTER,
        text="On entering everybody discards all items; items played later are discarded instead. 4 item cards are collected.",
        enter=[Each(EVERYONE, [discard_items(EACH)])], laws=NO_ITEMS, collects_types=ITEM, needs=4),
)  # fmt: skip
