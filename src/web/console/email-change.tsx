/** @jsxImportSource preact */
// The address with which people log in: changed at /console/account, or by an operator for a caller, and proven at /console/email/{token}.
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import { publicPage } from '../../auth/access.ts'
import { ROLES } from '../../auth/users/schemas.ts'
import { askForEmail, askForOwnEmail, confirmEmail, readEmailChange } from '../../auth/users/verbs/email-change.ts'
import { getUser } from '../../auth/users/verbs/users.ts'
import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { planAskedChange, planDoneChange } from '../../features/messages/messages/verbs/email-change.ts'
import { recordAction } from '../../features/upkeep/audit/verbs.ts'
import { readForm } from '../../http/form.ts'
import { guard } from '../../http/guard.ts'
import type { AuthenticatedRequest, Session } from '../../http/session.ts'
import { Email, FreeText, Password, Uuid } from '../../platform/schema/types.ts'
import { requestLimitsOf } from '../../rate-limit/request-limits.ts'
import type { VNode } from 'preact'
import { Button } from '../ui/buttons.tsx'
import { Fields, defineForm } from '../ui/define-form.tsx'
import { Form, type FormState, EMPTY_FORM, formStatus } from '../ui/form.tsx'
import { BackLink, PageHeading, Section } from '../ui/headings.tsx'
import { redirect, redirectWithFlash, renderConsolePage, renderPersonalPage } from '../ui/responses.tsx'
import { submitForm } from '../ui/submit.ts'

const ACCOUNT_PATH = '/console/account'
const PATH = `${ACCOUNT_PATH}/email`
const USER_PATH = '/console/users/:id/email'
const LINK_PATH = '/console/email/:token'
const session = [...ROLES] as const

const EmailForm = defineForm({
  email: { schema: Email(), id: 'new-email', label: 'New e-mail address', autocomplete: 'email' },
  current: {
    schema: Password({ maxLength: 200 }),
    id: 'password-of-email',
    label: 'Current password',
    autocomplete: 'current-password',
  },
})
const OperatorForm = defineForm({
  email: { schema: Email(), id: 'other-email', label: 'New e-mail address' },
  reason: {
    schema: FreeText({ minLength: 1 }),
    id: 'email-reason',
    label: 'Reason',
    hint: 'How you know who calls. It is kept in the audit log.',
    rows: 3,
  },
})

type Render = (ctx: Ctx, by: AuthenticatedRequest, formState: FormState) => Promise<Response>

/** The pages of people who change their own address. `render` shows the account with the refused form. */
export const ownEmailPages = (deps: Deps, render: Render) =>
  new Elysia({ name: 'own-email-pages' })
    .use(guard(deps))
    .get(PATH, () => redirect(ACCOUNT_PATH), { session })
    .post(
      PATH,
      async function postOwnEmail({ ctx, request, authenticated: by }) {
        return await submitForm(
          EmailForm,
          by.form,
          async ({ email, current }) => {
            const { userId, email: ownEmail } = by.session
            await requestLimitsOf(ctx).admitLogin(request, ownEmail, userId)
            await askForOwnEmail(ctx, { userId, ownEmail, email, current, planMessages: planAskedChange })
            return redirectWithFlash(ctx, by.session, ACCOUNT_PATH, { tone: 'good', text: sentTo(email) })
          },
          (formState) => render(ctx, by, formState),
        )
      },
      { session, form: EmailForm },
    )

const sentTo = (email: string) =>
  `We wrote to ${email}. Open the link in that message within a day: until then nothing changes.`

/** An operator asks for another address of a pro's person. */
export const operatorEmailPages = (deps: Deps) =>
  new Elysia({ name: 'operator-email-pages' })
    .use(guard(deps))
    .get(
      USER_PATH,
      async function getEmailOfUser({ ctx, authenticated, params: { id } }) {
        return await renderOfUser(ctx, authenticated, id)
      },
      { session: ['operator'], params: Type.Object({ id: Uuid() }) },
    )
    .post(
      USER_PATH,
      async function postEmailOfUser({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          OperatorForm,
          by.form,
          async (input) => {
            await askAsOperator(ctx, { ...input, id, by: by.session.userId })
            return redirectWithFlash(ctx, by.session, `/console/users/${id}`, {
              tone: 'good',
              text: sentTo(input.email),
            })
          },
          (formState) => renderOfUser(ctx, by, id, formState),
        )
      },
      { session: ['operator'], params: Type.Object({ id: Uuid() }), form: OperatorForm },
    )

async function askAsOperator(
  ctx: Ctx,
  { id, email, reason, by }: Static<typeof OperatorForm> & { id: string; by: string },
): Promise<void> {
  const user = await getUser(ctx, { id })
  if (user.role !== 'pro') throw new AppError('invalid_transition', 'Only the people of a pro are helped so.')
  await askForEmail(ctx, {
    userId: id,
    email,
    by,
    planMessages: async (tx, change) => {
      const { professionalId, from, to } = change
      const entry = { subjectId: professionalId ?? id, professionalId, by, reason, details: { from, to } }
      await recordAction(tx, { action: 'pro.owner_changed', ...entry })
      await planAskedChange(tx, change)
    },
  })
}

async function renderOfUser(
  ctx: Ctx,
  by: AuthenticatedRequest,
  id: string,
  formState: FormState = EMPTY_FORM,
): Promise<Response> {
  const { email } = await getUser(ctx, { id })
  const content = (
    <>
      <BackLink href={`/console/users/${id}`}>{email}</BackLink>
      <PageHeading>Another address to log in with</PageHeading>
      <p>
        For a caller who cannot read the mail of {email} any more. The new address gets a link; nothing changes until it
        is opened. The present address is told, and can object by choosing another password.
      </p>
      <Form of={OperatorForm} action={`/console/users/${id}/email`} session={by.session} formState={formState} isNarrow>
        <Fields of={OperatorForm} />
        <Button>Send the link</Button>
      </Form>
    </>
  )
  return renderConsolePage(ctx, by, { title: 'Another address', content }, formStatus(formState))
}

/** The section of the account page. */
export const ownEmailSection = (session: Session, formState: FormState): VNode => (
  <Section title="Change the e-mail address with which you log in">
    <Form of={EmailForm} action={PATH} isNarrow session={session} formState={formState}>
      <p class="hint">
        The new address gets a link that proves it is yours. You are then logged out everywhere, and connected apps lose
        access.{' '}
        {session.businessName !== null && session.accountEmail !== null && (
          <>
            Messages to {session.businessName} still go to {session.accountEmail}.
          </>
        )}
      </p>
      <Fields of={EmailForm} />
      <Button>Send the link</Button>
    </Form>
  </Section>
)

export const emailLinkPages = (deps: Deps) =>
  new Elysia({ name: 'email-link-pages' })
    .use(guard(deps))
    .get(
      LINK_PATH,
      async function getEmailLink({ ctx, request, params: { token } }) {
        return confirmPage(request, await readEmailChange(ctx, { token }), token)
      },
      { access: publicPage, caching: 'personal' },
    )
    .post(
      LINK_PATH,
      async function postEmailLink({ ctx, request, params: { token } }) {
        await readForm(ctx, request)
        const { to } = await confirmEmail(ctx, { token, planMessage: planDoneChange })
        const content = (
          <div class="narrow">
            <h1>Your address is changed</h1>
            <p>
              Log in with <strong>{to}</strong> and your password from now on.
            </p>
            <p>
              <a href="/console/login">Log in</a>
            </p>
          </div>
        )
        return renderPersonalPage(request, { title: 'Address changed', description: 'The console.', content })
      },
      { access: publicPage },
    )

function confirmPage(request: Request, { from, to }: { from: string; to: string }, token: string): Response {
  const content = (
    <div class="narrow">
      <h1>Log in with another address</h1>
      <p>
        From now on you log in with <strong>{to}</strong> instead of {from}. Your password stays.
      </p>
      <p class="hint">You are logged out everywhere, and apps that you connected lose access.</p>
      <Form action={`/console/email/${token}`} formState={EMPTY_FORM}>
        <Button>Change the address</Button>
      </Form>
    </div>
  )
  return renderPersonalPage(request, { title: 'Log in with another address', description: 'The console.', content })
}
