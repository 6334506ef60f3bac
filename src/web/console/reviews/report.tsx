/** @jsxImportSource preact */
// A report of a published review, for the operator who decides: what the pro says, the booking beside it, and the answer.
import { Type } from '@sinclair/typebox'
import type { VNode } from 'preact'

import type { OpenReport } from '../../../features/reviews/moderation/schemas.ts'
import { REPORT_REASON_LABELS } from '../../../features/reviews/reviews/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { FreeText, Uuid } from '../../../platform/schema/types.ts'
import { money, plural } from '../../../platform/text/format.ts'
import { Button, Disclosure } from '../../ui/buttons.tsx'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import { EMPTY_FORM, type FormState, Form } from '../../ui/form.tsx'
import { DetailList } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

export const KeepForm = defineForm({
  words: {
    schema: FreeText({ minLength: 1 }),
    label: 'Words to the pro',
    hint: 'Say why the review stays. The pro gets them by e-mail.',
    rows: 3,
  },
  /** The report that the list showed. */
  report: { schema: Type.Optional(Uuid()) },
})

export const reportFacts = ({ reason, words, createdAt, earlierAnswer, booking, otherBookings }: OpenReport): VNode => (
  <>
    <DetailList
      pairs={[
        ['Reported', <Time instant={createdAt} />],
        ['The pro says', REPORT_REASON_LABELS[reason]],
        ['In their words', <span class="text">{words}</span>],
        ['We answered before', earlierAnswer !== null && <span class="text">{earlierAnswer}</span>],
        ['Booking', booking ? bookingFacts(booking) : noBooking(otherBookings)],
      ]}
    />
  </>
)

const bookingFacts = ({ id, code, startsAt, status, paidCents, returnedCents }: Booking): VNode => (
  <>
    <a href={`/console/bookings/${id}`}>{code}</a>, <Time instant={startsAt} />: {status.replaceAll('_', ' ')},{' '}
    {paidCents === 0 ? 'nothing paid' : `${money(paidCents / 100)} paid`}
    {returnedCents > 0 && `, ${money(returnedCents / 100)} of it returned`}
  </>
)

type Booking = NonNullable<OpenReport['booking']>

const noBooking = (others: number): string =>
  others === 0
    ? 'No booking belongs to it, and the author’s address has made no booking with this pro.'
    : `No booking belongs to it. The author’s address has ${plural(others, 'booking')} with this pro.`

/** The answer that leaves the review published. */
export const keepForm = (
  session: Session,
  {
    id,
    reportId,
    action,
    formState,
  }: { id: string; reportId: string | undefined; action: string; formState: FormState },
): VNode => (
  <Disclosure label="Keep it" isOpen={formState !== EMPTY_FORM}>
    <Form of={KeepForm} action={action} session={session} formState={formState} saysProblem={false}>
      <Fields of={KeepForm} row={id} values={{ report: reportId }} />
      <Button isSmall>Keep review</Button>
    </Form>
  </Disclosure>
)
