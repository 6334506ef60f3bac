// The sign of life of a worker: word to the supervisor over their pipe, as long as the event loop turns.

/** What a worker tells its supervisor. */
export interface Beat {
  readonly alive: true
  /** Where its metrics are. */
  readonly opsUrl: string
}

const EVERY_MS = 1000

export const isBeat = (message: unknown): message is Beat =>
  typeof message === 'object' && message !== null && 'alive' in message && message.alive === true

/** Begins to tell; nobody listens where there is no supervisor. Gives what ends it. */
export function startHeartbeat(opsUrl: string): () => void {
  const beat: Beat = { alive: true, opsUrl }
  const tell = () => {
    // The supervisor may be gone; then this process is ended with it.
    if (process.connected) process.send?.(beat)
  }
  tell()
  const timer = setInterval(tell, EVERY_MS)
  return () => clearInterval(timer)
}
