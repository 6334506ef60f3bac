// Browsers in which a user has logged in: password guessing elsewhere does not lock the user out there.
// OWASP, "Device cookies": https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
import { createHash } from 'node:crypto'

import type { Deps } from '../deps.ts'
import { cookie, readCookie } from './cookies.ts'

const DAY_SECONDS = 86_400
/** Renewed with each login. */
const KNOWN_SECONDS = 180 * DAY_SECONDS

/** The digest of a normal address, under which attempts for an e-mail address are counted: Redis and cookies hold no address. */
export const digestOf = (email: string): string => createHash('sha256').update(email).digest('base64url')

/** The cookie is encrypted for one e-mail address and unreadable for another. */
const purpose = (email: string) => `device of ${digestOf(email)}`

/** The id of the browser, if a user with this address has logged in there. It grants no access: attempts are counted by it. */
export function findDeviceId({ config, encryption, clock }: Deps, request: Request, email: string): string | undefined {
  const sealed = readCookie(config, request, 'hearth-device')
  const id = sealed === undefined ? undefined : encryption.decrypt(purpose(email), sealed, clock.now())
  return typeof id === 'string' ? id : undefined
}

/** The value of a `Set-Cookie` header that makes the browser a known device. */
export function deviceCookie(deps: Deps, request: Request, email: string): string {
  const { config, encryption, clock, ids } = deps
  // The id stays the same, so that repeated logins do not earn more attempts.
  const id = findDeviceId(deps, request, email) ?? ids.uuid()
  const until = new Date(clock.now().getTime() + KNOWN_SECONDS * 1000)
  return cookie(config, 'hearth-device', encryption.encrypt(purpose(email), id, until), KNOWN_SECONDS)
}
