// Browsers in which a person has logged in: whoever tries passwords for their address elsewhere does not shut them out there.
// OWASP, "Device cookies": https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
import { createHash } from 'node:crypto'

import type { Deps } from '../deps.ts'
import { cookie, readCookie } from './cookies.ts'

const DAY_SECONDS = 86_400
/** Anew with each log-in, so that it lasts for whoever comes back within the half year. */
const KNOWN_SECONDS = 180 * DAY_SECONDS

/** What an e-mail address is counted under: Redis and cookies learn of no address. */
export const digestOf = (email: string): string =>
  createHash('sha256').update(email.trim().toLowerCase()).digest('base64url')

/** Sealed for one address: for another it says nothing. */
const purpose = (email: string) => `device of ${digestOf(email)}`

/** The browser's id, if somebody has logged in with the address in it. It opens nothing: attempts are counted by it. */
export function findDeviceId({ config, encryption, clock }: Deps, request: Request, email: string): string | undefined {
  const sealed = readCookie(config, request, 'hearth-device')
  const id = sealed === undefined ? undefined : encryption.decrypt(purpose(email), sealed, clock.now())
  return typeof id === 'string' ? id : undefined
}

/** The value of a `Set-Cookie` header by which the browser is known from now on. */
export function deviceCookie(deps: Deps, request: Request, email: string): string {
  const { config, encryption, clock, ids } = deps
  // The same id again: whoever logs in often does not come by more attempts.
  const id = findDeviceId(deps, request, email) ?? ids.uuid()
  const until = new Date(clock.now().getTime() + KNOWN_SECONDS * 1000)
  return cookie(config, 'hearth-device', encryption.encrypt(purpose(email), id, until), KNOWN_SECONDS)
}
