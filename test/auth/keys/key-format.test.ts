// A key is accepted whole, in its own form and header, and what only resembles one costs no query.
import { expect, test } from 'bun:test'

import { isWellFormedKey } from '../../../src/auth/keys/format.ts'
import { openTestApp } from '../../support/app.ts'
import { lockTable } from '../../support/database.ts'
import { opened } from '../../support/fixture.ts'

const app = await opened(openTestApp('migrated'))

/** Texts that share most of their characters with the key. */
const nearMisses = (key: string): string[] => [
  key.slice(0, -1),
  key.slice(1),
  `${key}0`,
  ` ${key}`,
  `x${key}`,
  `${key}\n`,
  key.toLowerCase(),
  key.toUpperCase(),
  key.replace('live', 'test'),
  key.replace('hearth', 'hearth_hearth'),
  // Each wrong character of the checksum alone.
  ...Array.from({ length: 6 }, (_, at) => replaced(key, key.length - 1 - at)),
  replaced(key, 20),
]

const replaced = (text: string, at: number) => text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)

test('a text that only resembles a key is refused without a query', async () => {
  const key = await app.key()
  expect(isWellFormedKey(key)).toBe(true)
  for (const text of nearMisses(key)) expect([text, isWellFormedKey(text)]).toEqual([text, false])
  await using lock = await lockTable(app.sql, 'api_keys')
  try {
    // A look-up would wait for the lock.
    for (const text of nearMisses(key)
      .map((one) => one.trim())
      .filter((one) => one !== key))
      expect([text, (await app.send('/api/v1/services', { key: text })).status]).toEqual([text, 401])
  } finally {
    await lock.release()
  }
})

test('a key is sent as one Bearer token and in no other way', async () => {
  const key = await app.key()
  const statusWith = async (authorization: string) =>
    (await app.send('/api/v1/services', { headers: { authorization } })).status
  for (const good of [`Bearer ${key}`, `bearer ${key}`, `BEARER  ${key}`]) expect(await statusWith(good)).toBe(200)
  for (const bad of [
    `Basic ${key}`,
    `Bearer${key}`,
    `Bearer ${key} x`,
    `Bearer x ${key}`,
    `Bearers ${key}`,
    key,
    'Bearer',
  ])
    expect([bad, await statusWith(bad)]).toEqual([bad, 401])
})
