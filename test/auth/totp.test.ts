// The codes of apps, by the vectors of RFC 6238, and what a code is accepted for.
import { describe, expect, test } from 'bun:test'

import { base32Of, stepAt, stepOfCode, totpCode, totpUri } from '../../src/auth/users/rules/totp.ts'

/** "12345678901234567890" in base32. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test.each([
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
])('the code at second %d is that of RFC 6238, Appendix B', (seconds, code) => {
  const step = stepAt(new Date(seconds * 1000))
  expect(totpCode(RFC_SECRET, step, 8)).toBe(code)
  expect(totpCode(RFC_SECRET, step)).toBe(code.slice(2))
})

const now = new Date('2026-11-20T12:00:10Z')
const current = stepAt(now)

describe('a code', () => {
  test.each([-2, -1, 0, 1, 2])('of %d steps from now is accepted within one step', (distance) => {
    const code = totpCode(RFC_SECRET, current + distance)
    const step = stepOfCode(RFC_SECRET, { code, now, lastStep: 0 })
    expect(step).toBe(Math.abs(distance) <= 1 ? current + distance : undefined)
  })

  test('of a step that was used, or of one before it, is not accepted', () => {
    const code = totpCode(RFC_SECRET, current)
    expect(stepOfCode(RFC_SECRET, { code, now, lastStep: current - 1 })).toBe(current)
    expect(stepOfCode(RFC_SECRET, { code, now, lastStep: current })).toBeUndefined()
    expect(stepOfCode(RFC_SECRET, { code, now, lastStep: current + 1 })).toBeUndefined()
  })
})

test('a secret is in base32, as in RFC 4648 §10 without padding', () => {
  expect(base32Of(new TextEncoder().encode('12345678901234567890'))).toBe(RFC_SECRET)
  expect(base32Of(new Uint8Array(20).fill(255))).toBe('7'.repeat(32))
})

test('the address for apps names the marketplace and the user', () => {
  const uri = totpUri(RFC_SECRET, { issuer: 'Home & Co: Austin', email: 'a+b@users.test.example' })
  expect(uri).toBe(
    `otpauth://totp/Home%20%26%20Co%20%20Austin:a%2Bb%40users.test.example?secret=${RFC_SECRET}&issuer=Home%20%26%20Co%20%20Austin`,
  )
})
