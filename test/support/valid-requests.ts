// A valid request for every route with all its parameters and fields. Tests of invalid input change one part of it.
import type { BookableSlot } from './app.ts'

export interface ValidRequest {
  path?: Record<string, string>
  query?: Record<string, string>
  body?: Record<string, unknown>
}

const property = {
  name: 'Unit 4B',
  address: { street: '1 Main Street', city: 'Austin', state: 'TX', zipCode: '78701' },
  bedrooms: 2,
  bathrooms: 1.5,
  areaSquareFeet: 900,
  accessNotes: 'Ring twice.',
}

const webhook = {
  name: 'Orders',
  url: 'https://hooks.test.example/hearth?from=1',
  events: ['booking.created', 'review.approved'],
  ordered: true,
  maxRetries: 3,
}
const eventId = 'evt_019a9f0c5d3c7e1fa1b2c3d4e5f60718'

/** A valid request for every route with input. */
export const validRequests = (slot: BookableSlot): Record<string, ValidRequest> => ({
  'GET /api/v1/services': { query: { categoryId: 'plumbing', city: 'Austin', state: 'TX' } },
  'GET /api/v1/cities': { query: { state: 'TX', limit: '10' } },
  'GET /api/v1/pros': {
    query: {
      service: 'plumber',
      category: 'plumbing',
      city: 'Austin',
      state: 'TX',
      lat: '30.27',
      lng: '-97.74',
      radius: '25',
      verified: 'true',
      instantBook: 'true',
      limit: '5',
      offset: '0',
    },
  },
  'GET /api/v1/pros/:id': { path: { id: slot.slug } },
  'GET /api/v1/profile/public/:profileId': { path: { profileId: slot.slug } },
  'GET /api/v1/pricing': { query: { service: 'plumber', city: 'Austin', state: 'TX' } },
  'GET /api/v1/pros/:id/availability': { path: { id: slot.slug }, query: { date: slot.date, days: '3' } },
  'GET /api/v1/availability/query': {
    query: { professionalId: slot.professionalId, serviceId: slot.serviceId, date: slot.date },
  },
  'POST /api/v1/bookings': {
    body: {
      professionalId: slot.professionalId,
      serviceId: slot.serviceId,
      date: slot.date,
      time: slot.time,
      duration: 60,
      customer: { name: 'Customer', email: 'customer@test.example', phone: '555-0100' },
      address: { street: '1 Main Street', city: 'Austin', state: 'TX', zipCode: '78701' },
      description: 'The tap drips.',
      source: 'api',
      sourceAgentId: 'agent-1',
    },
  },
  'GET /api/v1/bookings': { query: { code: 'HTH-0123456789AB' } },
  'GET /api/v1/bookings/:id': { path: { id: slot.professionalId } },
  'POST /api/v1/rfqs': {
    body: {
      professionalId: slot.professionalId,
      serviceId: slot.serviceId,
      customer: { name: 'Customer', email: 'customer@test.example', phone: '555-0100' },
      description: 'The tap drips.',
      photos: ['https://photos.test.example/tap.jpg'],
      budget: '$100 to $200',
      timeline: 'This week',
      preferredDate: '2026-06-10',
      address: { street: '1 Main Street', city: 'Austin', state: 'TX', zipCode: '78701' },
      source: 'api',
      sourceAgentId: 'agent-1',
    },
  },
  'GET /api/v1/rfqs': { query: { email: 'customer@test.example', limit: '5', offset: '0' } },
  'GET /api/v1/pro/leads': { query: { status: 'new', limit: '5', offset: '0' } },
  'GET /api/v1/pro/leads/:id': { path: { id: slot.professionalId } },
  'POST /api/v1/pro/leads/:id/archive': { path: { id: slot.professionalId } },
  'POST /api/v1/pro/quotes': {
    body: {
      rfqId: slot.professionalId,
      amount: 480.5,
      lineItems: [{ description: 'Labor', quantity: 2, unitPrice: 240.25, amount: 480.5 }],
      estimatedDays: 2,
      depositRequired: true,
      depositPercentage: 25,
      paymentTerms: 'Half before, half after.',
      message: 'Thank you for asking.',
      validForDays: 14,
    },
  },
  'PATCH /api/v1/pro/quotes/:id': {
    path: { id: slot.professionalId },
    body: {
      amount: 480.5,
      lineItems: [{ description: 'Labor', quantity: 2, unitPrice: 240.25 }],
      estimatedDays: 2,
      depositRequired: true,
      depositPercentage: 25,
      paymentTerms: 'Half before, half after.',
      message: 'Thank you for asking.',
      validForDays: 14,
    },
  },
  'DELETE /api/v1/pro/quotes/:id': { path: { id: slot.professionalId } },
  'POST /api/v1/pro/quotes/:id/send': { path: { id: slot.professionalId } },
  'GET /api/v1/pro/quotes': { query: { status: 'sent', rfqId: slot.professionalId, limit: '5', offset: '0' } },
  'GET /api/v1/pro/quotes/:id': { path: { id: slot.professionalId } },
  'GET /api/v1/quotes/:token': { path: { token: 'no-such-token' } },
  'POST /api/v1/quotes/:token/accept': { path: { token: 'no-such-token' } },
  'POST /api/v1/quotes/:token/decline': { path: { token: 'no-such-token' }, body: { reason: 'Too late.' } },
  'GET /api/v1/pro/proposals': {
    query: { status: 'open', kind: 'service_pricing', limit: '5', offset: '0' },
  },
  'GET /api/v1/pro/proposals/:id': { path: { id: slot.professionalId } },
  'POST /api/v1/pro/proposals/:id/confirm': { path: { id: slot.professionalId } },
  'POST /api/v1/pro/proposals/:id/dismiss': { path: { id: slot.professionalId } },
  'GET /api/v1/pro/jobs': { query: { status: 'scheduled', limit: '5', offset: '0' } },
  'GET /api/v1/pro/jobs/:id': { path: { id: slot.professionalId } },
  'POST /api/v1/pro/jobs/:id': {
    path: { id: slot.professionalId },
    body: { action: 'complete', finalAmount: 480.5 },
  },
  'POST /api/v1/bookings/create': {
    body: {
      professionalId: slot.serviceId,
      serviceId: slot.serviceId,
      startDateTime: '2026-06-10T15:00:00Z',
      durationMinutes: 60,
      guestName: 'Customer',
      guestEmail: 'customer@test.example',
      description: 'The tap drips.',
      zipCode: '78701',
    },
  },
  'POST /api/v1/bookings/:id/cancel': {
    path: { id: slot.professionalId },
    body: { confirmationCode: 'HTH-0123456789AB', reason: 'Found a better date.' },
  },
  'POST /api/v1/bookings/:id/reschedule': {
    path: { id: slot.professionalId },
    body: { confirmationCode: 'HTH-0123456789AB', startDateTime: '2026-06-10T15:00:00Z' },
  },
  'GET /api/v1/pro/bookings': { query: { status: 'pending', date: '2026-06-10', limit: '5', offset: '0' } },
  'GET /api/v1/pro/bookings/:id': { path: { id: slot.professionalId } },
  'POST /api/v1/pro/bookings/:id': {
    path: { id: slot.professionalId },
    body: { action: 'assign', reason: 'Nearest.', assignToMemberId: slot.professionalId },
  },
  'GET /api/v1/pro/team': { query: { limit: '5', offset: '0' } },
  'POST /api/v1/pro/team': { body: { name: 'Crew 1', email: 'crew.1@test.example', role: 'crew' } },
  'DELETE /api/v1/pro/team/:id': { path: { id: slot.professionalId } },
  'POST /sandbox/payments/:clientSecret': { path: { clientSecret: 'unknown' }, body: { outcome: 'succeeds' } },
  'GET /api/v1/packages': {
    query: { kind: 'standard', location: 'Austin, TX', bedrooms: '2', maxPrice: '99.5', limit: '5', offset: '0' },
  },
  'GET /api/v1/packages/compare': { query: { ids: 'ONE,TWO' } },
  'GET /api/v1/packages/:id': { path: { id: 'ONE' } },
  'GET /api/v1/properties': { query: { limit: '5', offset: '0' } },
  'POST /api/v1/properties': { body: property },
  'GET /api/v1/properties/:id': { path: { id: slot.professionalId } },
  'PUT /api/v1/properties/:id': { path: { id: slot.professionalId }, body: property },
  'DELETE /api/v1/properties/:id': { path: { id: slot.professionalId } },
  'PATCH /api/v1/pro/availability': {
    body: {
      instantBookingEnabled: true,
      requiresApproval: false,
      bookingLeadTimeHours: 2,
      bookingBufferMinutes: 15,
      defaultSlotMinutes: 60,
      businessHours: { monday: [{ start: '09:00', end: '17:00' }] },
    },
  },
  'POST /api/v1/pro/availability': {
    body: { startDateTime: '2026-06-10T09:00:00Z', endDateTime: '2026-06-10T12:00:00Z', reason: 'Away' },
  },
  'DELETE /api/v1/pro/availability/:id': { path: { id: slot.professionalId } },
  'PATCH /api/v1/pro/profile': {
    body: { businessName: 'Name', description: null, serviceRadiusMiles: 20, acceptsEmergency: true },
  },
  'PATCH /api/v1/pro/public-profile': {
    body: {
      headline: 'Drains, day and night',
      about: 'A family business.',
      highlights: ['On time'],
      serviceAreas: 'All of Travis County',
      faq: [{ question: 'Do you work on Sundays?', answer: 'Yes.' }],
    },
  },
  'PATCH /api/v1/pro/business-entity': {
    body: {
      legalName: 'Name LLC',
      licenseNumber: 'M-1234',
      licenseState: 'TX',
      foundedYear: 1999,
      insuranceCarrier: 'Example Mutual',
      phone: '555-0100',
      website: 'https://name.test.example',
    },
  },
  'PATCH /api/v1/pro/site-config': {
    body: {
      themeColor: '#0b6e4f',
      heroTitle: 'Drains, day and night',
      heroText: 'Call us.',
      callToAction: 'book',
      callToActionLabel: 'Book now',
      sections: ['about', 'reviews'],
    },
  },
  'PATCH /api/pro/services': {
    body: {
      serviceId: slot.serviceId,
      description: 'Ours',
      priceType: 'per_unit',
      unit: 'square foot',
      basePrice: 100,
      minPrice: 80,
      maxPrice: 120.5,
      durationMinutes: 60,
      instantBookEnabled: true,
      packageKind: 'standard',
      packageName: 'Standard',
      packagePrice: 99.99,
      includes: ['One'],
      cadence: 'monthly',
      bedrooms: 2,
      bathrooms: 1.5,
    },
  },
  'POST /api/v1/reviews': {
    body: {
      professionalId: slot.professionalId,
      projectId: null,
      bookingId: null,
      rating: 5,
      title: 'Fine work',
      content: 'On time.',
      customer: { name: 'Customer', email: 'customer@test.example' },
      scores: { punctuality: 5, quality: 5, communication: 4, value: 4 },
      photos: ['https://photos.test.example/1.jpg'],
      source: 'api',
    },
  },
  'GET /api/v1/reviews': {
    query: { professionalId: slot.professionalId, limit: '5', offset: '0', sort: 'recent' },
  },
  'POST /api/v1/reviews/:id/helpful': { path: { id: slot.professionalId }, body: { helpful: true } },
  'GET /api/v1/pro/reviews': { query: { status: 'pending', limit: '5', offset: '0' } },
  'GET /api/v1/pro/analytics': { query: { period: '7d' } },
  'GET /api/v1/webhooks': { query: { limit: '5', offset: '0' } },
  'POST /api/v1/webhooks': { body: webhook },
  'GET /api/v1/webhooks/:id': { path: { id: slot.professionalId } },
  'PATCH /api/v1/webhooks/:id': { path: { id: slot.professionalId }, body: { ...webhook, status: 'disabled' } },
  'DELETE /api/v1/webhooks/:id': { path: { id: slot.professionalId } },
  'POST /api/v1/webhooks/:id/rotate-secret': { path: { id: slot.professionalId } },
  'POST /api/v1/webhooks/:id/test': { path: { id: slot.professionalId } },
  'GET /api/v1/webhooks/:id/deliveries': {
    path: { id: slot.professionalId },
    query: { state: 'failed', limit: '5', offset: '0' },
  },
  'GET /api/v1/webhooks/:id/deliveries/:eventId': { path: { id: slot.professionalId, eventId } },
  'POST /api/v1/webhooks/:id/deliveries/:eventId/replay': { path: { id: slot.professionalId, eventId } },
  'POST /api/v1/webhooks/:id/replay': {
    path: { id: slot.professionalId },
    body: { from: '2026-06-01T00:00:00Z', to: '2026-06-02T00:00:00Z', state: 'all' },
  },
  'POST /api/v1/webhooks/verify': {
    body: { signature: 't=1,v1=00', body: '{}', webhookId: slot.professionalId },
  },
  'POST /api/v1/pro/reviews/:id/response': { path: { id: slot.professionalId }, body: { content: 'Thank you.' } },
  'POST /api/mcp': { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
  'POST /api/mcp/customer': { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
})
