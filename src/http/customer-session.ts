// Sessions of customers: from the cookie to the customer, and the checks before a page for them.
import { readCookie } from '../auth/cookies.ts'
import type { CustomerCaller } from '../auth/caller.ts'
import { findCustomer } from '../auth/customers/verbs.ts'
import { ctxOf } from '../ctx.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors/app-error.ts'
import { requestLimitsOf } from '../rate-limit/request-limits.ts'
import { csrfTokenOf, readForm, refuseForgery } from './form.ts'

/** A signed-in customer in one browser. */
export interface CustomerSession extends CustomerCaller {
  /** The token in the cookie. */
  readonly token: string
  /** The CSRF token in the forms of their pages. */
  readonly csrfToken: string
}

/** A request of a signed-in customer to a page, and the form it sent; empty unless it is a POST, and where the handler receives files. */
export interface CustomerRequest {
  request: Request
  customer: CustomerSession
  form: URLSearchParams
}

/**
 * The customer of a request to a page, with the form it sent, unless its handler reads it. Throws sign_in_required, form_refused and rate_limited, and what
 * {@link readForm} throws.
 */
export async function authenticateCustomer(
  deps: Deps,
  request: Request,
  { readsForm }: { readsForm: boolean },
): Promise<CustomerRequest> {
  const customer = await findCustomerSession(deps, request)
  const limits = requestLimitsOf(deps)
  if (!customer) {
    await limits.admitAddress(request)
    throw new AppError('sign_in_required', 'Sign in first.')
  }
  await limits.admitUser(request, customer.accountId)
  if (request.method !== 'POST' || !readsForm) return { request, customer, form: new URLSearchParams() }
  const form = await readForm(deps, request)
  refuseForgery(form, customer.token)
  return { request, customer, form }
}

/** The request's customer, if its cookie has a session. */
export async function findCustomerSession(deps: Deps, request: Request): Promise<CustomerSession | undefined> {
  const token = readCookie(deps.config, request, 'hearth-customer')
  const customer = token === undefined ? undefined : await findCustomer(ctxOf(deps), { token })
  return token === undefined || !customer ? undefined : { ...customer, token, csrfToken: csrfTokenOf(token) }
}
