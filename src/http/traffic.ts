// The requests in progress in this process, and whether it takes new ones.
import { oncePerDeps } from '../deps.ts'
import { AppError } from '../errors/app-error.ts'

/** `open`, then `leaving`: connections close after their response, so that clients go elsewhere; then `closed`: all is 503. */
export type TrafficPhase = 'open' | 'leaving' | 'closed'

export class Traffic {
  phase: TrafficPhase = 'open'
  inFlight = 0

  constructor(readonly maxInFlight: number) {}

  /** Throws unavailable once the process has stopped taking requests. */
  checkOpen(): void {
    if (this.phase === 'closed')
      throw new AppError('unavailable', 'This server is shutting down. Try again; another one will answer.', {
        retryAfterSeconds: 1,
      })
  }

  /** Throws overloaded at once when too many requests are in progress: a growing queue serves no client in time. */
  checkLoad(): void {
    if (this.inFlight > this.maxInFlight)
      throw new AppError('overloaded', 'The server has too many requests in progress. Try again in a second.', {
        retryAfterSeconds: 1,
      })
  }
}

/** The traffic of this process. */
export const trafficOf = oncePerDeps(({ config }) => new Traffic(config.maxInFlight))
