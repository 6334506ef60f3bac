// What is encrypted can be read with its own purpose, until its end, and unchanged only.
import { expect, test } from 'bun:test'

import { openEncryption } from '../../../src/platform/crypto/encryption.ts'

const NOW = new Date('2026-11-20T00:00:00Z')
const later = (ms: number) => new Date(NOW.getTime() + ms)
const encryption = openEncryption('a secret of at least 32 characters')

test('a text is readable with its purpose and secret only', () => {
  const text = encryption.encrypt('quote', { id: 'x' })
  expect(encryption.decrypt('quote', text, NOW)).toEqual({ id: 'x' })
  for (const purpose of ['booking', 'quote ', 'quot', 'Quote', ''])
    expect([purpose, encryption.decrypt(purpose, text, NOW)]).toEqual([purpose, undefined])
  expect(openEncryption('a secret of at least 32 characters.').decrypt('quote', text, NOW)).toBeUndefined()
})

test('a text ends at its expiry, not a millisecond earlier', () => {
  const text = encryption.encrypt('quote', 'x', later(1000))
  expect(encryption.decrypt('quote', text, later(999))).toBe('x')
  expect(encryption.decrypt('quote', text, later(1000))).toBeUndefined()
  const token = encryption.linkToken('quote', 'x', { expiresAt: later(1000) })
  expect([999, 1000].map((ms) => encryption.readLinkToken('quote', token, later(ms))?.id)).toEqual(['x', undefined])
})

test('a text with any changed, missing or additional byte is not read', () => {
  const token = encryption.linkToken('quote', 'some id')
  const bytes = Buffer.from(token, 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect([at, encryption.readLinkToken('quote', changed.toString('base64url'), NOW)]).toEqual([at, undefined])
  }
  for (const other of [
    bytes.subarray(1),
    bytes.subarray(0, -1),
    Buffer.concat([bytes, Buffer.from([0])]),
    Buffer.alloc(0),
  ])
    expect(encryption.readLinkToken('quote', other.toString('base64url'), NOW)).toBeUndefined()
})

test('equal texts look different, but a link always the same, and links of different ids share no start', () => {
  expect(encryption.encrypt('quote', 'x')).not.toBe(encryption.encrypt('quote', 'x'))
  expect(encryption.linkToken('quote', 'x')).toBe(encryption.linkToken('quote', 'x'))
  const starts = Array.from({ length: 50 }, (_, n) => encryption.linkToken('quote', `id ${n}`).slice(0, 16))
  expect(new Set(starts).size).toBe(50)
  expect(encryption.linkToken('booking', 'x').slice(0, 16)).not.toBe(encryption.linkToken('quote', 'x').slice(0, 16))
})

test('only a link that was made for the mail says so', () => {
  const mailed = encryption.linkToken('quote', 'x', { isMailed: true })
  expect(encryption.readLinkToken('quote', mailed, NOW)).toEqual({ id: 'x', isMailed: true })
  expect(encryption.readLinkToken('quote', encryption.linkToken('quote', 'x'), NOW)).toEqual({
    id: 'x',
    isMailed: false,
  })
})
