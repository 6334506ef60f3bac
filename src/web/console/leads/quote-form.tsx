/** @jsxImportSource preact */
// The form of a quote, empty or with what the last quote for the same service says.
import { Button } from '../../ui/buttons.tsx'
import { VALID_FOR_DAYS } from '../../../features/quoting/quotes/rules/validity.ts'
import type { Quote } from '../../../features/quoting/quotes/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { day, shortMoney } from '../../../platform/text/format.ts'
import type { VNode } from 'preact'
import { Fields } from '../../ui/define-form.tsx'
import { AnyInput, FieldGroup } from '../../ui/fields.tsx'
import { type FormState, Form } from '../../ui/form.tsx'
import { NewQuoteForm } from './forms.ts'

const LINES = 8
const OPEN_LINES = 3
const LINE_NUMBERS = Array.from({ length: LINES }, (_, n) => n)

export interface QuoteForm {
  formState: FormState
  idempotencyKey: string
  /** What the marketplace lets pros ask for in advance; empty where any percentage is. */
  depositLimits: string
  /** The pro's last quote for the same service, if the form can start from it. */
  last: Quote | undefined
}

/** Whether all lines of a quote have a place in the form. */
export const fitsForm = ({ lineItems }: Quote): boolean => lineItems.length <= LINES

/** The form filled in as the quote. Its message stays empty: it was for another customer. */
export function formLike({ amount, lineItems, estimatedDays, depositPercentage, paymentTerms }: Quote): FormState {
  const values = new URLSearchParams(lineItems.length === 0 ? { amount: String(amount) } : {})
  for (const { description, quantity, unitPrice } of lineItems) {
    values.append('itemDescription', description)
    values.append('itemQuantity', String(quantity))
    values.append('itemUnitPrice', String(unitPrice))
  }
  for (const [name, value] of Object.entries({ estimatedDays, depositPercentage, paymentTerms }))
    if (value !== null) values.append(name, String(value))
  return { values, errors: {}, status: 200 }
}

/** The form on the page of a lead at `path`. */
export const quoteForm = (
  session: Session,
  path: string,
  { formState, idempotencyKey, depositLimits, last }: QuoteForm,
): VNode => (
  <Form
    of={NewQuoteForm}
    action={`${path}/quote`}
    session={session}
    idempotencyKey={idempotencyKey}
    formState={formState}
    saysProblem={false}
  >
    {last && (
      <p>
        <a href={`${path}?like=last`}>Start from your last quote for this service</a>{' '}
        <span class="hint">
          {shortMoney(last.amount)}, {day(last.createdAt)}
        </span>
      </p>
    )}
    <Fields of={NewQuoteForm} names={['amount']} />
    {lineFields(formState)}
    <div class="side-by-side">
      <Fields
        of={NewQuoteForm}
        names={['estimatedDays', 'depositPercentage', 'validForDays']}
        values={{ validForDays: VALID_FOR_DAYS }}
        more={depositLimits === '' ? {} : { depositPercentage: { hint: depositLimits } }}
      />
    </div>
    <Fields of={NewQuoteForm} names={['message', 'paymentTerms']} />
    <p class="hint">
      The customer gets an e-mail with a link to accept or decline. When they accept and pay the deposit, the work
      becomes a job of yours.
    </p>
    <Button>Send quote</Button>
  </Form>
)

/** Some lines, of which most are folded. Quotes with more lines go through the API. */
function lineFields({ values }: FormState): VNode {
  const cell = (name: string, label: string, line: number, inputMode?: 'decimal') => (
    <AnyInput
      name={name}
      inputmode={inputMode}
      aria-label={`${label} of line item ${line + 1}`}
      placeholder={label}
      maxlength={500}
      value={values.getAll(name)[line] ?? ''}
      autocomplete="off"
    />
  )
  const row = (line: number) => (
    <div class="line-item">
      {cell('itemDescription', 'Description', line)} {cell('itemQuantity', 'Quantity', line, 'decimal')}{' '}
      {cell('itemUnitPrice', 'Price each', line, 'decimal')}
    </div>
  )
  return (
    <FieldGroup name="itemDescription" label="Line items" isOptional>
      {LINE_NUMBERS.slice(0, OPEN_LINES).map(row)}
      <details class="more-lines" open={values.getAll('itemDescription').slice(OPEN_LINES).some(Boolean)}>
        <summary>More lines</summary>
        {LINE_NUMBERS.slice(OPEN_LINES).map(row)}
      </details>
      <p class="lines-total">
        <output data-total="">Total of the lines: {shortMoney(totalOf(values))}</output>{' '}
        <Button look="quiet" isSmall name="preview" value="on" formnovalidate>
          Calculate
        </Button>
      </p>
    </FieldGroup>
  )
}

/** The sum of the lines that have a quantity and a price, in dollars. */
function totalOf(values: URLSearchParams): number {
  const prices = values.getAll('itemUnitPrice')
  const cents = values
    .getAll('itemQuantity')
    .map((quantity, line) => Math.round(Number(quantity) * Number(prices[line] ?? 0) * 100))
  return cents.filter(Number.isFinite).reduce((sum, line) => sum + line, 0) / 100
}
