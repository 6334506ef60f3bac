// The format of keys and of an app's tokens: `hearth_live_`, 26 base62 characters, and a checksum of 6.
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET = /^hearth_(live|test|access|refresh|code)_([0-9A-Za-z]{26})([0-9A-Za-z]{6})$/

/** A test key follows the same rules as a live key, with the test pros of its account instead of all others. */
export const KEY_MODES = ['live', 'test'] as const
export type KeyMode = (typeof KEY_MODES)[number]

/** Besides keys: the tokens and the one-time code of an app that a person has connected (auth/oauth). */
export type SecretKind = KeyMode | 'access' | 'refresh' | 'code'

/**
 * A new secret from random bytes: 26 base62 characters (154 bits). `bytes` must be at least 64 long: values over 247 are
 * skipped so that every character is equally likely.
 */
export function generateKey(kind: SecretKind, bytes: Uint8Array): string {
  const unbiased = bytes.filter((byte) => byte < 248)
  if (unbiased.length < 26) throw new RangeError('generateKey needs more random bytes')
  const secret = Array.from(unbiased.slice(0, 26), (byte) => BASE62[byte % 62]).join('')
  return `hearth_${kind}_${secret}${checksum(`hearth_${kind}_${secret}`)}`
}

/** The kind of a text in the format of keys with a correct checksum: a mistyped key costs no query. */
export function secretKindOf(text: string): SecretKind | undefined {
  const match = SECRET.exec(text)
  return match && checksum(text.slice(0, -6)) === match[3] ? (match[1] as SecretKind) : undefined
}

/** Whether `text` has the format of a key and a correct checksum. */
export function isWellFormedKey(text: string): boolean {
  const kind = secretKindOf(text)
  return kind === 'live' || kind === 'test'
}

/** The hash that is stored instead of the key. A fast hash suffices: the secret has 154 random bits. */
export const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest()

/** CRC-32 (ISO 3309) as six base62 digits, most significant first. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < 6; place++) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
