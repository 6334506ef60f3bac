// The heartbeat of a worker: a message to the supervisor over their IPC channel while the event loop is running.

export interface Heartbeat {
  readonly alive: true
  /** Serves the worker's metrics. */
  readonly opsUrl: string
}

const EVERY_MS = 1000

export const isHeartbeat = (message: unknown): message is Heartbeat =>
  typeof message === 'object' && message !== null && 'alive' in message && message.alive === true

/** Starts the heartbeat and returns a function that stops it. Does nothing without a supervisor. */
export function startHeartbeat(opsUrl: string): () => void {
  const heartbeat: Heartbeat = { alive: true, opsUrl }
  const send = () => {
    // `--no-orphans` ends this process soon after the supervisor.
    if (process.connected) process.send?.(heartbeat)
  }
  send()
  const timer = setInterval(send, EVERY_MS)
  return () => clearInterval(timer)
}
