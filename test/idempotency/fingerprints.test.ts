// Two requests under one key are the same if they ask for the same, and what was invalid leaves the key free.
import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { ensureAccount } from '../../src/auth/accounts/verbs.ts'
import { AppError, invalidField } from '../../src/errors/app-error.ts'
import { fingerprint } from '../../src/idempotency/context.ts'
import { runIdempotently } from '../../src/idempotency/verbs.ts'
import { openTestApp } from '../support/app.ts'
import { manualClock } from '../support/booking-fixture.ts'
import { opened } from '../support/fixture.ts'
import { ctxOf } from '../../src/ctx.ts'

const clock = manualClock()

const app = await opened(openTestApp('migrated', { clock }))
const isSame = (a: unknown, b: unknown) => fingerprint(a).equals(fingerprint(b))

test('the order of fields does not matter; every value does', () => {
  const request = { a: 1, b: { c: [1, { d: 'x' }], e: null } }
  expect(isSame(request, { b: { e: null, c: [1, { d: 'x' }] }, a: 1 })).toBe(true)
  expect(isSame(request, { ...request, f: undefined })).toBe(true)
  for (const other of [
    { a: '1', b: request.b },
    { a: 1, b: { c: [1, { d: 'y' }], e: null } },
    { a: 1, b: { c: [{ d: 'x' }, 1], e: null } },
    { a: 1, b: { c: [1, { d: 'x' }] } },
    { a: 1, b: { c: [1, { d: 'x' }], e: null }, f: null },
    [request],
  ])
    expect([other, isSame(request, other)]).toEqual([other, false])
})

test('a refusal is replayed, an invalid request is not, and the key is then free', async () => {
  const accountId = (await ensureAccount(ctxOf(app.deps), { email: 'keys@test.example' })).id
  const run = (key: string, error: AppError | undefined) => {
    const ctx = ctxOf(app.deps, undefined, { key })
    return runIdempotently(ctx, { accountId, operation: 'try', request: {} }, () =>
      error ? Promise.reject(error) : Promise.resolve('done'),
    ).then(
      (value) => [value, ctx.idempotency?.isReplay],
      (refused: AppError) => [refused.code, refused.replayed],
    )
  }
  for (const [error, isStored] of [
    [invalidField('body.x', 'is wrong'), false],
    [new AppError('insufficient_scope', 'No.'), false],
    [new AppError('unavailable', 'Later.'), false],
    [new AppError('booking_not_found', 'None.'), true],
    [new AppError('slot_unavailable', 'Taken.'), true],
  ] as const) {
    const key = randomUUID()
    expect((await run(key, error))[0]).toBe(error.code)
    expect(await run(key, undefined)).toEqual(isStored ? [error.code, true] : ['done', false])
  }
})

test('an outcome is replayed for 24 hours, and then the key is free', async () => {
  const accountId = (await ensureAccount(ctxOf(app.deps), { email: 'keys@test.example' })).id
  const key = randomUUID()
  const run = async () => {
    const ctx = ctxOf(app.deps, undefined, { key })
    await runIdempotently(ctx, { accountId, operation: 'try', request: {} }, () => Promise.resolve('done'))
    return ctx.idempotency?.isReplay
  }
  expect(await run()).toBe(false)
  clock.advance(24 * 60 - 1)
  expect(await run()).toBe(true)
  clock.advance(1)
  expect(await run()).toBe(false)
})
