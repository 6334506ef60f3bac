// How far a replica is behind: by the time at which the primary had written what the replica has not replayed yet.

export interface Lag {
  readonly ms: number
  readonly bytes: number
}

interface Sample {
  readonly position: number
  readonly atMs: number
}

/** At four samples a second: how long the time of a position is known. */
const MAX_SAMPLES = 2400

/**
 * The positions of the primary's WAL, by the clock of this process. A replica's own figure, the age of its last transaction,
 * grows while the primary is idle, so it only counts for positions from before the first sample.
 */
export class WalHistory {
  #samples: Sample[] = []

  record(position: number, atMs: number): void {
    const last = this.#samples.at(-1)
    if (last?.position === position) return
    // Another primary, which lacks the last WAL of the previous one.
    if (last && position < last.position) this.#samples = []
    this.#samples.push({ position, atMs })
    if (this.#samples.length > MAX_SAMPLES) this.#samples.shift()
  }

  /** The lag of a replica at `position`. Undefined as long as the primary's position is unknown. */
  lagOf(position: number, replayAgeMs: number | null, nowMs: number): Lag | undefined {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)]
    if (!first || !last) return undefined
    const bytes = Math.max(0, last.position - position)
    const missing = this.#samples.find((sample) => sample.position > position)
    if (!missing) return { ms: 0, bytes }
    const ms = nowMs - missing.atMs
    return { ms: missing === first ? Math.max(ms, replayAgeMs ?? Infinity) : ms, bytes }
  }
}
