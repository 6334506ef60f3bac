// What a rule of the isolation tests says, and the parts that rules share.
import { randomUUID } from 'node:crypto'

import type { OwnedKind, Tenant } from './isolation-tenants.ts'

/**
 * The kind of an id: something owned; `public`, an id that anyone may use (of a pro, a service, a published review);
 * `secret`, a code or link token that authorizes its bearer; or `new`, a value that is only stored with the new row.
 */
export type Source = OwnedKind | 'public' | 'secret' | 'new'

export interface Rule {
  /** By place and name: `path.id`, `body.rfqId`, `query.email`. */
  readonly ids?: Readonly<Record<string, Source>>
  /** The rest of the body. `named` has the ids of this request, by the same names as in `ids`. */
  readonly body?: (tenant: Tenant, named: Readonly<Record<string, string>>) => Record<string, unknown>
  /** A status that a stranger may get besides 401, 403 and 404. */
  readonly refusal?: number
  /** The customer's e-mail address in the body identifies the owner, not the key. */
  readonly isByCustomer?: boolean
  /** A list filtered by an id. A stranger's list has no items of the owner. */
  readonly isList?: boolean
}

export const PUBLIC: Rule = { ids: { 'path.id': 'public' } }
export const SECRET_TOKEN: Rule = { ids: { 'path.token': 'secret' } }
export const DELIVERY: Rule = { ids: { 'path.id': 'webhook', 'path.eventId': 'delivery' } }
export const own = (kind: OwnedKind, body?: Rule['body']): Rule => ({
  ids: { 'path.id': kind },
  ...(body ? { body } : {}),
})

export const webhook = { name: 'Orders', url: 'https://hooks.test.example/orders', events: ['booking.created'] }
export const calendar = () => ({ name: 'Family', url: `https://calendars.test.example/${randomUUID()}.ics` })
