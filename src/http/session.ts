// From the cookie to the person: who is logged in, and whether a page is for them.
import type { Deps } from '../deps.ts'
import { AppError } from '../errors/app-error.ts'
import type { Role, SessionUser } from '../auth/users/schemas.ts'
import { findSessionUser } from '../auth/users/verbs/sessions.ts'
import type { Access } from '../auth/access.ts'
import { readCookie } from '../auth/cookies.ts'
import { csrfTokenOf, readForm, refuseForgery } from './form.ts'
import { limitsOf } from '../rate-limit/rate-limits.ts'

/** Somebody who is logged in, in one browser. */
export interface Session extends SessionUser {
  /** The token in their cookie. */
  readonly token: string
  /** The CSRF token in the forms of their pages. */
  readonly csrfToken: string
}

/** A session's visit to a route, with the form when it was sent one. */
export interface AuthenticatedRequest {
  request: Request
  session: Session
  form: URLSearchParams
}

/**
 * Who visits a route for people, and the form they sent. Throws login_required, role_not_allowed, form_refused and
 * rate_limited; what is wrong with reading the form as {@link readForm} does.
 */
export async function admitVisit(
  deps: Deps,
  request: Request,
  { session: roles = [] }: Access,
): Promise<AuthenticatedRequest> {
  const session = await findSession(deps, request)
  const limits = limitsOf(deps)
  if (!session) {
    await limits.admitAddress(request)
    throw new AppError('login_required', 'Log in to the console first.')
  }
  await limits.admitUser(request, session.userId)
  if (!roles.includes(session.role)) throw new AppError('role_not_allowed', `This page is for ${plural(roles)}.`)
  if (request.method !== 'POST') return { request, session, form: new URLSearchParams() }
  const form = await readForm(request)
  refuseForgery(request, form, session.token, new URL(deps.config.baseUrl).origin)
  return { request, session, form }
}

/** Who is logged in, where nobody need be. */
export async function findSession(deps: Deps, request: Request): Promise<Session | undefined> {
  const token = readCookie(deps.config, request, 'hearth-session')
  const user = token === undefined ? undefined : await findSessionUser(deps, token)
  return token === undefined || !user ? undefined : { ...user, token, csrfToken: csrfTokenOf(token) }
}

const plural = (roles: readonly Role[]) => roles.map((role) => `${role}s`).join(' and ')

/** The visit to a route whose access is a session. */
export function visitOf(visit: AuthenticatedRequest | undefined): AuthenticatedRequest {
  if (!visit) throw new Error('visitOf is for routes whose access is a session.')
  return visit
}

/** Whoever acts for an account: a developer or a pro. */
export function accountOf({
  session,
}: Pick<AuthenticatedRequest, 'session'>): Session & { accountId: string; accountEmail: string } {
  const { accountId, accountEmail } = session
  if (accountId === null || accountEmail === null) throw new Error('accountOf is for routes of developers and pros.')
  return { ...session, accountId, accountEmail }
}

/** Whoever acts for a pro. Throws role_not_allowed when their account is no pro’s any more. */
export function actingProOf(visit: AuthenticatedRequest): Session & { accountId: string; professionalId: string } {
  const session = accountOf(visit)
  const { professionalId } = session
  if (professionalId === null) throw new AppError('role_not_allowed', 'Your account belongs to no pro.')
  return { ...session, professionalId }
}
