// /console/account/second-factor: people set up, renew and remove the second factor of their own log-in.
import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import { ROLES } from '../../../auth/users/schemas.ts'
import {
  beginSetup,
  findFactor,
  makeRecoveryCodes,
  removeOwnFactor,
  secretOfSetup,
  setUpFactor,
} from '../../../auth/users/verbs/second-factors.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { planFactorMessage } from '../../../features/messages/messages/verbs/user-links.ts'
import { guard } from '../../../http/guard.ts'
import type { AuthenticatedRequest } from '../../../http/session.ts'
import { requestLimitsOf } from '../../../rate-limit/request-limits.ts'
import { type FormState, EMPTY_FORM, formStatus } from '../../ui/form.tsx'
import { redirectWithFlash, renderConsolePage } from '../../ui/responses.tsx'
import { readSite } from '../../ui/site.tsx'
import { submitForm } from '../../ui/submit.ts'
import { FACTOR_PATH as PATH, FactorForm, beginView, codesView, factorView, setupView } from './view.tsx'

const session = [...ROLES] as const
const ASSETS = { scripts: ['console.js'], styles: ['operator.css'] } as const

export const secondFactorPages = (deps: Deps) =>
  new Elysia({ name: 'second-factor-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getSecondFactor({ ctx, authenticated }) {
        return await renderFactor(ctx, authenticated)
      },
      { session },
    )
    .post(
      PATH,
      async function postSecondFactor({ ctx, authenticated: by }) {
        return await submitForm(
          FactorForm,
          by.form,
          (input) => act(ctx, by, input),
          (formState) => renderAgain(ctx, by, formState),
        )
      },
      { session, form: FactorForm },
    )

async function act(
  ctx: Ctx,
  by: AuthenticatedRequest,
  { action, password = '', code = '', setup = '' }: Static<typeof FactorForm>,
): Promise<Response> {
  const { userId, email, token } = by.session
  const limits = requestLimitsOf(ctx)
  // Limits by user, as for a known device: guesses elsewhere do not lock out a person who is logged in.
  if (action !== 'prove') await limits.admitLogin(by.request, email, userId)
  if (action !== 'begin') await limits.admitFactor(by.request, { userId, isKnown: true })
  const person = { userId, email, token, password, code, planMessage: planFactorMessage }
  if (action === 'begin') return await renderSetup(ctx, by, await beginSetup(ctx, person))
  if (action === 'prove')
    return await renderCodes(ctx, by, { codes: await setUpFactor(ctx, { ...person, setup }), isNew: true })
  if (action === 'codes')
    return await renderCodes(ctx, by, { codes: await makeRecoveryCodes(ctx, person), isNew: false })
  await removeOwnFactor(ctx, person)
  return redirectWithFlash(ctx, by.session, PATH, {
    tone: 'good',
    text: 'Your second factor is removed. You log in with your password only.',
  })
}

/** The page whose form was refused. */
async function renderAgain(ctx: Ctx, by: AuthenticatedRequest, formState: FormState): Promise<Response> {
  const setup = formState.values.get('setup') ?? ''
  const secret = secretOfSetup(ctx, { token: by.session.token, setup })
  const isProving = formState.values.get('action') === 'prove' && secret !== undefined
  return isProving ? await renderSetup(ctx, by, { secret, setup }, formState) : await renderFactor(ctx, by, formState)
}

async function renderFactor(ctx: Ctx, by: AuthenticatedRequest, formState = EMPTY_FORM): Promise<Response> {
  const factor = await findFactor(ctx, by.session)
  const content = factor ? factorView(by.session, { factor, formState }) : beginView(by.session, formState)
  return renderConsolePage(ctx, by, { title: 'Second factor', content }, formStatus(formState))
}

async function renderSetup(
  ctx: Ctx,
  by: AuthenticatedRequest,
  { secret, setup }: { secret: string; setup: string },
  formState = EMPTY_FORM,
): Promise<Response> {
  const { name: issuer } = await readSite(ctx, by)
  const content = setupView(by.session, { secret, setup, issuer, formState })
  return renderConsolePage(ctx, by, { title: 'Set up your second factor', content, ...ASSETS }, formStatus(formState))
}

async function renderCodes(
  ctx: Ctx,
  by: AuthenticatedRequest,
  { codes, isNew }: { codes: readonly string[]; isNew: boolean },
): Promise<Response> {
  const { name: site } = await readSite(ctx, by)
  return renderConsolePage(ctx, by, {
    title: 'Your recovery codes',
    content: codesView({ codes, site, isNew }),
    ...ASSETS,
  })
}
