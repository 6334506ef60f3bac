/** @jsxImportSource preact */
// How a pro reports a published review, and reads what came of it.
import type { VNode } from 'preact'

import { NewReviewReport, REPORT_REASON_LABELS, type ReviewReport } from '../../features/reviews/reviews/schemas.ts'
import type { Session } from '../../http/session.ts'
import { longDay } from '../../platform/text/format.ts'
import { Button, Disclosure } from '../ui/buttons.tsx'
import { Fields, defineForm } from '../ui/define-form.tsx'
import { EMPTY_FORM, type FormState, Form } from '../ui/form.tsx'

const { reason, words } = NewReviewReport.properties
export const ReportForm = defineForm({
  reason: {
    schema: reason,
    label: 'What is wrong with it',
    choices: Object.entries(REPORT_REASON_LABELS).map(([value, label]) => ({ value, label })),
  },
  words: {
    schema: words,
    label: 'What we should know',
    hint: 'Only we read it. The review stays while we look.',
    rows: 3,
  },
})

/** What became of the last report of a review. */
export const reportResult = ({ createdAt, decidedAt, outcome, answer }: ReviewReport): VNode =>
  decidedAt === null ? (
    <p class="hint">Reported on {longDay(createdAt)}: we look at it.</p>
  ) : (
    <>
      <p class="hint">
        Reported on {longDay(createdAt)}. On {longDay(decidedAt)} we{' '}
        {outcome === 'kept' ? 'looked at it, and the review stays:' : 'took the review down:'}
      </p>
      <p class="text">{answer}</p>
    </>
  )

/** The folded form. */
export const reportForm = (
  session: Session,
  { id, isAgain, action, formState }: { id: string; isAgain: boolean; action: string; formState: FormState },
): VNode => (
  <Disclosure label={isAgain ? 'Report once more' : 'Report'} isOpen={formState !== EMPTY_FORM}>
    <Form of={ReportForm} action={action} session={session} formState={formState} saysProblem={false}>
      <Fields of={ReportForm} row={id} />
      <Button isSmall>Send report</Button>
    </Form>
  </Disclosure>
)
