// Notifies other processes after the commit of what concerns them: a NOTIFY inside a transaction makes its commit wait for others.
import { ROOT_CONTEXT, context } from '@opentelemetry/api'
import { suppressTracing } from '@opentelemetry/core'
import type postgres from 'postgres'

import type { Runner, WritePool } from './database.ts'

export interface WakeUps {
  /** Receives the notices of connections that write; those of `ask_wake_up` (sql/functions/wake_ups.sql) ask for a wake-up. */
  onNotice(notice: postgres.Notice): void
  /** Runs a statement or transaction, and after its success sends the wake-ups that it requested. */
  afterCommit<T>(work: () => Promise<T>): Promise<T>
  /** Sends the pending wake-ups. */
  close(): Promise<void>
}

/** The SQLSTATE of the notices of `ask_wake_up`. */
const ASKS = 'HE001'
/** A wake-up stands for many requests, so no single trace shows it. */
const untraced = suppressTracing(ROOT_CONTEXT)
/** The first wake-up is sent at once. Those within this time after it are sent together. */
const INTERVAL_MS = 10

/**
 * Sends wake-ups through `db`. `onLost` is called when they could not be sent: the recipients find what happened by polling, as
 * they do when this process dies before it sends them.
 */
export function openWakeUps(db: Pick<Runner, 'run'>, onLost: (error: unknown) => void = () => undefined): WakeUps {
  const running = new Set<Set<string>>()
  let due = new Set<string>()
  let sending: Promise<void> | undefined

  const send = async () => {
    while (due.size > 0) {
      const asked = [...due].map((text) => text.split('\n'))
      due = new Set()
      const pause = Bun.sleep(INTERVAL_MS)
      try {
        await context.with(untraced, () => notifyAll(db, asked))
      } catch (error) {
        onLost(error)
      }
      await pause
    }
    sending = undefined
  }
  return {
    // The driver does not say which connection has received a notice, so it counts for everything under way: a wake-up too many
    // costs little.
    onNotice: ({ code, message = '', detail = '' }) => {
      if (code === ASKS) for (const asked of running) asked.add(`${message}\n${detail}`)
    },
    afterCommit: async (work) => {
      const asked = new Set<string>()
      running.add(asked)
      try {
        const result = await work()
        for (const text of asked) due.add(text)
        if (due.size > 0) sending ??= send()
        return result
      } finally {
        running.delete(asked)
      }
    },
    close: async () => {
      await sending
    },
  }
}

type Writes = Pick<WritePool, keyof Runner | 'begin'>

/** The same pool, which sends the wake-ups that its statements and transactions ask for. */
export const wakeAfterCommit = (wakeUps: WakeUps, pool: Writes): Writes => ({
  freshness: 'fresh',
  run: (name, statement) => wakeUps.afterCommit(() => pool.run(name, statement)),
  prepared: (name, text, parameters) => wakeUps.afterCommit(() => pool.prepared(name, text, parameters)),
  begin: (name, work) => wakeUps.afterCommit(() => pool.begin(name, work)),
})

async function notifyAll(db: Pick<Runner, 'run'>, asked: readonly string[][]): Promise<void> {
  const [channels, payloads] = [0, 1].map((place) => asked.map((parts) => parts[place] ?? ''))
  await db.run(
    'notifyAll',
    (sql) => sql`
      select pg_notify(channel, payload)
      from unnest(${channels ?? []}::text[], ${payloads ?? []}::text[]) asked (channel, payload)`,
  )
}
