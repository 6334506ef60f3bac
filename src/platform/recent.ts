// A small cache for the hottest paths: the values that were used last, by name.

/**
 * Keeps at least the `max` values that were used last and at most twice as many: what was used since the young ones were
 * `max` is kept, the rest forgotten. Finding one costs a third of what it costs in a list that is ordered anew each time.
 */
export class Recent<Value extends object> {
  readonly #max: number
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()

  constructor(max: number) {
    this.#max = max
  }

  get(name: string): Value | undefined {
    const young = this.#young.get(name)
    if (young) return young
    const old = this.#old.get(name)
    if (old) this.set(name, old)
    return old
  }

  set(name: string, value: Value): void {
    if (this.#young.size >= this.#max) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(name, value)
  }

  clear(): void {
    this.#young = new Map()
    this.#old = new Map()
  }
}
