// /console/closing: a pro closes the account. Operators do it on the page of the pro (/console/verification).
import { Elysia } from 'elysia'

import { noCookie } from '../../../auth/cookies.ts'
import { isCorrectPassword } from '../../../auth/users/verbs/sessions.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { invalidField } from '../../../errors/app-error.ts'
import { copyPro } from '../../../features/business/closing/verbs/copy.ts'
import { closePro, getOpenWork } from '../../../features/business/closing/verbs/close.ts'
import { guard } from '../../../http/guard.ts'
import { type AuthenticatedRequest, actingProOf } from '../../../http/session.ts'
import { requestLimitsOf } from '../../../rate-limit/request-limits.ts'
import { downloadJson } from '../../ui/download.ts'
import { EMPTY_FORM, formStatus } from '../../ui/form.tsx'
import { renderConsolePage, renderPersonalPage } from '../../ui/responses.tsx'
import { submitForm } from '../../ui/submit.ts'
import { CLOSING_PATH as PATH, CloseForm, closedPage, ownClosingView } from './view.tsx'

const session = ['pro'] as const

export const closingPages = (deps: Deps) =>
  new Elysia({ name: 'closing-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getClosing({ ctx, authenticated: by }) {
        return await renderClosing(ctx, by)
      },
      { session },
    )
    .post(
      `${PATH}/copy`,
      async function postCopyOfPro({ ctx, request, authenticated: by }) {
        const { accountId, professionalId } = actingProOf(by)
        await requestLimitsOf(ctx).admitCopy(request, accountId)
        return await downloadJson(copyPro(ctx, { professionalId }), { name: 'my-business-data.json' })
      },
      { session },
    )
    .post(
      PATH,
      async function postClosing({ ctx, request, authenticated: by }) {
        return await submitForm(
          CloseForm,
          by.form,
          async ({ password, name }) => {
            const { email, userId, professionalId, businessName } = actingProOf(by)
            await requestLimitsOf(ctx).admitLogin(request, email, userId)
            if (!(await isCorrectPassword(ctx, { email, password })))
              throw invalidField('password', 'is not your password')
            if (!isSameName(name, businessName)) throw invalidField('name', 'is not the name of your business')
            await closePro(ctx, { professionalId, by: userId, operatorReason: null })
            const ended = noCookie(ctx.config, 'hearth-session')
            return renderPersonalPage(request, closedPage, { headers: { 'set-cookie': ended } })
          },
          (formState) => renderClosing(ctx, by, formState),
        )
      },
      { session, form: CloseForm },
    )

/** Whether the typed name is that of the business, whatever its case and spaces. */
export const isSameName = (typed: string, businessName: string | null): boolean =>
  businessName !== null && wordsOf(typed) === wordsOf(businessName)

const wordsOf = (name: string): string => name.trim().replace(/\s+/g, ' ').toLowerCase()

async function renderClosing(ctx: Ctx, by: AuthenticatedRequest, formState = EMPTY_FORM): Promise<Response> {
  const { professionalId, businessName } = actingProOf(by)
  const work = await getOpenWork(ctx, { professionalId })
  const content = ownClosingView(by.session, { businessName: businessName ?? '', work, formState })
  return renderConsolePage(ctx, by, { title: 'Close your account', content }, formStatus(formState))
}
