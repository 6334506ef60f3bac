// A request body per operation, for the document and the reference. test/http/examples.test.ts sends each of them.
import { addDays } from '../../platform/clock/dates.ts'
import { platformExamples } from './platform-examples.ts'

/** What the examples say of pros and times. */
export interface ExampleFacts {
  /** The day on which they are made, YYYY-MM-DD. */
  readonly today: string
  readonly professionalId: string
  readonly serviceId: string
  /** Where that pro works. */
  readonly city: { readonly city: string; readonly state: string }
  /** Free times of the pro on three days, so that one request does not take the time of another. */
  readonly times: readonly [ExampleTime, ExampleTime, ExampleTime]
}

export interface ExampleTime {
  readonly date: string
  readonly time: string
  readonly startDateTime: string
}

export interface Example {
  readonly value: object
  /** The parts of a form with a file, where the operation takes both. The file is named. */
  readonly form?: object
  /** Where the ids come from that only the caller knows, and what else changes from one request to the next. */
  readonly note?: string
}

/** The form of an id. No row has it. */
const YOURS = '00000000-0000-7000-8000-000000000000'
const CUSTOMER = { name: 'Maria Lopez', email: 'maria@example.com' }
const OF_A_PRO = 'The example names a pro, a service and a free time of this server where it has demo data.'

/** Facts that have the right form, for a server whose pros no example should name. */
export function fictionalFacts(today: string): ExampleFacts {
  const timeIn = (days: number): ExampleTime => {
    const date = addDays(today, days)
    return { date, time: '10:00', startDateTime: `${date}T15:00:00Z` }
  }
  return {
    today,
    professionalId: YOURS,
    serviceId: YOURS,
    city: { city: 'Austin', state: 'TX' },
    times: [timeIn(3), timeIn(4), timeIn(5)],
  }
}

/** The examples by operationId. Operations that a flag turns off are among them. */
export const examplesOf = (facts: ExampleFacts): Readonly<Record<string, Example>> => ({
  ...customerExamples(facts),
  ...homeExamples(facts),
  ...quotingExamples(facts),
  ...proExamples(facts),
  ...settingsExamples(facts),
  ...webhookExamples(facts),
  ...agentExamples(facts),
  ...platformExamples,
})

function customerExamples({ professionalId, serviceId, city, times: [first, second, third] }: ExampleFacts) {
  const address = { street: '1 Main Street', ...city }
  const pro = { professionalId, serviceId }
  return {
    postBooking: {
      value: {
        ...pro,
        date: first.date,
        time: first.time,
        customer: CUSTOMER,
        address,
        description: 'The tap in the kitchen drips.',
      },
      note: OF_A_PRO,
    },
    startBookingWithFee: {
      value: {
        ...pro,
        startDateTime: second.startDateTime,
        guestName: CUSTOMER.name,
        guestEmail: CUSTOMER.email,
        address,
        description: 'The tap in the kitchen drips.',
      },
      note: OF_A_PRO,
    },
    postCancellation: { value: { reason: 'We found a better date.' } },
    postRescheduling: {
      value: { date: third.date, time: third.time },
      note: 'The example names a free time of the pro in the example of `POST /api/v1/bookings`.',
    },
    postProposalAnswer: { value: { answer: 'agree' } },
    postSandboxPayment: { value: { outcome: 'succeeds' } },
    postReview: {
      value: {
        professionalId,
        rating: 5,
        title: 'Fine work',
        content: 'On time, and the tap no longer drips.',
        customer: CUSTOMER,
        scores: { punctuality: 5, quality: 5, communication: 4, value: 4 },
      },
      note: 'A customer reviews a pro once: a second review from the same address is refused.',
    },
    postHelpfulVote: { value: { helpful: true } },
    postFile: {
      value: { purpose: 'request', size: 48_213, contentType: 'image/jpeg' },
      form: { purpose: 'request', file: 'photo.jpg' },
      note: 'JSON only where files are kept in a bucket: `size` is the number of bytes that follow.',
    },
  }
}

function homeExamples({ city }: ExampleFacts) {
  const address = { street: '1 Main Street', ...city, zipCode: '78701' }
  const property = { name: 'Unit 4B', address, bedrooms: 2, bathrooms: 1.5, accessNotes: 'Ring twice.' }
  return { postProperty: { value: property }, putProperty: { value: property } }
}

const quotingExamples = ({ professionalId, serviceId, city, times: [, , third] }: ExampleFacts) => ({
  postRfq: {
    value: {
      professionalId,
      serviceId,
      customer: CUSTOMER,
      description: 'The gutter leaks at the corner of the garage.',
      budget: '$100 to $200',
      timeline: 'This month',
      preferredDate: third.date,
      address: { street: '1 Main Street', ...city },
    },
    note: OF_A_PRO,
  },
  postQuote: {
    value: {
      rfqId: YOURS,
      amount: 480.5,
      lineItems: [{ description: 'Labor', quantity: 2, unitPrice: 240.25, amount: 480.5 }],
      estimatedDays: 2,
      message: 'Thank you for asking. We could come next week.',
      validForDays: 14,
    },
    note: '`rfqId` is the id of a request to you: `GET /api/v1/pro/leads` lists them.',
  },
  patchDraft: { value: { amount: 450, message: 'Thank you for asking. The parts are cheaper than expected.' } },
  postQuoteDecline: { value: { reason: 'We decided to wait until spring.' } },
  postWorkCancel: { value: { reason: 'We are moving.' } },
})

const proExamples = ({ today }: ExampleFacts) => ({
  postBookingAction: { value: { action: 'confirm' } },
  postBlockedCustomer: { value: { email: 'customer@example.com', reason: 'Was not there, twice.' } },
  postCalendar: { value: { name: 'Family', url: 'https://calendars.example/family.ics' } },
  postMember: { value: { name: 'Sam Rivera', email: 'sam@example.com', role: 'crew' } },
  postProBlock: {
    value: {
      startDateTime: `${addDays(today, 30)}T14:00:00Z`,
      endDateTime: `${addDays(today, 30)}T18:00:00Z`,
      reason: 'Away',
    },
  },
  postJobMove: { value: { action: 'start' } },
  postJobPhotos: {
    value: { photos: ['https://photos.example/after.jpg'] },
    note: 'A photo is the `url` of a file that you uploaded with the purpose `job`: `POST /api/v1/files`.',
  },
  postReviewResponse: { value: { content: 'Thank you. We are glad that it works again.' } },
})

const settingsExamples = ({ serviceId }: ExampleFacts) => ({
  patchProServices: {
    value: { serviceId, priceType: 'flat', basePrice: 120, minPrice: null, maxPrice: null, durationMinutes: 60 },
    note: '`serviceId` is one of your services: `GET /api/v1/pro/services` lists them.',
  },
  patchProAvailability: {
    value: {
      bookingLeadTimeHours: 24,
      bookingBufferMinutes: 15,
      businessHours: { monday: [{ start: '09:00', end: '17:00' }], saturday: [] },
    },
  },
  patchProProfile: { value: { description: 'A family business since 1999.', serviceRadiusMiles: 20 } },
  patchProPublicProfile: {
    value: {
      headline: 'Drains, day and night',
      highlights: ['On time', 'Clean when we leave'],
      languages: ['English', 'Spanish'],
      faq: [{ question: 'Do you work on Sundays?', answer: 'Yes.' }],
    },
  },
  patchProBusinessEntity: { value: { legalName: 'Example Plumbing LLC', foundedYear: 1999, phone: '555-0100' } },
  patchProSiteConfig: { value: { themeColor: '#0b6e4f', callToAction: 'book', callToActionLabel: 'Book now' } },
  putProPictures: {
    value: { logo: YOURS, cover: null, gallery: [] },
    note: 'The ids are those of files that you uploaded: `POST /api/v1/files`. What the body leaves out is taken away.',
  },
})

function webhookExamples({ today }: ExampleFacts) {
  const webhook = {
    name: 'Orders',
    url: 'https://shop.example/hooks',
    events: ['booking.created', 'booking.cancelled'],
    maxRetries: 5,
  }
  return {
    postWebhook: { value: webhook },
    patchWebhook: { value: { events: [...webhook.events, 'booking.rescheduled'] } },
    postWebhookReplay: {
      value: { from: `${addDays(today, -1)}T00:00:00Z`, to: `${today}T00:00:00Z`, state: 'failed' },
    },
    postWebhookVerification: {
      value: { signature: `t=${Date.parse(today) / 1000},v1=${'0'.repeat(64)}`, body: '{"id":"evt_1"}' },
      note: '`signature` is the header `X-Webhook-Signature` of a request that you received, and `body` its body as it came.',
    },
  }
}

function agentExamples({ city }: ExampleFacts) {
  const call = (name: string, args: object) => ({
    value: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    note: '`tools/list` lists the tools and their arguments.',
  })
  const search = call('search_pros', { service: 'plumber', place: `${city.city}, ${city.state}` })
  return { callProServer: call('list_services', {}), callCustomerServer: search, callPublicServer: search }
}
