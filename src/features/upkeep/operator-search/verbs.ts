// The operators' search: whatever a caller says on the phone, in everything that operators look after.
import type { Ctx } from '../../../ctx.ts'
import { findPayments } from '../../money/operator-refunds/verbs.ts'
import type { FoundPayment } from '../../money/operator-refunds/schemas.ts'
import * as statements from './queries.sql.ts'
import { type SearchTerms, searchTermsOf } from './rules/search-terms.ts'

/** What each part shows. A caller who is one of more says another word. */
export const FOUND_LIMIT = 10
/** Rows that one way of naming reads: enough that the exact ones are among them. */
const MOST_READ = 200

type Rows<T extends (...args: never[]) => Promise<unknown[]>> = Awaited<ReturnType<T>>

export type FoundBooking = Rows<typeof statements.findBookings>[number]
export type FoundRequest = Rows<typeof statements.findRequests>[number]
export type FoundPro = Rows<typeof statements.findPros>[number]
export type FoundUser = Rows<typeof statements.findUsers>[number]
export type FoundMessage = Rows<typeof statements.findMessages>[number]
export type FoundKey = Rows<typeof statements.findKeys>[number]

export interface FoundCustomer {
  /** Of the latest record, or of the account. */
  readonly id: string
  readonly email: string
  readonly name: string
  readonly phone: string | null
}

export interface Found {
  readonly bookings: readonly FoundBooking[]
  readonly customers: readonly FoundCustomer[]
  readonly pros: readonly FoundPro[]
  readonly requests: readonly FoundRequest[]
  readonly payments: readonly FoundPayment[]
  readonly messages: readonly FoundMessage[]
  readonly users: readonly FoundUser[]
  readonly keys: readonly FoundKey[]
}

/**
 * What the text names: by a code, a name, a phone number in any writing or its last four digits, an e-mail address, an id or its
 * beginning, an address, the name of a business, or the last four characters of a key. Exact matches first, at most ten of a
 * kind. Erased customers are not found.
 */
export async function searchAsOperator(ctx: Ctx, { text }: { text: string }): Promise<Found> {
  const terms = searchTermsOf(text)
  const { code, email, slug, firstId, lastId, digits, lastFour, spelt, begun, messageId } = terms
  const bounds = { most: MOST_READ, limit: FOUND_LIMIT }
  const ids = { firstId, lastId }
  const person = { text: terms.text, email, ...ids, digits, spelt, begun, ...bounds }
  const [bookings, requests, pros, users, keys, payments, messages, accounts] = await Promise.all([
    statements.findBookings(ctx, { code, ...person }),
    statements.findRequests(ctx, person),
    statements.findPros(ctx, { slug, ...person }),
    statements.findUsers(ctx, { email, ...ids, limit: FOUND_LIMIT }),
    statements.findKeys(ctx, { lastFour, ...ids, ...bounds, now: ctx.clock.now() }),
    paymentsOf(ctx, terms),
    statements.findMessages(ctx, { email, messageId, limit: FOUND_LIMIT }),
    email === null ? [] : statements.findCustomers(ctx, { email }),
  ])
  const customers = customersIn([...bookings, ...requests], accounts)
  return { bookings, customers, pros, requests, payments, messages, users, keys }
}

/** One of each address, as the latest record has it. */
function customersIn(
  records: readonly Pick<FoundBooking, 'id' | 'customerName' | 'customerEmail' | 'customerPhone'>[],
  accounts: readonly { id: string; email: string }[],
): FoundCustomer[] {
  const byEmail = new Map<string, FoundCustomer>()
  for (const { id, customerEmail: email, customerName: name, customerPhone: phone } of records)
    if (!byEmail.has(email)) byEmail.set(email, { id, email, name, phone })
  for (const { id, email } of accounts)
    if (!byEmail.has(email)) byEmail.set(email, { id, email, name: email, phone: null })
  return [...byEmail.values()].slice(0, FOUND_LIMIT)
}

async function paymentsOf(ctx: Ctx, { text, code, email, firstId, lastId }: SearchTerms): Promise<FoundPayment[]> {
  const isOfProvider = /^(pi|re|ch|sandbox)_/.test(text)
  const named = code ?? email ?? (isOfProvider ? text : firstId === lastId ? firstId : null)
  const found = named === null ? [] : await findPayments(ctx, { text: named })
  if (found.length > 0 || firstId === null || lastId === null) return found.slice(0, FOUND_LIMIT)
  const begun = await statements.findPaymentIds(ctx, { firstId, lastId, limit: FOUND_LIMIT })
  return (await Promise.all(begun.map(({ id }) => findPayments(ctx, { text: id })))).flat()
}
