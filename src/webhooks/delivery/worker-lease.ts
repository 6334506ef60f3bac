// The lease of one dispatcher: an advisory lock that PostgreSQL releases with the session, and so with the process.
// The table webhook_couriers and the lock's name keep an old word: workers of the previous release share them in a rollout.
import type { Ctx } from '../../ctx.ts'
import { type SessionLocks, openSessionLocks } from '../../platform/postgres/session-locks.ts'
import { deleteLease, insertLease } from './queries.sql.ts'

/** The dispatcher’s session ended, so others treat its claims as those of a dead worker. It takes a new lease. */
export class WorkerLease {
  readonly workerId: string
  readonly #ctx: Ctx
  readonly #locks: SessionLocks
  #isHeld = false

  constructor(ctx: Ctx) {
    this.#ctx = ctx
    this.workerId = ctx.ids.uuid()
    this.#locks = openSessionLocks(ctx.session, () => (this.#isHeld = false))
  }

  get #lockName(): string {
    return `webhook courier ${this.workerId}`
  }

  /** Takes the lease, unless it is held. Call it repeatedly: the previous session may still hold the lock. */
  async renew(): Promise<void> {
    if (this.#isHeld || !(await this.#locks.tryLock(this.#lockName))) return
    this.#isHeld = true
    try {
      await insertLease(this.#ctx, { workerId: this.workerId, now: this.#ctx.clock.now() })
    } catch (error) {
      this.#isHeld = false
      await this.#locks.release(this.#lockName)
      throw error
    }
  }

  /** For a dispatcher without claims. When it fails, others treat the worker as dead. */
  async end(): Promise<void> {
    if (!this.#isHeld) return
    try {
      await deleteLease(this.#ctx, { workerId: this.workerId })
      await this.#locks.release(this.#lockName)
    } catch (error) {
      this.#ctx.log.debug({ error: String(error) }, 'failed to delete a worker lease')
    }
  }
}
