// How the caller of a request knows the customer's e-mail address in it. What is typed is not proven.
import type { Caller, CustomerCaller } from './caller.ts'

/**
 * - `proven`: the caller is the owner of the address, who has read its mail.
 * - `vouched`: the caller is a server whose key answers for its customers.
 * - `typed`: the caller may be anybody: a browser, the key of a widget, an agent.
 */
export type AddressProof = 'proven' | 'vouched' | 'typed'

/** Of a key or an app's token. `checkOwnAddress` has refused another address than the signed-in customer's. */
export function addressProofOf({ customer, scopes, origin }: Caller): AddressProof {
  if (customer) return 'proven'
  return scopes.has('bookings:write') && origin === null ? 'vouched' : 'typed'
}

/** The same for the agent tools, where a person dictates the address. */
export const addressProofOfAgent = ({ customer }: Caller): AddressProof => (customer ? 'proven' : 'typed')

/** The same for a form. */
export const addressProofOfForm = (
  customer: Pick<CustomerCaller, 'customerEmail'> | undefined,
  email: string,
): AddressProof => (customer?.customerEmail === email ? 'proven' : 'typed')
