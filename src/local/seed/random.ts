// Seeded randomness for demo data: the same seed and stream give the same draws on every machine.

/**
 * The sfc32 generator ("small fast counting", Chris Doty-Humphrey, PractRand; public domain): 128 bits of state, period
 * at least 2^32. Each pro has streams of its own, so what a pro gets does not depend on the pros made before it.
 */
export class Random {
  private a: number
  private b: number
  private c: number
  private counter = 1

  /** A generator for `stream` (what is drawn) and `index` (for which row) of a seed. */
  constructor(seed: number, stream: number, index: number) {
    this.a = seed | 0
    this.b = index | 0
    // An index of more than 32 bits still gives a stream of its own.
    this.c = (stream ^ Math.imul(Math.floor(index / 0x1_0000_0000), 0x9e3779b1)) | 0
    // PractRand's own seeding runs the state at least 12 times, so that close seeds part ways.
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

  /** One of the items, as often as its weight says. */
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
    const taken: T[] = []
    while (taken.length < count && rest.length > 0) taken.push(...rest.splice(this.integer(0, rest.length - 1), 1))
    return taken
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
