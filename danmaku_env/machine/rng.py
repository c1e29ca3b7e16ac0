"""The one source of chance: xoshiro128** in the field `rng` of a record.

All arithmetic stays in 64-bit integers masked to 32 bits, so that the same source gives the same numbers with the compiler off.
"""

import numpy as np

from danmaku_env.jit.kernels import kernel
from danmaku_env.machine.records import RNG_WORDS

_MASK = 0xFFFFFFFF


@kernel
def _times(value, factor):
    """The low 32 bits of a product of two 32-bit numbers, made in halves: the whole could pass 2**63."""
    return ((value & 0xFFFF) * factor + (((value >> 16) * factor & 0xFFFF) << 16)) & _MASK


@kernel
def _scramble(value):
    """One step of the 32-bit finaliser of MurmurHash3, to spread a seed over the state."""
    value = _times(value ^ (value >> 16), 0x85EBCA6B)
    value = _times(value ^ (value >> 13), 0xC2B2AE35)
    return value ^ (value >> 16)


@kernel
def seed_rng(s, seed):
    """Fill the generator from a seed of up to 64 bits."""
    seed = int(seed)
    low = seed & _MASK
    high = (seed >> 32) & _MASK
    word = _scramble(low ^ 0x9E3779B9)
    for i in range(RNG_WORDS):
        word = (_scramble((word + 0x9E3779B9 * (i + 1)) & _MASK) ^ _scramble((high + 0x7F4A7C15 * (i + 1)) & _MASK)) & _MASK
        s["rng"][i] = word
    s["rng"][0] = int(np.int64(s["rng"][0])) | 1


@kernel
def _rotate(value, bits):
    return ((value << bits) & _MASK) | (value >> (32 - bits))


@kernel
def below(s, count):
    """A number from 0 to count - 1, by multiply and shift (bias below count / 2**32)."""
    rng = s["rng"]
    s0, s1, s2, s3 = int(np.int64(rng[0])), int(np.int64(rng[1])), int(np.int64(rng[2])), int(np.int64(rng[3]))
    word = (_rotate((s1 * 5) & _MASK, 7) * 9) & _MASK
    shifted = (s1 << 9) & _MASK
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = _rotate(s3, 11)
    rng[0] = s0
    rng[1] = s1
    rng[2] = s2
    rng[3] = s3
    return (word * count) >> 32


@kernel
def shuffle(s, row, size):
    """Fisher-Yates over the first `size` entries of a row."""
    for i in range(size - 1, 0, -1):
        j = below(s, i + 1)
        other = row[i]
        row[i] = row[j]
        row[j] = other
