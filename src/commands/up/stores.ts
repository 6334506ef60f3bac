// The private stores of `hearth up`: starts them, and restarts one that died until it runs again.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { ensureInstalled } from '../../local/install.ts'
import { openPostgres } from '../../local/postgres.ts'
import { openRedis } from '../../local/redis.ts'
import { settlesWithin } from '../../platform/clock/deadlines.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { UpSettings } from './settings.ts'

export interface WatchedStore {
  isRunning(): Promise<boolean>
  /** Starts it again with its data and on its port. Throws with the reason when it does not start. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export interface StoreWatch {
  /** Restarts the store no more. Resolves when no restart is under way. */
  close(): Promise<void>
}

const CHECK_EVERY_MS = 500
const FIRST_DELAY_MS = 1000
const LONGEST_DELAY_MS = 30_000
/** A store that has run this long is healthy: the next delay is the first. */
const HEALTHY_MS = 60_000

type Note = (line: string) => void

/** Opens both stores and watches the private ones. A stop closes the watches before the stores. */
export async function openStores(
  lifecycle: Lifecycle,
  { folder, databaseUrl, redisUrl }: UpSettings,
  note: Note,
): Promise<{ databaseUrl: string; redisUrl: string }> {
  const dir = join(folder, 'dev')
  await ensureInstalled({ postgres: !databaseUrl, redis: !redisUrl }, note)
  const database = await lifecycle.open(openPostgres({ dir, profile: 'dev', note, url: databaseUrl }), (it) =>
    it.stop(),
  )
  const redis = await lifecycle.open(openRedis({ dir, note, url: redisUrl }), (it) => it.stop())
  for (const [name, store] of Object.entries({ PostgreSQL: database, Redis: redis }))
    await lifecycle.open(Promise.resolve(watchStore(name, store, note)), (watch) => watch.close())
  return { databaseUrl: database.url, redisUrl: redis.url }
}

/** Restarts a store that died, after 1 s, 2 s, 4 s … up to 30 s, until it runs, and says so in a line for each step. */
export function watchStore(name: string, store: WatchedStore, note: Note): StoreWatch {
  const closing = new AbortController()
  const { signal } = closing
  const pause = (ms: number) => settlesWithin(sleep(ms, undefined, { signal }), ms + 1)
  let delayMs = FIRST_DELAY_MS
  let runningSince = performance.now()

  const restart = async (): Promise<void> => {
    const diedAt = performance.now()
    if (diedAt - runningSince > HEALTHY_MS) delayMs = FIRST_DELAY_MS
    note(`${name} died; restarting it in ${delayMs / 1000} s`)
    for (;;) {
      await pause(delayMs)
      if (signal.aborted) return
      delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS)
      try {
        await store.restart()
        runningSince = performance.now()
        note(`${name} is back after ${Math.round((runningSince - diedAt) / 1000)} s`)
        return
      } catch (error) {
        if (signal.aborted) return
        note(`${reasonOf(error)} Trying again in ${delayMs / 1000} s`)
      }
    }
  }
  const watching = (async () => {
    while (!signal.aborted) {
      if (!(await store.isRunning())) await restart()
      await pause(CHECK_EVERY_MS)
    }
  })()
  return {
    close: async () => {
      closing.abort()
      // A restart may be recovering data for a minute: stopping the store ends it.
      if (!(await settlesWithin(watching, CHECK_EVERY_MS))) await Promise.all([store.stop(), watching])
    },
  }
}

/** The first line of the reason: the second one names the log. */
const reasonOf = (error: unknown): string => {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  return line.endsWith('.') ? line : `${line}.`
}
