// For every route with ids: the owner of each id, and the rest of a valid request.
import { randomUUID } from 'node:crypto'

import { CONSOLE_RULES } from './isolation-console-rules.ts'
import { PLATFORM_RULES } from './isolation-platform-rules.ts'
import { DELIVERY, PUBLIC, type Rule, SECRET_TOKEN, calendar, own, webhook } from './isolation-rule.ts'

const SECRET_PAYMENT: Rule = { ids: { 'path.clientSecret': 'secret' } }

const customer = { name: 'Homeowner', email: 'isolated@test.example' }
const REVIEW = { rating: '5', content: 'Fine.', name: 'Homeowner in Austin' }
const address = { street: '2 Main Street', city: 'Austin', state: 'TX', zipCode: '78701' }

/** Routes without ids and body need no rule: the test calls them and expects no data of others. */
export const RULES: Readonly<Record<string, Rule>> = {
  // Public data.
  'GET /problems/:code': { ids: { 'path.code': 'public' } },
  'GET /terms/:version': { ids: { 'path.version': 'public' } },
  'GET /privacy/:version': { ids: { 'path.version': 'public' } },
  'GET /imprint/:version': { ids: { 'path.version': 'public' } },
  'GET /pros/:id': { ids: { 'path.id': 'public' } },
  'GET /pros/:id/share.jpg': { ids: { 'path.id': 'public' } },
  'GET /pros/:id/book': { ids: { 'path.id': 'public' } },
  'POST /pros/:id/book': { ids: { 'path.id': 'public' } },
  'GET /packages/:id': PUBLIC,
  'GET /packages/:id/share.jpg': PUBLIC,
  'GET /pros/:id/quote': { ids: { 'path.id': 'public' } },
  'POST /pros/:id/quote': { ids: { 'path.id': 'public' } },
  'POST /pros/:id/quote/photos': { ids: { 'path.id': 'public' } },
  'GET /pros/:id/quote/photos/:photo': { ids: { 'path.id': 'public', 'path.photo': 'secret' } },
  'GET /requests/:token': SECRET_TOKEN,
  'GET /bookings/:code': { ids: { 'path.code': 'secret' } },
  'GET /bookings/manage/:token': SECRET_TOKEN,
  'GET /calendars/:token': SECRET_TOKEN,
  'GET /unsubscribe/:token': SECRET_TOKEN,
  'GET /reviews/:token': SECRET_TOKEN,
  'POST /reviews/:token': SECRET_TOKEN,
  'POST /unsubscribe/:token': { ...SECRET_TOKEN, body: () => ({ messages: 'end' }) },
  'GET /bookings/manage/:token/cancel': SECRET_TOKEN,
  'POST /bookings/manage/:token/cancel': SECRET_TOKEN,
  'POST /bookings/manage/:token/again': SECRET_TOKEN,
  'GET /bookings/manage/:token/receipt': SECRET_TOKEN,
  'GET /bookings/manage/:token/move': SECRET_TOKEN,
  'POST /bookings/manage/:token/proposed-time': SECRET_TOKEN,
  'POST /bookings/manage/:token/move': SECRET_TOKEN,
  'GET /bookings/manage/:token/review': SECRET_TOKEN,
  'POST /bookings/manage/:token/review': { ...SECRET_TOKEN, body: () => REVIEW },
  'POST /bookings/manage/:token/review/photos': SECRET_TOKEN,
  'GET /bookings/manage/:token/review/photos/:photo': { ids: { 'path.token': 'secret', 'path.photo': 'secret' } },
  'GET /sitemaps/:part': { ids: { 'path.part': 'public' } },
  'GET /:services/:city': { ids: { 'path.services': 'public', 'path.city': 'public' } },
  'GET /:services/:city/share.jpg': { ids: { 'path.services': 'public', 'path.city': 'public' } },
  'GET /api/v1/services': { ids: { 'query.categoryId': 'public' } },
  'GET /api/v1/pros/:id': PUBLIC,
  'GET /api/v1/pros/:id/availability': {
    ids: { 'path.id': 'public', 'query.serviceId': 'public', 'query.packageId': 'public' },
  },
  'GET /api/v1/profile/public/:profileId': { ids: { 'path.profileId': 'public' } },
  'GET /api/v1/availability/query': { ids: { 'query.professionalId': 'public', 'query.serviceId': 'public' } },
  'GET /api/v1/packages/:id': PUBLIC,
  'GET /api/v1/packages/compare': { ids: { 'query.ids': 'public' } },
  'GET /api/v1/reviews': { ids: { 'query.professionalId': 'public' } },
  'POST /api/v1/reviews/:id/helpful': { ...PUBLIC, body: () => ({ helpful: true }) },

  // A secret authorizes its bearer.
  'GET /api/v1/bookings': { ids: { 'query.code': 'secret' } },
  'GET /quotes/:token': SECRET_TOKEN,
  'GET /quotes/:token/time': SECRET_TOKEN,
  'POST /quotes/:token/time': SECRET_TOKEN,
  'GET /quotes/:token/receipt': SECRET_TOKEN,
  'GET /quotes/:token/cancel': SECRET_TOKEN,
  'POST /quotes/:token/cancel': SECRET_TOKEN,
  'POST /quotes/:token/accept': SECRET_TOKEN,
  'POST /quotes/:token/decline': SECRET_TOKEN,
  'GET /api/v1/quotes/:token': SECRET_TOKEN,
  'POST /api/v1/quotes/:token/accept': SECRET_TOKEN,
  'POST /api/v1/quotes/:token/decline': SECRET_TOKEN,
  'POST /api/v1/quotes/:token/cancel': SECRET_TOKEN,
  'GET /pay/:clientSecret': SECRET_PAYMENT,
  'POST /pay/:clientSecret': SECRET_PAYMENT,
  'POST /sandbox/payments/:clientSecret': SECRET_PAYMENT,

  'POST /oauth/consent': { ids: { 'body.requestId': 'secret' }, body: () => ({ decision: 'allow' }) },

  // A signed-in customer. A code is one of the browser's own cookie.
  // An application is found by the proven address of the session alone.
  'POST /for-pros/join/business': {
    body: () => ({ businessName: 'Oak', personName: 'A. Person', phone: '614 555 0142' }),
  },
  'POST /for-pros/join/place': { body: () => ({ place: 'Columbus, OH', radius: '20' }) },
  'POST /for-pros/join/services': {},
  'POST /for-pros/join/hours': { body: () => ({ monday: '09:00' }) },
  'POST /for-pros/join/prices': {},
  'POST /for-pros/join/license': { body: () => ({ insuranceCarrier: 'State Mutual' }) },
  'POST /for-pros/join/preview': {},
  'POST /for-pros/join/withdraw': {},
  'POST /my/sign-in': { ids: { 'body.email': 'new' } },
  'POST /my/sign-in/code': { ids: { 'body.code': 'new' } },
  'GET /my/bookings/:id': own('booking'),
  'GET /my/bookings/:id/cancel': own('booking'),
  'POST /my/bookings/:id/cancel': own('booking'),
  'POST /my/bookings/:id/again': own('booking'),
  'POST /my/bookings/:id/not-mine': own('booking'),
  'POST /my/requests/:id/not-mine': own('askedRequest'),
  'POST /my/reviews/:id/not-mine': own('sentReview'),
  'GET /my/bookings/:id/receipt': own('booking'),
  'GET /my/bookings/:id/move': own('booking'),
  'POST /my/bookings/:id/move': own('booking', () => ({ date: '2026-06-11', time: '10:00' })),
  'POST /my/bookings/:id/proposed-time': own('booking', () => ({ answer: 'decline' })),
  'GET /my/bookings/:id/review': own('finishedBooking'),
  'POST /my/bookings/:id/review': own('finishedBooking', () => REVIEW),
  'GET /my/jobs/:id/review': own('finishedJob'),
  'POST /my/jobs/:id/review': own('finishedJob', () => REVIEW),
  'GET /my/photos/:photo': { ids: { 'path.photo': 'secret' } },
  'POST /my/data/erase': { ids: { 'body.email': 'new' } },
  'POST /my/apps/:id/remove': own('customerApp'),

  ...CONSOLE_RULES,

  // Bookings.
  'POST /api/v1/bookings': {
    ids: {
      'body.professionalId': 'public',
      'body.serviceId': 'public',
      'body.sourceAgentId': 'new',
      'body.notifyEmail': 'new',
    },
  },
  'POST /api/v1/bookings/create': {
    ids: {
      'body.professionalId': 'public',
      'body.serviceId': 'public',
      'body.packageId': 'public',
      'body.guestEmail': 'new',
      'body.notifyEmail': 'new',
    },
  },
  'GET /api/v1/bookings/:id': own('booking'),
  'POST /api/v1/bookings/:id/reschedule': {
    ids: { 'path.id': 'booking', 'body.confirmationCode': 'new' },
    body: () => ({ date: '2026-06-11', time: '10:00' }),
  },
  'POST /api/v1/bookings/:id/proposed-time': own('booking', () => ({ answer: 'agree' })),
  'POST /api/v1/pro/blocked-customers': { ids: { 'body.bookingId': 'booking', 'body.email': 'new' } },
  'DELETE /api/v1/pro/blocked-customers/:id': own('customerBlock'),
  'GET /api/v1/pro/bookings/:id': own('booking'),
  'POST /api/v1/pro/bookings/:id': {
    ids: { 'path.id': 'booking', 'body.assignToMemberId': 'member' },
    body: (_, named) => ({ action: 'body.assignToMemberId' in named ? 'assign' : 'confirm' }),
  },
  'POST /api/v1/bookings/:id/cancel': {
    ids: { 'path.id': 'booking', 'body.confirmationCode': 'new' },
    body: () => ({ reason: 'Found a better date.' }),
  },

  // Requests for quotes, quotes, jobs.
  'POST /api/v1/rfqs': {
    ids: { 'body.professionalId': 'public', 'body.serviceId': 'public', 'body.sourceAgentId': 'new' },
  },
  'GET /api/v1/rfqs/:id': own('askedRequest'),
  'GET /api/v1/rfqs': { ids: { 'query.email': 'customerEmail' }, isList: true, refusal: 400 },
  'GET /api/v1/pro/leads/:id': own('lead'),
  'POST /api/v1/pro/quotes': { ids: { 'body.rfqId': 'lead' }, body: () => ({ amount: 500 }) },
  'GET /api/v1/pro/quotes': { ids: { 'query.rfqId': 'lead' }, isList: true },
  'GET /api/v1/pro/quotes/:id': own('quote'),
  'PATCH /api/v1/pro/quotes/:id': own('quote', () => ({ amount: 450 })),
  'DELETE /api/v1/pro/quotes/:id': own('quote'),
  'POST /api/v1/pro/quotes/:id/send': own('quote'),
  'POST /api/v1/pro/leads/:id/archive': own('lead'),
  'GET /api/v1/pro/proposals/:id': own('proposal'),
  'POST /api/v1/pro/proposals/:id/confirm': own('proposal'),
  'POST /api/v1/pro/proposals/:id/dismiss': own('proposal'),
  'GET /api/v1/pro/jobs/:id': own('job'),
  'POST /api/v1/pro/jobs/:id': own('job', () => ({ action: 'start' })),

  // Reviews. The customer's address identifies the owner of a booking or job: another owner's is an invalid field.
  'POST /api/v1/reviews': {
    ids: { 'body.professionalId': 'public', 'body.bookingId': 'booking', 'body.projectId': 'job' },
    body: ({ own: { customerEmail } }) => ({
      rating: 5,
      content: 'Fine.',
      customer: { ...customer, email: customerEmail },
    }),
    refusal: 400,
    isByCustomer: true,
  },
  'POST /api/v1/pro/reviews/:id/response': own('review', () => ({ content: 'Thank you.' })),

  // A pro's settings, team and services.
  'POST /api/v1/pro/team': {
    ids: { 'body.email': 'new' },
    body: () => ({ name: 'Crew 2', email: `crew-${randomUUID()}@test.example` }),
  },
  'DELETE /api/v1/pro/team/:id': own('member'),
  'POST /api/v1/pro/calendars': { ids: { 'body.memberId': 'member' }, body: calendar },
  'DELETE /api/v1/pro/calendars/:id': own('calendar'),
  'PATCH /api/v1/pro/availability': { body: () => ({ bookingLeadTimeHours: 1 }) },
  'POST /api/v1/pro/availability': {
    body: () => ({ startDateTime: '2026-08-01T09:00:00Z', endDateTime: '2026-08-01T12:00:00Z' }),
  },
  'DELETE /api/v1/pro/availability/:id': own('block'),
  'PATCH /api/v1/pro/profile': { body: () => ({ description: 'Drains, day and night.' }) },
  'PATCH /api/v1/pro/public-profile': { body: () => ({ headline: 'Drains' }) },
  'PATCH /api/v1/pro/business-entity': { body: () => ({ legalName: 'Drains LLC' }) },
  'PATCH /api/v1/pro/site-config': { body: () => ({ heroTitle: 'Drains' }) },
  'PATCH /api/pro/services': { ids: { 'body.serviceId': 'offer' }, body: () => ({ basePrice: 120 }) },

  // Clients' properties.
  'POST /api/v1/properties': { body: () => ({ name: 'Unit 5A', address }) },
  'GET /api/v1/properties/:id': own('property'),
  'PUT /api/v1/properties/:id': own('property', () => ({ name: 'Unit 4C', address })),
  'DELETE /api/v1/properties/:id': own('property'),

  // Files. An address is the secret of its file.
  'POST /api/v1/files': {},
  'POST /api/v1/files/:id/complete': own('file'),
  'GET /api/v1/files/:id': own('file'),
  // The logo and the icon of the marketplace.
  'GET /assets/brand/:file': { ids: { 'path.file': 'public' } },
  'GET /files/:file': { ids: { 'path.file': 'secret' } },

  'PUT /api/v1/pro/pictures': { body: () => ({ logo: null, cover: null, gallery: [] }) },
  'GET /api/v1/pros/:id/pictures': PUBLIC,
  'GET /api/v1/pro/jobs/:id/photos': own('job'),
  'POST /api/v1/pro/jobs/:id/photos': own('job', () => ({ photos: [] })),

  // Webhooks. A signature is checked with the caller's secrets only.
  'POST /api/v1/webhooks': { body: () => webhook },
  'GET /api/v1/webhooks/:id': own('webhook'),
  'PATCH /api/v1/webhooks/:id': own('webhook', () => ({ name: 'Other orders' })),
  'POST /api/v1/webhooks/:id/rotate-secret': own('webhook'),
  'POST /api/v1/webhooks/:id/test': own('webhook'),
  'GET /api/v1/webhooks/:id/deliveries': own('webhook'),
  'GET /api/v1/webhooks/:id/deliveries/:eventId': DELIVERY,
  'POST /api/v1/webhooks/:id/deliveries/:eventId/replay': DELIVERY,
  'POST /api/v1/webhooks/:id/replay': own('webhook', () => ({
    from: '2026-06-01T00:00:00Z',
    to: '2026-06-02T00:00:00Z',
  })),
  'POST /api/v1/webhooks/verify': {
    ids: { 'body.webhookId': 'webhook', 'body.id': 'new' },
    body: () => ({ signature: 'v1,AA==', timestamp: '1', body: '{}' }),
  },
  'DELETE /api/v1/webhooks/:id': own('webhook'),

  ...PLATFORM_RULES,

  // The MCP servers. tool-rules.ts has the rules of their tools.
  'POST /api/mcp': { body: () => ({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) },
  'POST /api/mcp/public': { body: () => ({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) },
  'POST /api/mcp/customer': { body: () => ({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) },
}
