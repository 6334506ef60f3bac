/** @jsxImportSource preact */
// The form of a quote request.
import { Button } from '../../ui/buttons.tsx'
import type { ProfessionalDetail } from '../../../features/search/pros/schemas.ts'
import { type FormState, Form } from '../../ui/form.tsx'
import { SelectField, TextArea, TextField } from '../../ui/fields.tsx'
import { AddressFields, ContactFields } from '../visit-fields.tsx'
import type { VNode } from 'preact'
import type { Page } from '../../ui/layout.tsx'
import { BackLink } from '../../ui/headings.tsx'

/** The form's value for a service that the pro does not list. */
export const ANYTHING_ELSE = 'other'

/** The choices for the time frame; the first one is no answer. */
const TIMES = ['', 'As soon as possible', 'Within two weeks', 'Within a month', 'I am only planning'] as const

export interface QuoteRequestState {
  pro: ProfessionalDetail
  /** The preselected service. */
  service: string
  formState: FormState
  idempotencyKey: string
}

export const quoteRequestPage = ({ pro, ...form }: QuoteRequestState): Page => ({
  title: `Ask ${pro.businessName} for a quote`,
  description: `Tell ${pro.businessName} what you need and get a price.`,
  content: (
    <>
      <BackLink href={`/pros/${pro.slug}`}>{pro.businessName}</BackLink>
      <h1>Ask for a quote</h1>
      <p class="lead">
        Tell {pro.businessName} what you need. They reply with a price, which you accept or decline. Asking is free.
      </p>
      <RequestForm pro={pro} {...form} />
      <p class="hint">Only {pro.businessName} can read your request.</p>
    </>
  ),
})

function RequestForm({ pro, service, formState, idempotencyKey }: QuoteRequestState): VNode {
  const isOptional = pro.services.some(({ atCustomer }) => !atCustomer)
  return (
    <Form action={`/pros/${pro.slug}/quote`} idempotencyKey={idempotencyKey} formState={formState}>
      <SelectField
        name="service"
        label="Service"
        value={service}
        choices={[
          ...pro.services.map(({ id, name }) => ({ value: id, label: name })),
          { value: ANYTHING_ELSE, label: 'Something else' },
        ]}
      />
      <TextArea
        name="description"
        label="What do you need?"
        hint="Details such as size, age and access help the pro give you a good price."
        rows={5}
        maxLength={5000}
      />
      <div class="side-by-side">
        <SelectField
          name="timeline"
          label="When"
          isOptional
          choices={TIMES.map((value) => ({ value, label: value === '' ? 'Not sure yet' : value }))}
        />
        <TextField name="budget" label="Budget" isOptional placeholder="Up to $500" maxLength={200} />
      </div>
      <h2>Where</h2>
      <AddressFields isOptional={isOptional} />
      <ContactFields isOptional={isOptional} />
      <Button>Ask for a quote</Button>
    </Form>
  )
}
