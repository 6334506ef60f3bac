/** @jsxImportSource preact */
// /console/my-verification: a pro asks to be verified, and reads what came of it.
import { Elysia } from 'elysia'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { getBusinessEntity } from '../../features/business/storefront/verbs.ts'
import { NewVerificationRequest, type VerificationState } from '../../features/business/verification/schemas.ts'
import { askForVerification, getVerification, listEvidence } from '../../features/business/verification/verbs.ts'
import { guard } from '../../http/guard.ts'
import { type AuthenticatedRequest, type Session, actingProOf } from '../../http/session.ts'
import { longDay } from '../../platform/text/format.ts'
import type { VNode } from 'preact'
import { type FormState, EMPTY_FORM, formStatus, Form } from '../ui/form.tsx'
import { Disclosure, Button } from '../ui/buttons.tsx'
import { Fields, defineForm } from '../ui/define-form.tsx'
import { Badge } from '../ui/badge.tsx'
import { DetailList } from '../ui/table.tsx'
import { PageHeading, Section } from '../ui/headings.tsx'
import { redirectWithFlash, renderConsolePage } from '../ui/responses.tsx'
import { submitForm } from '../ui/submit.ts'
import { endsOf, marksOf } from './verification/marks.tsx'
import { withdrawnTexts } from './verification/view.tsx'

const PATH = '/console/my-verification'
const session = ['pro'] as const

const { licenseNumber, licenseState, note } = NewVerificationRequest.properties
const RequestForm = defineForm({
  licenseNumber: { schema: licenseNumber, label: 'License number' },
  licenseState: { schema: licenseState, label: 'License state', hint: 'Two letters, such as TX.' },
  note: { schema: note, label: 'Note to us', hint: 'Insurance, certificates, or whom to ask.', rows: 4 },
})

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
          RequestForm,
          by.form,
          async (input) => {
            await askForVerification(ctx.as(actingProOf(by)), input)
            return redirectWithFlash(ctx, by.session, PATH, { tone: 'good', text: 'Your request is sent.' })
          },
          (formState) => renderOwn(ctx, by, formState),
        )
      },
      { session, form: RequestForm },
    )

async function renderOwn(ctx: Ctx, by: AuthenticatedRequest, formState = EMPTY_FORM): Promise<Response> {
  const pro = actingProOf(by)
  const [state, business, evidence] = await Promise.all([
    getVerification(ctx.as(pro)),
    getBusinessEntity(ctx.as(pro)),
    listEvidence(ctx, pro),
  ])
  const content = (
    <>
      <PageHeading
        beside={
          <>
            {stateBadge(state)} <a href="/console/profile">Your profile</a>
          </>
        }
      >
        Verification
      </PageHeading>
      <DetailList pairs={[['What we have checked', <>{marksOf(state)}</>]]} />
      {endsOf(evidence).map((text) => (
        <p>{text}</p>
      ))}
      {state.request &&
        withdrawnTexts(state.request).map((text) => <p class="notice wait">{text} We check it again.</p>)}
      {stateText(state)}
      {(!state.verified || state.request) && requestForm(by.session, { state, license: business, formState })}
    </>
  )
  return renderConsolePage(ctx, by, { title: 'Verification', content, styles: ['console.css'] }, formStatus(formState))
}

function stateBadge({ verified, request }: VerificationState): VNode {
  if (verified && !request) return <Badge tone="good">Verified</Badge>
  if (!request) return <Badge>Not verified</Badge>
  return request.refusal === null ? <Badge tone="wait">Waits for us</Badge> : <Badge tone="bad">Refused</Badge>
}

function stateText({ verified, request }: VerificationState): VNode {
  if (verified && !request)
    return <p class="lead">Customers see that your business is verified, and find it when they filter for it.</p>
  if (!request)
    return (
      <p class="lead">
        Customers can filter for verified pros. Send your license number, or write which papers you have, and we check
        them.
      </p>
    )
  if (request.refusal !== null)
    return (
      <>
        <p class="notice bad">We could not verify your business: {request.refusal}</p>
        <p class="lead">Correct what was missing and ask again.</p>
      </>
    )
  return (
    <Section
      title={
        withdrawnTexts(request).length > 0 ? 'We check your business again' : `You asked on ${longDay(request.askedAt)}`
      }
    >
      <p>We check your request. You read the answer here and under Today.</p>
      <DetailList
        pairs={[
          ['License', request.licenseNumber && `${request.licenseNumber} (${request.licenseState ?? ''})`],
          ['Note', request.note && <span class="text">{request.note}</span>],
        ]}
      />
    </Section>
  )
}

interface ShownRequest {
  state: VerificationState
  /** What the profile says, for the first request. */
  license: { licenseNumber: string | null; licenseState: string | null }
  formState: FormState
}

/** Folded while a request waits: it can be changed, and keeps its place. */
function requestForm(session: Session, { state: { request }, license, formState }: ShownRequest): VNode {
  const values = request ?? license
  const isWaiting = request?.refusal === null
  const form = (
    <Form of={RequestForm} action={PATH} isNarrow session={session} formState={formState}>
      <div class="side-by-side">
        <Fields of={RequestForm} names={['licenseNumber', 'licenseState']} values={values} />
      </div>
      <Fields of={RequestForm} names={['note']} values={request ?? {}} />
      <Button>{isWaiting ? 'Save changes' : request ? 'Ask again' : 'Ask to be verified'}</Button>
    </Form>
  )
  return isWaiting ? (
    <Disclosure label="Change your request" isOpen={formState !== EMPTY_FORM}>
      {form}
    </Disclosure>
  ) : (
    form
  )
}
