// The schemas of requests for quotes, and of leads: the same requests as the pro sees them (spec §2, §4.3, §4.6).
import { type Static, Type } from '@sinclair/typebox'

import { Natural } from '../../../platform/schema/numbers.ts'
import {
  CalendarDate,
  Email,
  FreeText,
  HttpUrl,
  Instant,
  Line,
  Name,
  Nullable,
  OneOf,
  Text,
  Uri,
  Uuid,
} from '../../../platform/schema/types.ts'
import { Price } from '../../../platform/schema/price.ts'
import { Source } from '../../booking/bookings/schemas.ts'
import { PageMeta, pageParameters } from '../../../platform/schema/paging.ts'
import { Quote } from '../quotes/schemas.ts'
import { QUOTE_STATES } from '../quotes/states.ts'
import { RFQ_STATES } from './states.ts'

const MAX_PHOTOS = 10

const ShortText = (maxLength: number) => Type.Optional(Nullable(Text(maxLength)))

const GivenAddress = Type.Object(
  { street: ShortText(200), city: ShortText(200), state: ShortText(200), zipCode: ShortText(20) },
  { additionalProperties: false },
)

const GivenAnswer = Type.Object(
  { question: Line(200, { minLength: 1 }), answer: Text(1000) },
  { additionalProperties: false },
)

export const NewRfq = Type.Object(
  {
    professionalId: Uuid(),
    serviceId: Type.Optional(
      Nullable(Uuid({ description: 'A service of the pro. Leave it out for work that the pro does not list' })),
    ),
    customer: Type.Object({ name: Name(), email: Email(), phone: ShortText(50) }, { additionalProperties: false }),
    description: FreeText({ minLength: 1, description: 'The work to be done' }),
    photos: Type.Optional(Nullable(Type.Array(HttpUrl(), { maxItems: MAX_PHOTOS }))),
    budget: ShortText(200),
    timeline: ShortText(200),
    preferredDate: Type.Optional(Nullable(CalendarDate({ description: 'Not in the past, in the pro’s time zone' }))),
    address: Type.Optional(Nullable(GivenAddress)),
    answers: Type.Optional(
      Nullable(Type.Array(GivenAnswer, { maxItems: 20, description: 'To `questions` of the service' })),
    ),
    source: Type.Optional(Source),
    sourceAgentId: ShortText(200),
  },
  { $id: 'NewRfq', additionalProperties: false },
)
export type NewRfq = Static<typeof NewRfq>

/** A question as it was asked, with the answer of the customer. */
const Answer = Type.Object({ question: Type.String(), answer: Type.String() }, { $id: 'Answer' })
export type Answer = Static<typeof Answer>
const answers = Type.Array(Answer)

export const NamedService = Nullable(Type.Object({ id: Type.String(), name: Type.String() }))

const status = OneOf(RFQ_STATES)
const professional = { id: Type.String(), slug: Type.String(), businessName: Type.String() }

const listed = {
  id: Type.String(),
  status,
  description: Type.String(),
  budget: Nullable(Type.String()),
  service: NamedService,
  professional: Type.Object(professional),
  quotesReceived: Natural(),
  latestQuote: Nullable(
    Type.Object({
      amount: Type.Number({ description: 'US dollars' }),
      status: OneOf(QUOTE_STATES),
      price: Price,
    }),
  ),
  createdAt: Instant(),
}

export const Rfq = Type.Object(
  {
    ...listed,
    customerUrl: Type.Optional(
      Nullable(Uri(), {
        description:
          'For the customer only: the page to accept or decline the latest quote. Only for the account that made the request, unless it is the pro’s',
      }),
    ),
  },
  { $id: 'Rfq', description: 'A request in a list' },
)
export type Rfq = Static<typeof Rfq>

export const RfqReceipt = Type.Object(
  {
    id: Type.String(),
    status,
    description: Type.String(),
    budget: Nullable(Type.String()),
    timeline: Nullable(Type.String()),
    preferredDate: Nullable(CalendarDate()),
    answers,
    service: NamedService,
    professional: Type.Object({ ...professional, instantBookingEnabled: Type.Boolean() }),
    customer: Type.Object({ name: Type.String(), email: Type.String() }),
    createdAt: Instant(),
  },
  { $id: 'RfqReceipt' },
)
export type RfqReceipt = Static<typeof RfqReceipt>

export const RfqDetail = Type.Object(
  {
    ...RfqReceipt.properties,
    ...Type.Pick(Rfq, ['quotesReceived', 'latestQuote', 'customerUrl']).properties,
    photos: Type.Array(Type.String()),
    quotes: Type.Array(Quote, { description: 'Those that were sent, newest first' }),
  },
  { $id: 'RfqDetail', description: 'A request for a quote, for the one who made it' },
)
export type RfqDetail = Static<typeof RfqDetail>

export const RfqAnswer = Type.Object({ rfq: RfqDetail }, { $id: 'RfqAnswer' })
export type RfqAnswer = Static<typeof RfqAnswer>

export const RfqParams = Type.Object({ id: Uuid() })

export const RfqCreated = Type.Object(
  { success: Type.Boolean(), rfq: RfqReceipt, nextSteps: Type.Array(Type.String()) },
  { $id: 'RfqCreated' },
)
export type RfqCreated = Static<typeof RfqCreated>

export const RfqList = Type.Object({ rfqs: Type.Array(Rfq), meta: PageMeta }, { $id: 'RfqList' })
export type RfqList = Static<typeof RfqList>

export const ListedLead = Type.Object(
  {
    ...listed,
    customerName: Type.String(),
    city: Nullable(Type.String({ description: 'Where the work is, if the customer gave an address' })),
  },
  { $id: 'ListedLead', description: 'A request for a quote in the list of its pro' },
)
export type ListedLead = Static<typeof ListedLead>

export const LeadList = Type.Object({ rfqs: Type.Array(ListedLead), meta: PageMeta }, { $id: 'LeadList' })
export type LeadList = Static<typeof LeadList>

export const RfqsQuery = Type.Object({
  email: Email({ description: 'The customer’s e-mail address' }),
  ...pageParameters,
})
export type RfqsQuery = Static<typeof RfqsQuery>

export const LeadsQuery = Type.Object({ status: Type.Optional(status), ...pageParameters })
export type LeadsQuery = Static<typeof LeadsQuery>

export const Contact = Type.Object({
  name: Type.String(),
  email: Type.String(),
  phone: Nullable(Type.String()),
})

const NullableText = Nullable(Type.String())

export const KnownAddress = Nullable(
  Type.Object({
    street: Type.Optional(NullableText),
    city: Type.Optional(NullableText),
    state: Type.Optional(NullableText),
    zipCode: Type.Optional(NullableText),
  }),
)

export const Lead = Type.Object(
  {
    ...listed,
    timeline: NullableText,
    preferredDate: Nullable(CalendarDate()),
    answers,
    customer: Contact,
    address: KnownAddress,
    photos: Type.Array(Type.String()),
    source: Type.String(),
    sourceAgentId: NullableText,
    lostAt: Nullable(Instant(), {
      description: 'When the customer accepted the quote of another pro',
    }),
    quotes: Type.Array(Quote, { description: 'Newest first' }),
  },
  { $id: 'Lead', description: 'A request for a quote, as its pro sees it' },
)
export type Lead = Static<typeof Lead>

export const LeadAnswer = Type.Object({ rfq: Lead }, { $id: 'LeadAnswer' })
