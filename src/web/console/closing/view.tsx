/** @jsxImportSource preact */
// What closing an account ends, told before it happens: to the pro, and to an operator on the page of the pro.
import type { VNode } from 'preact'

import { PASSWORD_LENGTH } from '../../../auth/users/schemas.ts'
import { LATER, consequencesOf } from '../../../features/business/closing/rules/consequences.ts'
import { type Closing, DAYS_UNTIL_ERASURE, type OpenWork } from '../../../features/business/closing/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { FreeText, Name, Password } from '../../../platform/schema/types.ts'
import { day } from '../../../platform/text/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, Disclosure } from '../../ui/buttons.tsx'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import { EMPTY_FORM, Form, type FormState } from '../../ui/form.tsx'
import { BackLink, PageHeading, Section } from '../../ui/headings.tsx'
import type { Page } from '../../ui/layout.tsx'

export const CLOSING_PATH = '/console/closing'

const name = { schema: Name(), label: 'Type the name of your business to confirm' }

export const CloseForm = defineForm({
  password: {
    schema: Password({ maxLength: PASSWORD_LENGTH.max }),
    label: 'Your password',
    autocomplete: 'current-password',
  },
  name,
})

const reason = { schema: FreeText({ minLength: 1 }), rows: 3, label: 'Reason', hint: 'The pro reads it.' }
/** An operator says why. */
export const OperatorCloseForm = defineForm({
  name: { ...name, id: 'close-name', label: 'Type the name of the business to confirm' },
  reason: { ...reason, id: 'close-reason' },
})
export const ReopenForm = defineForm({ reason: { ...reason, id: 'reopen-reason' } })

/** The end of the settings. */
export const closingHint: VNode = (
  <p class="hint">
    You stop for good? <a href={CLOSING_PATH}>Close your account</a>
  </p>
)

/** What ends, by the data, and what follows. */
const consequences = (work: OpenWork): VNode => (
  <>
    <ul>
      {consequencesOf(work).map((line) => (
        <li>{line}</li>
      ))}
    </ul>
    <p>{LATER}</p>
  </>
)

interface OwnPage {
  businessName: string
  work: OpenWork
  formState: FormState
}

/** The page of the pro. */
export const ownClosingView = (session: Session, { businessName, work, formState }: OwnPage): VNode => (
  <>
    <BackLink href="/console/settings">Settings</BackLink>
    <PageHeading>Close your account</PageHeading>
    <p>
      This ends {businessName} here. To rest for a while, <a href="/console/settings#pause">pause</a> instead: visits
      that are booked then stay.
    </p>
    <Section title="What happens">{consequences(work)}</Section>
    <Section title="Keep a copy">
      <p>Everything that is stored for your business, in one file. After closing you cannot log in to get it.</p>
      <Form action={`${CLOSING_PATH}/copy`} session={session}>
        <Button look="quiet">Download a copy</Button>
      </Form>
    </Section>
    <Section title="Close">
      <Form of={CloseForm} action={CLOSING_PATH} session={session} formState={formState} isNarrow>
        <Fields of={CloseForm} more={{ name: { hint: `Its name is “${businessName}”.` } }} />
        <Button look="danger">Close the account</Button>
      </Form>
    </Section>
  </>
)

/** What the pro sees last. */
export const closedPage: Page = {
  title: 'Your account is closed',
  content: (
    <>
      <h1>Your account is closed</h1>
      <p>
        Customers do not find you any more, and those whose bookings or requests were open are told. We have sent you a
        message with what happens next; answer it within {DAYS_UNTIL_ERASURE} days to open the account again.
      </p>
    </>
  ),
}

interface OperatorSection {
  /** The page of the pro. */
  path: string
  businessName: string
  work: OpenWork
  formState: FormState
}

/** The section of an operator's page of the pro. */
export const closeSection = (session: Session, { path, businessName, work, formState }: OperatorSection): VNode => (
  <Section title="Close the account">
    <p>For a pro who leaves for good. The pro is told why, and these are the consequences:</p>
    {consequences(work)}
    <Disclosure label="Close the account" isOpen={formState !== EMPTY_FORM}>
      <Form
        of={OperatorCloseForm}
        action={`${path}/close`}
        session={session}
        formState={formState}
        isNarrow
        saysProblem={false}
      >
        <Fields of={OperatorCloseForm} more={{ name: { hint: `Its name is “${businessName}”.` } }} />
        <Button look="danger" isSmall>
          Close the account
        </Button>
      </Form>
    </Disclosure>
  </Section>
)

interface ClosedSection {
  path: string
  closing: Closing
  formState: FormState
}

/** The same of a closed account. */
export const closedSection = (
  session: Session,
  { path, closing: { closedAt, eraseAt, erasedAt }, formState }: ClosedSection,
): VNode => (
  <Section title="Status">
    <p>
      {closedBadge} since {day(closedAt)}.{' '}
      {erasedAt === null
        ? `What bookkeeping and customers do not need is erased on ${day(eraseAt)}, or once no refund or dispute is open.`
        : `What bookkeeping and customers do not need was erased on ${day(erasedAt)}.`}
    </p>
    {erasedAt === null && (
      <Disclosure label="Open the account again" isOpen={formState !== EMPTY_FORM}>
        <Form
          of={ReopenForm}
          action={`${path}/reopen`}
          session={session}
          formState={formState}
          isNarrow
          saysProblem={false}
        >
          <p class="hint">
            The pro is paused then and logs in as before. Keys, webhooks and calendars have to be made anew, and what
            was cancelled stays so.
          </p>
          <Fields of={ReopenForm} />
          <Button isSmall>Open the account again</Button>
        </Form>
      </Disclosure>
    )}
  </Section>
)

export const closedBadge = <Badge tone="bad">Closed</Badge>
