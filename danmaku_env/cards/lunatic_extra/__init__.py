"""The expansion Lunatic Extra: what it adds to the base game, one file for each sort of card.

Here are only the numbers: its ids in the order in which they follow those of the base game in actions, observations and records. An id
keeps its number whether or not it is printed yet; `box.py` puts the expansion together.
"""

CARD_IDS = (
    "erase_shot", "extra_stage", "nimble_cloth", "occult_ball", "purification", "revenge_shot", "spell_assist", "full_power",
    "ghost_lantern", "gift_of_yatagarasu", "hourai_elixir", "interrupt", "jeweled_pagoda", "offering", "point_of_collection",
    "reflect_shot", "scorched_earth", "seven_star_sword", "spirit_camera", "tanuki_leaf", "uchides_mallet",
)  # fmt: skip
ITEM_IDS = (
    "nimble_cloth", "full_power", "hourai_elixir", "jeweled_pagoda", "seven_star_sword", "spirit_camera", "tanuki_leaf", "uchides_mallet",
)  # fmt: skip
USE_IDS = ("nimble_cloth", "spirit_camera", "uchides_mallet")
SOURCE_IDS = ("horikawa_raiko",)
INCIDENT_IDS = ("dream_world", "lunar_wars", "shining_needle_castle", "urban_legend_outbreak")
ROLE_IDS = ("phantasm_boss", "true_phantasm_boss", "secret_boss", "secret_boss_discovered", "lone_wolf", "tag_team")
CHARACTER_IDS = (
    "flandre_scarlet", "fujiwara_no_mokou", "futatsuiwa_mamizou", "hata_no_kokoro", "hecatia_lapislazuli", "horikawa_raiko",
    "hoshiguma_yuugi", "houjuu_nue", "houraisan_kaguya", "junko", "kaenbyou_rin", "kijin_seija", "komeiji_koishi", "kumoi_ichirin",
    "moriya_suwako", "nagae_iku", "onozuka_komachi", "saigyouji_yuyuko", "shiki_eiki", "tatara_kogasa", "toramaru_shou",
    "usami_sumireko", "yakumo_ran", "yasaka_kanako",
)  # fmt: skip
