// What becomes of a message that fails: a retry, a dead letter, or another try that does not count.
import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { ctxOf } from '../../../src/ctx.ts'
import { listDeadLetters } from '../../../src/features/upkeep/dead-letters/verbs.ts'
import { StoreUnavailable } from '../../../src/platform/store-error.ts'
import { openMetrics } from '../../../src/platform/telemetry/metrics.ts'
import { type ActorDefinition, UnrecoverableError, defineActor } from '../../../workers/runtime/actor.ts'
import { createMessageHandler } from '../../../workers/runtime/message-handler.ts'
import { openTestApp } from '../../support/app.ts'
import { opened } from '../../support/fixture.ts'

const app = await opened(openTestApp('migrated', { env: { LOG_LEVEL: 'silent' } }))

/** Handles one message of a new actor. Returns the outcome and how many dead letters the actor has. */
async function handleOne(attempt: number, definition: Partial<ActorDefinition<unknown>>, signal?: AbortSignal) {
  const { deps } = app
  const name = `actor-${randomUUID()}`
  const actor = defineActor({ name, retry: { attempts: 3, delayMs: (n) => n * 1000 }, ...definition })
  const context = {
    deps,
    ctx: ctxOf(deps),
    log: deps.log,
    metrics: openMetrics(name),
    signal: signal ?? new AbortController().signal,
  }
  const outcomes: string[] = []
  const handle = createMessageHandler(context, actor, {
    state: undefined,
    mutex: { acquire: () => Promise.resolve(undefined), revokeAll: () => undefined },
    record: (label) => void outcomes.push(label),
    crash: () => undefined,
  })
  const outcome = await handle({ id: 'one', attempt, data: {}, traceparent: null } as Parameters<typeof handle>[0])
  return { outcome, outcomes, dead: (await listDeadLetters(ctxOf(deps), { actor: name, limit: 10 })).length }
}

const failing = (fault: Error) => ({
  handle: async () => {
    await Promise.resolve()
    throw fault
  },
})

test('a message is retried after the delay of its attempt, and kept after the last one', async () => {
  const retried = (againInMs: number) => ({ outcome: { againInMs, isFailure: true }, outcomes: ['failed'], dead: 0 })
  expect(await handleOne(1, failing(new Error('x')))).toEqual(retried(1000))
  expect(await handleOne(2, failing(new Error('x')))).toEqual(retried(2000))
  expect(await handleOne(3, failing(new Error('x')))).toEqual({ outcome: 'done', outcomes: ['dead'], dead: 1 })
})

test('a message that no retry can help is kept at once', async () => {
  const dead = { outcome: 'done' as const, outcomes: ['dead'], dead: 1 }
  expect(await handleOne(1, failing(new UnrecoverableError('x')))).toEqual(dead)
  const unreadable = {
    handle: () => Promise.resolve(),
    parse: () =>
      (() => {
        throw new Error('bad')
      })(),
  }
  expect(await handleOne(1, unreadable)).toEqual(dead)
  // Its process died during every attempt before.
  expect(await handleOne(4, { handle: () => Promise.resolve() })).toEqual(dead)
})

test('an unavailable store or a stopping worker is no attempt', async () => {
  const again = { outcome: { isFailure: false }, outcomes: ['requeued'], dead: 0 }
  expect(await handleOne(3, failing(new StoreUnavailable('postgres', new Error('down'))))).toMatchObject(again)
  expect(await handleOne(3, failing(new Error('x')), AbortSignal.abort())).toMatchObject(again)
})

test('a message whose key another process holds is tried again soon', async () => {
  const keyed = { key: () => 'k', handle: () => Promise.resolve() }
  expect(await handleOne(1, keyed)).toMatchObject({ outcome: { isFailure: false }, outcomes: ['requeued'] })
})
