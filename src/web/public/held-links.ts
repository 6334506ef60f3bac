// The bookings and requests that a browser may open without the customer's mail: those made in it, and those whose mailed
// link was opened in it. A person who came by another link, such as one to a payment, signs in first.
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

import { cookie, readCookie } from '../../auth/cookies.ts'
import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { manageUrl } from '../../features/booking/bookings/verbs/manage-link.ts'
import { MY_PAGE } from '../ui/responses.tsx'

const PURPOSE = 'held links'
const KEEP_SECONDS = 30 * 86_400
/** Only the latest links are kept: a browser stores at most 4,096 bytes per cookie. */
const MAX_HELD = 20
const Held = Type.Array(Type.String(), { maxItems: MAX_HELD })

/** The ids of bookings, quotes and requests whose links the browser holds, the latest first. */
function readHeld({ config, encryption, clock }: Deps, request: Request): readonly string[] {
  const encrypted = readCookie(config, request, 'hearth-held')
  const held = encrypted === undefined ? undefined : encryption.decrypt(PURPOSE, encrypted, clock.now())
  return Value.Check(Held, held) ? held : []
}

/** Whether the link of the booking, quote or request was used in the request's browser. */
export const holdsLink = (deps: Deps, request: Request, id: string): boolean => readHeld(deps, request).includes(id)

/** The `Set-Cookie` value with which the browser holds the links of these, too. */
export function heldLinkCookie(deps: Deps, request: Request, ...ids: readonly string[]): string {
  const { config, encryption, clock } = deps
  const held = [...new Set([...ids, ...readHeld(deps, request)])].slice(0, MAX_HELD)
  const until = new Date(clock.now().getTime() + KEEP_SECONDS * 1000)
  return cookie(config, 'hearth-held', encryption.encrypt(PURPOSE, held, until), KEEP_SECONDS)
}

/** How a browser came to a page that leads to a booking. */
export interface Trust {
  /** By a link that went to the customer's mail only. */
  readonly isMailed: boolean
  /** By such a link, or the quote or request of the booking was made in this browser. */
  readonly isTrusted: boolean
}

/**
 * The path to the page of a booking: the manage link if the browser may have it, otherwise the page for signed-in customers.
 */
export const bookingPathFor = (
  ctx: Ctx,
  request: Request,
  bookingId: string,
  { isMailed, isTrusted }: Trust = { isMailed: false, isTrusted: false },
): string =>
  isTrusted || holdsLink(ctx, request, bookingId)
    ? new URL(manageUrl(ctx, { isMailed, bookingId })).pathname
    : `${MY_PAGE}/bookings/${bookingId}`
