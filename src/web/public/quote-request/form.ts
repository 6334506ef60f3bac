// The form of a quote request, declared once for pros who come to the customer and once for others.
import { type Static, Type } from '@sinclair/typebox'

import { visitErrors } from '../../../features/booking/bookings/verbs/visit-details.ts'
import { MOST_OTHERS } from '../../../features/quoting/rfqs/verbs/rfqs.ts'
import type { ProfessionalDetail } from '../../../features/search/pros/schemas.ts'
import { FreeText, Text, Uuid } from '../../../platform/schema/types.ts'
import { type DeclaredForm, defineForm } from '../../ui/define-form.tsx'
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

/** The form by which a request for a service is read. */
export const quoteRequestForm = (pro: ProfessionalDetail, service: string): QuoteRequestForm =>
  needsAddress(pro, service) ? AT_CUSTOMER : ANYWHERE

/** The form as it is shown: the address may stay empty when any service of the pro is done elsewhere. */
export const shownQuoteRequestForm = (pro: ProfessionalDetail): QuoteRequestForm =>
  pro.services.some(({ atCustomer }) => !atCustomer) ? ANYWHERE : AT_CUSTOMER
