// The form of a quote request, declared once for pros who come to the customer and once for others.
import { type Static, Type } from '@sinclair/typebox'

import { visitErrors } from '../../../features/booking/bookings/verbs/visit-details.ts'
import type { Question } from '../../../features/catalog/services/schemas.ts'
import type { Answer } from '../../../features/quoting/rfqs/schemas.ts'
import { MOST_OTHERS } from '../../../features/quoting/rfqs/verbs/rfqs.ts'
import type { ProfessionalDetail } from '../../../features/search/pros/schemas.ts'
import { FreeText, OneOf, Text, Uuid } from '../../../platform/schema/types.ts'
import { type DeclaredForm, type FieldDeclaration, defineForm } from '../../ui/define-form.tsx'
import { PhotoIds } from '../photo-uploads.ts'
import { needsAddress, visitFields } from '../visit-fields.tsx'

/** The form's value for a service that the pro does not list. */
export const ANYTHING_ELSE = 'other'

/** The choices for the time frame; the first one is no answer. */
const TIMES = ['', 'As soon as possible', 'Within two weeks', 'Within a month', 'I am only planning'] as const

const fieldsOf = (isOptional: boolean) =>
  ({
    /** A service of the pro, or something else. */
    service: { schema: Type.Union([Uuid(), Type.Literal(ANYTHING_ELSE)]), label: 'Service' },
    /** The service whose questions were shown. */
    asked: { schema: Type.Optional(Text(50)) },
    description: {
      schema: FreeText({ minLength: 1 }),
      label: 'What do you need?',
      hint: 'Details such as size, age and access help the pro give you a good price.',
      rows: 5,
    },
    timeline: {
      schema: Type.Optional(Text(200)),
      label: 'When',
      choices: TIMES.map((value) => ({ value, label: value === '' ? 'Not sure yet' : value })),
    },
    budget: { schema: Type.Optional(Text(200)), label: 'Budget', placeholder: 'Up to $500' },
    ...visitFields(isOptional),
    /** Ids of further pros who get the same request. The page gives the choices. */
    others: { schema: Type.Optional(Type.Array(Uuid(), { maxItems: MOST_OTHERS })), label: 'Ask others, too' },
    /** Part of the page, so that a form that is sent twice creates one request. */
    idempotencyKey: { schema: Uuid() },
    /** Last, so that all above is read before a photo is stored. */
    photos: { schema: PhotoIds() },
  }) as const

type QuoteRequestForm = DeclaredForm<ReturnType<typeof fieldsOf>>
export type QuoteRequestInput = Static<QuoteRequestForm>

const ANYWHERE = defineForm(fieldsOf(true))
/** Where the pro comes to the customer. */
export const AT_CUSTOMER = defineForm(fieldsOf(false), visitErrors)

/** The form by which a request for a service with these questions is read. */
export function quoteRequestForm(
  pro: ProfessionalDetail,
  service: string,
  questions: readonly Question[],
): QuoteRequestForm {
  const form = needsAddress(pro, service) ? AT_CUSTOMER : ANYWHERE
  const fields: QuoteRequestForm['fields'] = { ...form.fields, ...questionFields(questions) }
  return defineForm(fields, (values, region) => ({ ...form.check?.(values, region), ...unasked(values, questions) }))
}

/** Without scripts the page does not follow the choice of another service: its questions are asked when the form is sent. */
const unasked = (values: Partial<QuoteRequestInput>, questions: readonly Question[]) => {
  const isAnswered = questions.every((question) => Object.hasOwn(values, nameOfQuestion(question)))
  return {
    asked:
      values.service === values.asked || isAnswered
        ? undefined
        : 'There are questions about this service: answer what you can, then send the form again',
  }
}

const MAX_ANSWER = 1000

/** The name of its field: the same where several services ask the same, so that an answer stays when another one is chosen. */
export const nameOfQuestion = (question: Question): string =>
  `answer-${Bun.hash(JSON.stringify([question.question, question.required, question.choices])).toString(36)}`

/** A form of questions. */
export const questionFields = (questions: readonly Question[]): Record<string, FieldDeclaration> =>
  Object.fromEntries(questions.map((question) => [nameOfQuestion(question), fieldOf(question)]))

function fieldOf({ question, required, choices }: Question): FieldDeclaration {
  const schema = choices.length > 0 ? OneOf(choices) : Text(MAX_ANSWER, { minLength: 1 })
  return {
    schema: required ? schema : Type.Optional(schema),
    label: question,
    ...(choices.length > 0 && {
      choices: [{ value: '', label: 'Choose' }, ...choices.map((value) => ({ value, label: value }))],
    }),
  }
}

/** The answers among the values of a form. */
export function answersIn(values: object, questions: readonly Question[]): Answer[] {
  const byName = new Map<string, unknown>(Object.entries(values))
  return questions.flatMap((it) => {
    const answer = byName.get(nameOfQuestion(it))
    return typeof answer === 'string' ? [{ question: it.question, answer }] : []
  })
}

/** The form as it is shown: the address may stay empty when any service of the pro is done elsewhere. */
export const shownQuoteRequestForm = (pro: ProfessionalDetail): QuoteRequestForm =>
  pro.services.some(({ atCustomer }) => !atCustomer) ? ANYWHERE : AT_CUSTOMER
