// What a key may be, and what becomes of it when it is rotated.
import { expect, test } from 'bun:test'

import {
  MAX_LIVE_KEYS,
  type NewKey,
  createKey,
  listKeys,
  revokeKey,
  rotateKey,
} from '../../../src/auth/keys/verbs/keys.ts'
import { openTestApp } from '../../support/app.ts'
import { SEEDED_AT } from '../../support/database.ts'
import { opened } from '../../support/fixture.ts'
import { ctxOf } from '../../../src/ctx.ts'
let now = new Date(SEEDED_AT)

const app = await opened(openTestApp('migrated', { clock: { now: () => now } }))
const hoursLater = (hours: number) => new Date(Date.parse(SEEDED_AT) + hours * 3_600_000)

const create = (input: Partial<NewKey> = {}) =>
  createKey(ctxOf(app.deps), { ownerEmail: 'rules@test.example', name: 'one', scopes: ['pros:read'], ...input })
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code: string }) => error.code,
  )

test('a key with any widget scope needs an origin, and its multiplier is above 0 and at most 1,000,000', async () => {
  for (const scope of ['widget:public', 'widget:book'] as const) {
    expect(await codeOf(create({ scopes: ['pros:read', scope] }))).toBe('validation_failed')
    expect(await codeOf(create({ scopes: [scope], origin: 'https://shop.example' }))).toBe('done')
  }
  for (const rateMultiplier of [0, -1, 1_000_000.1, Number.NaN, Infinity])
    expect([rateMultiplier, await codeOf(create({ rateMultiplier }))]).toEqual([rateMultiplier, 'validation_failed'])
  for (const rateMultiplier of [0.001, 1_000_000]) expect(await codeOf(create({ rateMultiplier }))).toBe('done')
})

test('a rotation gives the successor the expiry of its key and never prolongs the old one', async () => {
  now = hoursLater(0)
  const expiresAt = hoursLater(2)
  const old = await create({ expiresAt })
  const successor = await rotateKey(ctxOf(app.deps), { id: old.id })
  const stored = (await listKeys(ctxOf(app.deps), { ownerEmail: 'rules@test.example' })).filter(({ id }) =>
    [old.id, successor.id].includes(id),
  )
  expect(stored.map((key) => new Date(key.expiresAt ?? 0).getTime())).toEqual([
    expiresAt.getTime(),
    expiresAt.getTime(),
  ])

  const endless = await create()
  const next = await rotateKey(ctxOf(app.deps), { id: endless.id })
  const ends = new Map(
    (await listKeys(ctxOf(app.deps), { ownerEmail: 'rules@test.example' })).map((key) => [key.id, key.expiresAt]),
  )
  expect(new Date(ends.get(endless.id) ?? 0)).toEqual(hoursLater(24))
  expect(ends.get(next.id)).toBeNull()
})

test('a key is rotated once, and not after it has expired', async () => {
  now = hoursLater(0)
  const [once, expiring] = [await create(), await create({ expiresAt: hoursLater(2) })]
  await rotateKey(ctxOf(app.deps), { id: once.id })
  expect(await codeOf(rotateKey(ctxOf(app.deps), { id: once.id }))).toBe('validation_failed')
  now = hoursLater(2)
  expect(await codeOf(rotateKey(ctxOf(app.deps), { id: expiring.id }))).toBe('validation_failed')
})

test('revoked and expired keys leave room for others', async () => {
  now = hoursLater(0)
  const ownerEmail = 'room@test.example'
  const made = await Promise.all(
    Array.from({ length: MAX_LIVE_KEYS }, (_, index) =>
      create({ ownerEmail, expiresAt: hoursLater(index < 2 ? 1 : 9) }),
    ),
  )
  expect(await codeOf(create({ ownerEmail }))).toBe('too_many_keys')
  await revokeKey(ctxOf(app.deps), { id: made.at(-1)?.id ?? '' })
  expect(await codeOf(create({ ownerEmail }))).toBe('done')
  expect(await codeOf(create({ ownerEmail }))).toBe('too_many_keys')
  now = hoursLater(1)
  expect(await codeOf(create({ ownerEmail }))).toBe('done')
})

test('a key works until it expires, also while it is cached', async () => {
  now = hoursLater(0)
  const { secret } = await create({ expiresAt: hoursLater(1) })
  const status = async () => (await app.send('/api/v1/services', { key: secret })).status
  expect(await status()).toBe(200)
  now = new Date(hoursLater(1).getTime() - 1)
  expect(await status()).toBe(200)
  now = hoursLater(1)
  expect(await status()).toBe(401)
})
