// The form of a quote request.
import type { ProfessionalDetail } from '../../../features/search/pros/schemas.ts'
import { type FormState, idempotencyField, problemBox, selectField, textArea, textField } from '../../ui/forms.ts'
import { addressFields, phoneField } from '../visit-fields.ts'
import { html } from '../../../platform/text/html.ts'
import type { Page } from '../../ui/layout.ts'
import { backLink } from '../../ui/parts.ts'

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

export const quoteRequestPage = ({ pro, service, formState, idempotencyKey }: QuoteRequestState): Page => ({
  title: `Ask ${pro.businessName} for a quote`,
  description: `Tell ${pro.businessName} what you need and get a price.`,
  content: html`
    ${backLink(pro.businessName, `/pros/${pro.slug}`)}
    <h1>Ask for a quote</h1>
    <p class="lead">
      Tell ${pro.businessName} what you need. They reply with a price, which you accept or decline. Asking is free.
    </p>
    ${problemBox(formState)}
    <form method="post" action="/pros/${pro.slug}/quote">
      ${idempotencyField(idempotencyKey)}
      ${selectField({
        name: 'service',
        label: 'Service',
        value: service,
        formState,
        choices: [
          ...pro.services.map(({ id, name }) => ({ value: id, label: name })),
          { value: ANYTHING_ELSE, label: 'Something else' },
        ],
      })}
      ${textArea({
        name: 'description',
        label: 'What do you need?',
        hint: 'Details such as size, age and access help the pro give you a good price.',
        rows: 5,
        maxLength: 5000,
        formState,
      })}
      <div class="side-by-side">
        ${selectField({
          name: 'timeline',
          label: 'When',
          isOptional: true,
          formState,
          choices: TIMES.map((value) => ({ value, label: value === '' ? 'Not sure yet' : value })),
        })}
        ${textField({ name: 'budget', label: 'Budget', isOptional: true, placeholder: 'Up to $500', maxLength: 200, formState })}
      </div>
      <h2>Where</h2>
      ${addressFields({ isOptional: pro.services.some(({ atCustomer }) => !atCustomer), formState })}
      <h2>Your details</h2>
      <div class="side-by-side">
        ${textField({ name: 'name', label: 'Your name', autocomplete: 'name', maxLength: 200, formState })}
        ${textField({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'email', maxLength: 320, formState })}
        ${phoneField({ isOptional: pro.services.some(({ atCustomer }) => !atCustomer), formState })}
      </div>
      <button>Ask for a quote</button>
    </form>
    <p class="hint">Only ${pro.businessName} can read your request.</p>
  `,
})
