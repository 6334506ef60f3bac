// Sessions of the console: from the cookie to the user, and the checks before a page for some roles.
import type { TObject } from '@sinclair/typebox'

import { requestContextOf } from '../auth/request-context.ts'
import { ctxOf } from '../ctx.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors/app-error.ts'
import type { Role, SessionUser } from '../auth/users/schemas.ts'
import { findSessionUser } from '../auth/users/verbs/sessions.ts'
import { readCookie } from '../auth/cookies.ts'
import { csrfTokenOf, readForm, refuseForgery } from './form.ts'
import { keepForm, unwrapForm } from './kept-form.ts'
import { checkRole } from './permissions.ts'
import { requestLimitsOf } from '../rate-limit/request-limits.ts'

/** A logged-in user in one browser. */
export interface Session extends SessionUser {
  /** The token in the cookie. */
  readonly token: string
  /** The CSRF token in the forms of their pages. */
  readonly csrfToken: string
}

/** A request to a page with a session, and the form it sent; empty unless it is a POST, and where the handler receives files. */
export interface AuthenticatedRequest {
  request: Request
  session: Session
  form: URLSearchParams
}

/**
 * The session of a request to a page for `roles`, with the form it sent, unless its handler reads it. Throws login_required, role_not_allowed, form_refused,
 * second_factor_required and rate_limited, and what {@link readForm} throws.
 */
export async function authenticate(
  deps: Deps,
  request: Request,
  { roles, readsForm, form: schema }: { roles: readonly Role[]; readsForm: boolean; form: TObject | undefined },
): Promise<AuthenticatedRequest> {
  const session = await findSession(deps, request)
  const limits = requestLimitsOf(deps)
  if (!session) {
    await limits.admitAddress(request)
    if (request.method === 'POST' && readsForm)
      requestContextOf(request).keptForm = await keepForm(deps, request, schema)
    throw new AppError('login_required', 'Log in to the console first.')
  }
  await limits.admitUser(request, session.userId)
  if (!roles.includes(session.role)) throw new AppError('role_not_allowed', `This page is for ${plural(roles)}.`)
  checkRole(session, { method: request.method, route: requestContextOf(request).route })
  if (request.method !== 'POST' || !readsForm) return { request, session, form: new URLSearchParams() }
  const form = await readForm(deps, request)
  refuseForgery(form, session.token)
  return { request, session, form: unwrapForm(deps, request, { form, userId: session.userId }) }
}

/** The request's session, if its cookie has one. */
export async function findSession(deps: Deps, request: Request): Promise<Session | undefined> {
  const token = readCookie(deps.config, request, 'hearth-session')
  const user = token === undefined ? undefined : await findSessionUser(ctxOf(deps), { token })
  return token === undefined || !user ? undefined : { ...user, token, csrfToken: csrfTokenOf(token) }
}

/**
 * The account whose login the request’s browser has. Pages behind a link use it to refuse a pro who would act as the
 * customer.
 */
export const actorOfBrowser = async (deps: Deps, request: Request): Promise<{ accountId: string | null }> => ({
  accountId: (await findSession(deps, request))?.accountId ?? null,
})

const plural = (roles: readonly Role[]) => roles.map((role) => `${role}s`).join(' and ')

/** The session of a developer or a pro, with their account. */
export function accountOf({
  session,
}: Pick<AuthenticatedRequest, 'session'>): Session & { accountId: string; accountEmail: string } {
  const { accountId, accountEmail } = session
  if (accountId === null || accountEmail === null) throw new Error('accountOf is for routes of developers and pros.')
  return { ...session, accountId, accountEmail }
}

/** The account whose webhooks and usage a developer or a pro sees: in test mode their test account. */
export const shownAccountOf = (by: Pick<AuthenticatedRequest, 'session'>): { accountId: string } => ({
  accountId: by.session.testAccountId ?? accountOf(by).accountId,
})

/** Who acts for a pro. */
export interface ProSession extends Session {
  readonly accountId: string
  readonly professionalId: string
  /** The member whose visits and jobs a worker sees; null for those who see all. */
  readonly onlyMemberId: string | null
}

/** The session of a pro. Throws role_not_allowed when the account no longer belongs to a pro. */
export function actingProOf(visit: AuthenticatedRequest): ProSession {
  const session = accountOf(visit)
  const { professionalId, proRole, memberId } = session
  if (professionalId === null) throw new AppError('role_not_allowed', 'Your account does not belong to a pro.')
  if (proRole !== 'worker') return { ...session, professionalId, onlyMemberId: null }
  if (memberId === null) throw new Error('The database has a worker who is no member.')
  return { ...session, professionalId, onlyMemberId: memberId }
}
