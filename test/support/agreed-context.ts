// What the parts of a random life share: the world, its pros, the random numbers, and the count of what happened.
import type { Random } from '../../src/local/seed/random.ts'
import type { Offered } from './agreed-model.ts'
import type { ShownPro, ShownTo } from './agreed-surfaces.ts'

export interface LifePro extends ShownPro {
  offered: Offered
}

export type Json = Record<string, unknown>

export class LifeContext {
  readonly happened: Record<string, number> = {}
  #serial = 0

  constructor(
    readonly to: ShownTo,
    readonly keys: { agent: string; rfqs: string },
    readonly pros: readonly LifePro[],
    readonly random: Random,
  ) {}

  get nowMs(): number {
    return this.to.world.clock.now().getTime()
  }

  /** A number that no other text of this life has. */
  serial(): number {
    return this.#serial++
  }

  note(what: string): void {
    this.happened[what] = (this.happened[what] ?? 0) + 1
  }

  /** Calls a route of the pro. */
  async asPro(pro: LifePro, path: string, body?: object, method = 'POST'): Promise<Json> {
    const init = body ? { json: body, method } : {}
    const response = await this.to.world.app.send(`/api/v1/pro${path}`, { key: pro.key, ...init })
    return (await response.json()) as Json
  }
}
