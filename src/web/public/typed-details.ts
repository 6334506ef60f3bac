// The contact details that a person typed, kept in the browser for a while. So they survive the choice of another time, a
// time that was taken meanwhile, and the way back from the payment. Signed-in customers find the details that they last gave.
import { cookie, readCookie } from '../../auth/cookies.ts'
import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import type { Contact } from '../../features/customers/customers/schemas.ts'
import { findContact } from '../../features/customers/customers/verbs/finished-work.ts'
import { findCustomerSession } from '../../http/customer-session.ts'
import { type FormState, EMPTY_FORM } from '../ui/form.tsx'
import { visitFields } from './visit-fields.tsx'

const FIELDS = new Set([...Object.keys(visitFields(true)), 'description'])
type TypedDetails = Readonly<Record<string, string>>

const PURPOSE = 'typed details'
/** Twice as long as a time is held for its payment. */
const KEEP_SECONDS = 1800
/** Browsers keep 4,096 bytes with name and attributes (RFC 6265bis §5.6). */
const MAX_COOKIE = 3800

/** The `Set-Cookie` value that keeps the details. Notes too long for a cookie are left out. */
export function typedDetailsCookie({ config, encryption, clock }: Deps, typed: TypedDetails): string {
  const until = new Date(clock.now().getTime() + KEEP_SECONDS * 1000)
  const given = Object.fromEntries(Object.entries(typed).filter(([, text]) => text !== ''))
  const encrypted = encryption.encrypt(PURPOSE, given, until)
  const kept =
    encrypted.length > MAX_COOKIE ? encryption.encrypt(PURPOSE, { ...given, description: '' }, until) : encrypted
  return cookie(config, 'hearth-typed', kept.length > MAX_COOKIE ? '' : kept, KEEP_SECONDS)
}

/** The details in a form. */
export const detailsIn = (form: URLSearchParams): TypedDetails =>
  Object.fromEntries([...form].filter(([name]) => FIELDS.has(name)))

/** The details of a booking, for another one. */
export const detailsOf = ({ address, ...customer }: Contact & { email: string }): TypedDetails =>
  defined({ ...customer, ...address })

/** A form filled in with what was typed before, or with what the signed-in customer last gave. */
export async function prefilledForm(ctx: Ctx, request: Request): Promise<FormState> {
  const details = readTyped(ctx, request) ?? (await detailsOfCustomer(ctx, request))
  return details ? { ...EMPTY_FORM, values: new URLSearchParams(details) } : EMPTY_FORM
}

function readTyped({ config, encryption, clock }: Deps, request: Request): Record<string, string> | undefined {
  const encrypted = readCookie(config, request, 'hearth-typed')
  if (encrypted === undefined) return undefined
  return encryption.decrypt(PURPOSE, encrypted, clock.now()) as Record<string, string> | undefined
}

async function detailsOfCustomer(ctx: Ctx, request: Request): Promise<Record<string, string> | undefined> {
  const customer = await findCustomerSession(ctx, request)
  if (!customer) return undefined
  const contact = await findContact(ctx.as(customer))
  return defined({ email: customer.customerEmail, name: contact?.name, phone: contact?.phone, ...contact?.address })
}

/** A copy without null and undefined members. */
const defined = (details: Record<string, string | null | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(details).filter((entry): entry is [string, string] => entry[1] !== null && entry[1] !== undefined),
  )
