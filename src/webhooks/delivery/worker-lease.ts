// A courier's sign of life: an advisory lock that PostgreSQL gives up with the session, and so with the process.
import type { Deps } from '../../deps.ts'
import { type SessionLocks, openSessionLocks } from '../../platform/postgres/session-locks.ts'
import { deleteCourier, insertCourier } from './queries.ts'

/** Of one courier. Its claims count as a dead one's as soon as the session is lost, so it enlists again then. */
export class Enlistment {
  readonly courierId: string
  readonly #deps: Deps
  readonly #locks: SessionLocks
  #isEnlisted = false

  constructor(deps: Deps) {
    this.#deps = deps
    this.courierId = deps.ids.uuid()
    this.#locks = openSessionLocks(deps.config.databaseUrl, () => (this.#isEnlisted = false))
  }

  /** Enlists, unless it is enlisted. Tried from time to time: the lock may still be with the session before. */
  async renew(): Promise<void> {
    if (this.#isEnlisted || !(await this.#locks.take(`webhook courier ${this.courierId}`))) return
    this.#isEnlisted = true
    try {
      await insertCourier(this.#deps.write, this.courierId, this.#deps.clock.now())
    } catch (error) {
      this.#isEnlisted = false
      throw error
    }
  }

  /** For a courier that has nothing in hand any more. Where it fails, others find it dead. */
  async end(): Promise<void> {
    try {
      if (this.#isEnlisted) await deleteCourier(this.#deps.write, this.courierId)
    } catch (error) {
      this.#deps.log.debug({ error: String(error) }, 'a courier could not be struck off')
    }
    await this.#locks.close()
  }
}
