/** @jsxImportSource preact */
// The page on which the customer of an accepted quote chooses when the work is done.
import { Summary } from '../../ui/summary.tsx'
import { Button, LinkButton } from '../../ui/buttons.tsx'
import type { Quote } from '../../../features/quoting/quotes/schemas.ts'
import { plural, shortMoney } from '../../../platform/text/format.ts'
import { Fields } from '../../ui/define-form.tsx'
import { type FormState, ProblemBox, Form } from '../../ui/form.tsx'
import type { Page } from '../../ui/layout.tsx'
import { BackLink } from '../../ui/headings.tsx'
import { cancellingText } from '../../../platform/text/cancelling.ts'
import { type SlotChoice, TimeForm } from '../slot-choice.ts'
import { chosenTime, refusedTimeNotice, slotPicker } from '../slot-picker.tsx'

export interface VisitPage {
  quote: Quote
  /** It is another visit: cancelling it costs nothing. */
  hasWorkBegun: boolean
  /** Of the quote's page. */
  path: string
  choice: SlotChoice
  formState: FormState
}

export const visitPage = ({ quote, hasWorkBegun, path, choice, formState }: VisitPage): Page => {
  const { professional, service, estimatedDays, amount } = quote
  const at = (query: Record<string, string>) => `${path}/time?${new URLSearchParams(query).toString()}`
  const isLong = estimatedDays !== null && estimatedDays > 1 && !hasWorkBegun
  const due = hasWorkBegun ? 0 : quote.balance.refundable
  return {
    title: 'Choose a time',
    description: 'Choose when the work is done.',
    styles: ['booking.css'],
    content: (
      <>
        <BackLink href={path}>Your quote</BackLink>
        <h1>
          {hasWorkBegun
            ? 'When should the next visit be?'
            : isLong
              ? 'When should the work begin?'
              : 'When should the work be done?'}
        </h1>
        <p class="lead">
          {service?.name} by {professional.businessName} for {shortMoney(amount)}.{' '}
          {isLong && `The pro expects ${plural(estimatedDays, 'day')} of work: choose the first one.`}
        </p>
        <ProblemBox formState={formState} />
        {formState.problem === undefined && refusedTimeNotice(choice)}
        {choice.slot ? (
          <Summary id="who" when={chosenTime(choice, choice.slot)}>
            {due > 0 && (
              <p class="hint">
                {cancellingText({
                  due,
                  until: choice.slot.freeCancellationLocal ?? null,
                })}
              </p>
            )}
            <Form of={TimeForm} action={`${path}/time`}>
              <Fields of={TimeForm} values={{ date: choice.date, time: choice.slot.start }} />
              <p class="actions">
                <Button>Book this time</Button>{' '}
                <LinkButton href={at({ date: choice.date ?? '' })} look="quiet">
                  Choose another time
                </LinkButton>
              </p>
            </Form>
          </Summary>
        ) : (
          slotPicker(choice, at, due)
        )}
      </>
    ),
  }
}
