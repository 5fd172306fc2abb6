// Decompression of LZMA, as the specification of the LZMA SDK describes it. Browsers decompress gzip, but LZMA is a fifth smaller.

/** The size of the header: properties, the size of the dictionary, and the size of the content. */
const HEADER = 13;

/** Reads bits whose probabilities adapt to what was read. */
class RangeDecoder {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = HEADER + 1;
    this.range = 0xffffffff;
    this.code = 0;
    for (let n = 0; n < 4; n += 1) this.code = ((this.code << 8) | bytes[this.at++]) >>> 0;
  }

  normalize() {
    if (this.range >= 0x1000000) return;
    this.range = (this.range << 8) >>> 0;
    this.code = ((this.code << 8) | this.bytes[this.at++]) >>> 0;
  }

  /** Reads a bit with the probability at an index. */
  bit(models, index) {
    const model = models[index];
    const bound = (this.range >>> 11) * model;
    const isSet = this.code >= bound;
    if (isSet) {
      this.range -= bound;
      this.code -= bound;
      models[index] = model - (model >>> 5);
    } else {
      this.range = bound;
      models[index] = model + ((2048 - model) >>> 5);
    }
    this.normalize();
    return isSet ? 1 : 0;
  }

  /** Reads bits with equal probabilities. */
  direct(count) {
    let value = 0;
    for (let n = 0; n < count; n += 1) {
      this.range >>>= 1;
      const isSet = this.code >= this.range;
      if (isSet) this.code -= this.range;
      this.normalize();
      value = value * 2 + (isSet ? 1 : 0);
    }
    return value;
  }

  /** Reads a number by a tree of probabilities, the highest bit first. */
  tree(models, base, count) {
    let node = 1;
    for (let n = 0; n < count; n += 1) node = (node << 1) | this.bit(models, base + node);
    return node - (1 << count);
  }

  /** Reads a number by a tree of probabilities, the lowest bit first. */
  reverseTree(models, base, count) {
    let [node, value] = [1, 0];
    for (let n = 0; n < count; n += 1) {
      const bit = this.bit(models, base + node);
      node = (node << 1) | bit;
      value |= bit << n;
    }
    return value;
  }
}

function probabilities(count) {
  return new Uint16Array(count).fill(1024);
}

/** Reads lengths of matches. */
class LengthDecoder {
  constructor() {
    this.choice = probabilities(2);
    this.low = probabilities(16 << 3);
    this.middle = probabilities(16 << 3);
    this.high = probabilities(256);
  }

  read(coder, posState) {
    if (!coder.bit(this.choice, 0)) return 2 + coder.tree(this.low, posState << 3, 3);
    if (!coder.bit(this.choice, 1)) return 10 + coder.tree(this.middle, posState << 3, 3);
    return 18 + coder.tree(this.high, 0, 8);
  }
}

/** Returns the content of an LZMA file whose header has its size. */
export function decompress(packed) {
  const [lc, lp, pb] = [packed[0] % 9, Math.floor(packed[0] / 9) % 5, Math.floor(packed[0] / 45)];
  const out = new Uint8Array(new DataView(packed.buffer, packed.byteOffset).getUint32(5, true));
  const coder = new RangeDecoder(packed);
  const literals = probabilities(0x300 << (lc + lp));
  const [isMatch, isRep0Long] = [probabilities(12 << 4), probabilities(12 << 4)];
  const [isRep, isRep0, isRep1, isRep2] = [probabilities(12), probabilities(12), probabilities(12), probabilities(12)];
  const [slots, special, align] = [probabilities(4 << 6), probabilities(128), probabilities(16)];
  const [lengths, repLengths] = [new LengthDecoder(), new LengthDecoder()];
  const reps = [0, 0, 0, 0];
  let [at, state] = [0, 0];

  const literal = () => {
    const before = at > 0 ? out[at - 1] : 0;
    const base = 0x300 * (((at & ((1 << lp) - 1)) << lc) + (before >>> (8 - lc)));
    let symbol = 1;
    if (state >= 7) {
      let match = out[at - reps[0] - 1];
      while (symbol < 0x100) {
        const matchBit = (match >>> 7) & 1;
        match <<= 1;
        const bit = coder.bit(literals, base + ((1 + matchBit) << 8) + symbol);
        symbol = (symbol << 1) | bit;
        if (bit !== matchBit) break;
      }
    }
    while (symbol < 0x100) symbol = (symbol << 1) | coder.bit(literals, base + symbol);
    out[at++] = symbol & 0xff;
    state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
  };

  const distance = (length) => {
    const slot = coder.tree(slots, Math.min(length - 2, 3) << 6, 6);
    if (slot < 4) return slot;
    const count = (slot >>> 1) - 1;
    const start = (2 | (slot & 1)) << count;
    if (slot < 14) return start + coder.reverseTree(special, start - slot, count);
    return start + coder.direct(count - 4) * 16 + coder.reverseTree(align, 0, 4);
  };

  /** Reads which of the last distances is used again, and moves it to the front. */
  const repeated = (posState) => {
    if (!coder.bit(isRep0, state)) return !coder.bit(isRep0Long, (state << 4) + posState);
    const nth = !coder.bit(isRep1, state) ? 1 : !coder.bit(isRep2, state) ? 2 : 3;
    reps.unshift(...reps.splice(nth, 1));
    return false;
  };

  while (at < out.length) {
    const posState = at & ((1 << pb) - 1);
    if (!coder.bit(isMatch, (state << 4) + posState)) {
      literal();
      continue;
    }
    let length;
    if (coder.bit(isRep, state)) {
      if (repeated(posState)) {
        state = state < 7 ? 9 : 11;
        length = 1;
      } else {
        length = repLengths.read(coder, posState);
        state = state < 7 ? 8 : 11;
      }
    } else {
      length = lengths.read(coder, posState);
      state = state < 7 ? 7 : 10;
      reps.pop();
      reps.unshift(distance(length));
    }
    for (let from = at - reps[0] - 1; length > 0; length -= 1) out[at++] = out[from++];
  }
  return out;
}
