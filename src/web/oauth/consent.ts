// /oauth/consent: a person decides whether an app gets access to their data. They sign in first.
import { Elysia } from 'elysia'

import { publicPage } from '../../auth/access.ts'
import { noCookie } from '../../auth/cookies.ts'
import { endCustomerSession } from '../../auth/customers/verbs.ts'
import type { AuthorizationRequest, Person } from '../../auth/oauth/schemas.ts'
import { CONSENT_PATH } from '../../auth/oauth/verbs/authorization.ts'
import { approve, deny, readAuthorizationRequest } from '../../auth/oauth/verbs/consent.ts'
import { mayUse } from '../../auth/users/rules/permissions.ts'
import { logOut } from '../../auth/users/verbs/sessions.ts'
import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { findCustomerSession } from '../../http/customer-session.ts'
import { checkedFields, readForm, refuseForgery, validFields } from '../../http/form.ts'
import { guard } from '../../http/guard.ts'
import { queryOf } from '../../http/request-target.ts'
import { findSession } from '../../http/session.ts'
import { loginPath, redirect, renderPersonalPage, signInPath } from '../ui/responses.tsx'
import { ConsentForm, type Decision, type SignedInPerson, consentPage, wrongAccountPage } from './consent-view.tsx'

export const consentPages = (deps: Deps) =>
  new Elysia({ name: 'consent-pages' })
    .use(guard(deps))
    .get(
      CONSENT_PATH,
      async function getConsent({ ctx, request }) {
        const asked = await readAuthorizationRequest(ctx, { id: queryOf(request.url).get('request') ?? '' })
        const person = await findPerson(ctx, request, asked)
        return person ? renderConsent(request, asked, person) : redirect(signInFor(asked))
      },
      { access: publicPage, caching: 'personal' },
    )
    .post(
      CONSENT_PATH,
      async function postConsent({ ctx, request }) {
        const form = await readForm(ctx, request)
        const asked = await readAuthorizationRequest(ctx, { id: validFields(ConsentForm, form).requestId ?? '' })
        const person = await findPerson(ctx, request, asked)
        if (!person) return redirect(signInFor(asked))
        refuseForgery(form, person.token)
        return await decide(ctx, { asked, person, decision: checkedFields(ConsentForm, form).decision })
      },
      { access: publicPage, form: ConsentForm },
    )

/** The person of the browser's session on the side that the app asks for. */
async function findPerson(
  deps: Deps,
  request: Request,
  { side }: AuthorizationRequest,
): Promise<SignedInPerson | undefined> {
  if (side === 'customer') {
    const customer = await findCustomerSession(deps, request)
    if (!customer) return undefined
    const { accountId, customerEmail: email, token, csrfToken } = customer
    return { token, csrfToken, email, name: email, person: { side, accountId, email } }
  }
  const session = await findSession(deps, request)
  if (!session) return undefined
  const { token, csrfToken, email, userId, role, professionalId, businessName } = session
  const mayConnect = role === 'pro' && mayUse(session, 'GET /console/apps')
  const person: Person | undefined =
    mayConnect && professionalId !== null ? { side, professionalId, userId } : undefined
  return { token, csrfToken, email, name: businessName ?? email, person }
}

const pathOf = ({ id }: AuthorizationRequest): string => `${CONSENT_PATH}?request=${id}`

/** The page on which the person signs in, which leads back to the request. */
const signInFor = (asked: AuthorizationRequest): string =>
  asked.side === 'pro' ? loginPath(pathOf(asked)) : signInPath(pathOf(asked))

interface Decided {
  asked: AuthorizationRequest
  person: SignedInPerson
  decision: Decision
}

async function decide(ctx: Ctx, { asked, person, decision }: Decided): Promise<Response> {
  if (decision === 'switch') return await switchAccount(ctx, asked, person)
  if (decision === 'deny') return redirect(await deny(ctx, { id: asked.id }))
  if (!person.person) throw new AppError('role_not_allowed', 'The app asks for access to the account of a pro.')
  const location = await approve(ctx, { id: asked.id, person: { ...person.person, sessionToken: person.token } })
  const { client, resource, scopes } = asked
  const names = scopes.map(({ scope }) => scope)
  ctx.log.info({ app: client.host, isVerified: client.verified, resource, scopes: names }, 'a person connected an app')
  return redirect(location)
}

/** Ends the session of this side, so that the person can sign in as another person. */
async function switchAccount(ctx: Ctx, asked: AuthorizationRequest, { token }: SignedInPerson): Promise<Response> {
  if (asked.side === 'pro') await logOut(ctx, { token })
  else await endCustomerSession(ctx, { token })
  const name = asked.side === 'pro' ? 'hearth-session' : 'hearth-customer'
  return redirect(signInFor(asked), [noCookie(ctx.config, name), noCookie(ctx.config, 'hearth-flash')])
}

/**
 * Chrome checks the redirects after a form against `form-action`, too: the one to the app, and those that the app's own page
 * makes on its way to where the person continues.
 */
function renderConsent(request: Request, asked: AuthorizationRequest, person: SignedInPerson): Response {
  const content = person.person ? consentPage(asked, person) : wrongAccountPage(asked, person)
  return renderPersonalPage(request, content, {
    sources: { 'form-action': `'self' https: ${asked.returnsTo.source}` },
  })
}
