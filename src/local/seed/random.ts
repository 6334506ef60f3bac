// Seeded random numbers for demo data: the same seed and stream give the same numbers on every machine.

/**
 * The sfc32 generator ("small fast counting", Chris Doty-Humphrey, PractRand; public domain): 128 bits of state, period
 * at least 2^32. Each pro has its own streams, so its data does not depend on other pros.
 */
export class Random {
  private a: number
  private b: number
  private c: number
  private counter = 1

  /** A generator for a seed, a `stream` (the kind of data) and an `index` (the row). */
  constructor(seed: number, stream: number, index: number) {
    this.a = seed | 0
    this.b = index | 0
    // Mixes in the upper bits of an index above 32 bits.
    this.c = (stream ^ Math.imul(Math.floor(index / 0x1_0000_0000), 0x9e3779b1)) | 0
    // PractRand's seeding runs at least 12 rounds, so that similar seeds diverge.
    for (let round = 0; round < 15; round++) this.next()
  }

  /** 32 random bits, as an unsigned integer. */
  next(): number {
    const result = (((this.a + this.b) | 0) + this.counter) | 0
    this.counter = (this.counter + 1) | 0
    this.a = this.b ^ (this.b >>> 9)
    this.b = (this.c + (this.c << 3)) | 0
    this.c = (((this.c << 21) | (this.c >>> 11)) + result) | 0
    return result >>> 0
  }

  /** A number in [0, 1). */
  float(): number {
    return this.next() / 0x1_0000_0000
  }

  /** A number in [low, high). */
  between(low: number, high: number): number {
    return low + (high - low) * this.float()
  }

  /** A whole number from low to high, both included. */
  integer(low: number, high: number): number {
    return low + Math.floor((high - low + 1) * this.float())
  }

  chance(probability: number): boolean {
    return this.float() < probability
  }

  pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(items.length * this.float())]
    if (item === undefined) throw new RangeError('pick needs at least one item')
    return item
  }

  /** One of the items, with a probability proportional to its weight. */
  weighted<T>(items: readonly (readonly [T, number])[]): T {
    let left = this.float() * items.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [item, weight] of items) {
      left -= weight
      if (left < 0) return item
    }
    return this.pick(items)[0]
  }

  /** `count` different items, in random order (all of them when there are fewer). */
  sample<T>(items: readonly T[], count: number): T[] {
    const rest = [...items]
    const sample: T[] = []
    while (sample.length < count && rest.length > 0) sample.push(...rest.splice(this.integer(0, rest.length - 1), 1))
    return sample
  }

  /** Normally distributed, mean 0 and deviation 1 (Box and Muller 1958). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.float())) * Math.cos(2 * Math.PI * this.float())
  }

  /** A count of events with this mean (Knuth, The Art of Computer Programming vol. 2, 3.4.1). */
  poisson(mean: number): number {
    const limit = Math.exp(-mean)
    let count = 0
    for (let product = this.float(); product > limit; product *= this.float()) count++
    return count
  }
}
