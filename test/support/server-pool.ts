// Server processes that are started again whenever they end, as a supervisor does.
import { type TestServer, type ServerOptions, startServer } from './server.ts'

export interface ServerPool {
  /** One of the running servers, or undefined when none runs. */
  server(): TestServer | undefined
  close(): Promise<void>
}

/** Keeps `count` servers running. `random` chooses below a number. */
export function openServerPool(options: ServerOptions, count: number, random: (below: number) => number): ServerPool {
  const state = { isOpen: true }
  const alive = new Set<TestServer>()
  const supervise = async () => {
    while (state.isOpen) {
      // Its database may be about to restart: it is tried again.
      const started = await startServer(options).catch(() => undefined)
      if (!started) continue
      alive.add(started)
      if (!state.isOpen) started.signal('SIGTERM')
      await started.exited
      alive.delete(started)
    }
  }
  const stopped = Promise.all(Array.from({ length: count }, supervise))
  return {
    server: () => [...alive][random(Math.max(alive.size, 1))],
    close: async () => {
      state.isOpen = false
      for (const server of alive) server.signal('SIGTERM')
      await stopped
    },
  }
}
