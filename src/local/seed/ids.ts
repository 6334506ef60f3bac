// Ids that are identical on every run of the seed.
import type { Random } from './random.ts'

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const hex4 = Array.from({ length: 0x10000 }, (_, value) => value.toString(16).padStart(4, '0'))
const quad = (value: number): string => hex4[value & 0xffff] ?? ''

/** A UUID version 7 (RFC 9562 section 5.7) of a time in milliseconds; `random` supplies the other bits. */
export const timeOrderedId = (ms: number, random: Random): string => {
  const high = Math.floor(ms / 0x10000)
  const x = random.next()
  const y = random.next()
  const z = random.next()
  return `${quad(high >>> 16)}${quad(high)}-${quad(ms % 0x10000)}-${quad(0x7000 | (x & 0xfff))}-${quad(0x8000 | ((x >>> 12) & 0x3fff))}-${quad(y)}${quad(y >>> 16)}${quad(z)}`
}

/** `HTH-` and 12 characters of Crockford's base 32. */
export const confirmationCode = (random: Random): string => {
  let code = 'HTH-'
  for (let half = 0; half < 2; half++) {
    for (let bits = random.next(), digit = 0; digit < 6; digit++, bits >>>= 5) code += crockford.charAt(bits & 31)
  }
  return code
}
