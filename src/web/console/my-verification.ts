// /console/my-verification: a pro asks to be verified, and reads what came of it.
import { Elysia } from 'elysia'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { getBusinessEntity } from '../../features/business/storefront/verbs.ts'
import { NewVerificationRequest, type VerificationState } from '../../features/business/verification/schemas.ts'
import { askForVerification, getVerification } from '../../features/business/verification/verbs.ts'
import { guard } from '../../http/guard.ts'
import { type AuthenticatedRequest, type Session, actingProOf } from '../../http/session.ts'
import { longDay } from '../../platform/text/format.ts'
import { type Html, html } from '../../platform/text/html.ts'
import {
  type FormState,
  EMPTY_FORM,
  csrfField,
  disclosure,
  formStatus,
  problemBox,
  textArea,
  textField,
} from '../ui/forms.ts'
import { badge, detailList, pageHeading, section } from '../ui/parts.ts'
import { redirectWithFlash, renderConsolePage } from '../ui/responses.ts'
import { submitForm } from '../ui/submit.ts'
import { marksOf } from './verification/view.ts'

const PATH = '/console/my-verification'
const session = ['pro'] as const

export const proVerificationPages = (deps: Deps) =>
  new Elysia({ name: 'pro-verification-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getOwnVerification({ ctx, authenticated }) {
        return await renderOwn(ctx, authenticated)
      },
      { session },
    )
    .post(
      PATH,
      async function postVerificationRequest({ ctx, authenticated: by }) {
        return await submitForm(
          NewVerificationRequest,
          by.form,
          async (input) => {
            await askForVerification(ctx.as(actingProOf(by)), input)
            return redirectWithFlash(ctx, by.session, PATH, { tone: 'good', text: 'Your request is sent.' })
          },
          (formState) => renderOwn(ctx, by, formState),
        )
      },
      { session, form: NewVerificationRequest },
    )

async function renderOwn(ctx: Ctx, by: AuthenticatedRequest, formState = EMPTY_FORM): Promise<Response> {
  const pro = actingProOf(by)
  const [state, business] = await Promise.all([getVerification(ctx.as(pro)), getBusinessEntity(ctx.as(pro))])
  const content = html`
    ${pageHeading('Verification', html`${stateBadge(state)} <a href="/console/profile">Your profile</a>`)}
    ${problemBox(formState)} ${detailList([['Checked', html`${marksOf(state)}`]])} ${stateText(state)}
    ${!state.verified && requestForm(by.session, { state, license: business, formState })}
  `
  return renderConsolePage(ctx, by, { title: 'Verification', content, styles: ['console.css'] }, formStatus(formState))
}

function stateBadge({ verified, request }: VerificationState): Html {
  if (verified) return badge('Verified', 'good')
  if (!request) return badge('Not verified')
  return request.refusal === null ? badge('Waits for Hearth', 'wait') : badge('Refused', 'bad')
}

function stateText({ verified, request }: VerificationState): Html {
  if (verified)
    return html`<p class="lead">Customers see that your business is verified, and find it when they filter for it.</p>`
  if (!request)
    return html`<p class="lead">
      Customers can filter for verified pros. Send your license number, or write which papers you have, and Hearth
      checks them.
    </p>`
  if (request.refusal !== null)
    return html`<p class="notice bad">Hearth could not verify your business: ${request.refusal}</p>
      <p class="lead">Correct what was missing and ask again.</p>`
  return section(
    `You asked on ${longDay(request.askedAt)}`,
    html`<p>Hearth checks your request. You read the answer here and under Today.</p>
      ${detailList([
        ['License', request.licenseNumber && `${request.licenseNumber} (${request.licenseState ?? ''})`],
        ['Note', request.note && html`<span class="text">${request.note}</span>`],
      ])}`,
  )
}

interface RequestForm {
  state: VerificationState
  /** What the profile says, for the first request. */
  license: { licenseNumber: string | null; licenseState: string | null }
  formState: FormState
}

/** Folded while a request waits: it can be changed, and keeps its place. */
function requestForm(session: Session, { state: { request }, license, formState }: RequestForm): Html {
  const { licenseNumber, licenseState } = request ?? license
  const isWaiting = request?.refusal === null
  const form = html`<form method="post" action="${PATH}" class="narrow-form">
    ${csrfField(session)}
    <div class="side-by-side">
      ${textField({ name: 'licenseNumber', label: 'License number', isOptional: true, maxLength: 100, value: licenseNumber ?? '', formState })}
      ${textField({ name: 'licenseState', label: 'License state', isOptional: true, hint: 'Two letters, such as TX.', maxLength: 2, value: licenseState ?? '', formState })}
    </div>
    ${textArea({ name: 'note', label: 'Note to Hearth', isOptional: true, hint: 'Insurance, certificates, or whom to ask.', rows: 4, maxLength: 5000, value: request?.note ?? '', formState })}
    <button>${isWaiting ? 'Save changes' : request ? 'Ask again' : 'Ask to be verified'}</button>
  </form>`
  return isWaiting ? disclosure('Change your request', form, { isOpen: formState !== EMPTY_FORM }) : form
}
