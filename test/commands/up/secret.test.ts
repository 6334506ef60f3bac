// The encryption secret: production requires one, and `npm start` creates and keeps its own.
import { expect, test } from 'bun:test'
import { mkdtempSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { ensureSecret, readSecret } from '../../../src/commands/up/secret.ts'
import { readConfig } from '../../../src/config.ts'
import { openEncryption } from '../../../src/platform/crypto/encryption.ts'

const env = { DATABASE_URL: 'postgres://127.0.0.1/none', REDIS_URL: 'redis://127.0.0.1' }

test('production requires a secret of at least 32 characters, and the error names the variable without its value', () => {
  for (const HEARTH_SECRET of [undefined, '', 'short-secret-0123456789-abcdefg'])
    expect(() => readConfig({ ...env, HEARTH_ENV: 'production', HEARTH_SECRET })).toThrow(
      /^HEARTH_SECRET must have at least 32 characters\. Generate one: {2}openssl rand -base64 48$/,
    )
  const HEARTH_SECRET = 'x'.repeat(32)
  expect(readConfig({ ...env, HEARTH_ENV: 'production', HEARTH_SECRET }).secret).toBe(HEARTH_SECRET)
  expect(readConfig(env).secret.length).toBeGreaterThan(31)
})

test('npm start creates a secret that only this user can read, and keeps it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-secret-'))
  mkdirSync(join(folder, 'dev'))
  try {
    expect(readSecret(folder)).toBeUndefined()
    const secret = ensureSecret(folder)
    expect(secret.length).toBe(64)
    expect([ensureSecret(folder), readSecret(folder)]).toEqual([secret, secret])
    expect(statSync(join(folder, 'dev', 'secret')).mode & 0o777).toBe(0o600)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('an encrypted value decrypts only with the same secret and purpose, before it expires, and unmodified', () => {
  const [encryption, other] = [openEncryption('a'.repeat(32)), openEncryption('b'.repeat(32))]
  const now = new Date('2026-06-01T12:00:00Z')
  const text = encryption.encrypt('quote', { id: 7 }, new Date(now.getTime() + 1000))
  expect(encryption.decrypt('quote', text, now)).toEqual({ id: 7 })
  expect(encryption.decrypt('quote', text, new Date(now.getTime() + 1000))).toBeUndefined()
  expect(encryption.decrypt('payment', text, now)).toBeUndefined()
  expect(other.decrypt('quote', text, now)).toBeUndefined()
  for (let at = 0; at < text.length - 1; at++) {
    const changed = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
    expect([at, encryption.decrypt('quote', changed, now)]).toEqual([at, undefined])
  }
  expect(encryption.encrypt('quote', { id: 7 })).not.toBe(encryption.encrypt('quote', { id: 7 }))
})
