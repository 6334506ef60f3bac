/** @jsxImportSource preact */
// The form of a quote request.
import { Button } from '../../ui/buttons.tsx'
import type { Question } from '../../../features/catalog/services/schemas.ts'
import type { Professional, ProfessionalDetail } from '../../../features/search/pros/schemas.ts'
import { type FormState, Form } from '../../ui/form.tsx'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import type { Choice } from '../../ui/fields.tsx'
import { plural } from '../../../platform/text/format.ts'
import { PhotosField } from '../photos-field.tsx'
import { AddressFields, ContactFields } from '../visit-fields.tsx'
import type { VNode } from 'preact'
import type { Page } from '../../ui/layout.tsx'
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx'
import { serviceOf, trailOfPro } from '../trails.ts'
import { ANYTHING_ELSE, nameOfQuestion, questionFields, shownQuoteRequestForm } from './form.ts'

export interface QuoteRequestState {
  pro: ProfessionalDetail
  /** The preselected service. */
  service: string
  /** What each service of the pro asks, by id. */
  questions: ReadonlyMap<string, readonly Question[]>
  formState: FormState
  idempotencyKey: string
  /** Further pros to choose from. */
  others: readonly Professional[]
}

export const quoteRequestPage = ({ pro, ...form }: QuoteRequestState): Page => ({
  title: `Ask ${pro.businessName} for a quote`,
  description: `Tell ${pro.businessName} what you need and get a price.`,
  scripts: ['upload.js', 'address.js', 'questions.js'],
  content: (
    <>
      <Breadcrumbs
        trail={trailOfPro(
          { pro, service: serviceOf(pro.services, form.service), location: pro.location },
          'Ask for a quote',
        )}
      />
      <h1>Ask for a quote</h1>
      <p class="lead">
        Tell {pro.businessName} what you need. They reply with a price, which you accept or decline. Asking is free.
      </p>
      <RequestForm pro={pro} {...form} />
      <p class="hint">Only the pros whom you ask can read your request.</p>
    </>
  ),
})

function RequestForm({ pro, service, questions, formState, idempotencyKey, others }: QuoteRequestState): VNode {
  const form = shownQuoteRequestForm(pro)
  const isOptional = form.fields.street.isOptional
  const path = `/pros/${pro.slug}/quote`
  const services = [
    ...pro.services.map(({ id, name }) => ({ value: id, label: name })),
    { value: ANYTHING_ELSE, label: 'Something else' },
  ]
  return (
    <Form of={form} action={path} idempotencyKey={idempotencyKey} formState={formState} hasFiles>
      <Fields
        of={form}
        names={['service', 'asked', 'description']}
        values={{ service, asked: service }}
        choices={{ service: services }}
      />
      {asked(questions, service).map(({ question, services }) => (
        <div data-services={services.join(' ')} hidden={!services.includes(service)}>
          <Fields of={defineForm(questionFields([question]))} />
        </div>
      ))}
      <div class="side-by-side">
        <Fields of={form} names={['timeline', 'budget']} />
      </div>
      <h2>Where</h2>
      <AddressFields isOptional={isOptional} />
      <ContactFields isOptional={isOptional} />
      <PhotosField
        purpose="request"
        path={`${path}/photos`}
        hint="Of what is to be done. Only the pros whom you ask see them."
      />
      {others.length > 0 && (
        <>
          <p>
            Quotes differ. Send the same request to others near {pro.businessName}, and compare what they answer on one
            page. When you accept a quote, the others are told.
          </p>
          <Fields of={form} names={['others']} choices={{ others: others.map(choiceOf) }} />
        </>
      )}
      <Button>Ask for a quote</Button>
    </Form>
  )
}

/** A form has at most 500 fields. What further services ask is asked when the form is sent. */
const MAX_ASKED = 100

/** Each question once, with the services that ask it: the chosen one shows its own. */
function asked(questions: ReadonlyMap<string, readonly Question[]>, chosen: string) {
  const byName = new Map<string, { question: Question; services: string[] }>()
  for (const id of new Set([chosen, ...questions.keys()])) {
    const list = questions.get(id) ?? []
    if (byName.size + list.length > MAX_ASKED) break
    for (const question of list) {
      const name = nameOfQuestion(question)
      byName.set(name, { question, services: [...(byName.get(name)?.services ?? []), id] })
    }
  }
  return [...byName.values()]
}

const choiceOf = ({ id, businessName, rating, reviewCount }: Professional): Choice => ({
  value: id,
  label:
    rating === null ? businessName : `${businessName}, ${rating.toFixed(1)} stars (${plural(reviewCount, 'review')})`,
})
