// The rules of the console's pages and forms.
import { randomUUID } from 'node:crypto'

import { DELIVERY, PUBLIC, type Rule, SECRET_TOKEN, calendar, own, webhook } from './isolation-rule.ts'

const offer = { priceType: 'flat', basePrice: '120', durationMinutes: '60', instantBookEnabled: 'true' }

const catalogService = { name: 'Dog walking', priceType: 'flat', durationMinutes: '60' }

export const CONSOLE_RULES: Readonly<Record<string, Rule>> = {
  // The console: the same verbs for people. Operators moderate all reviews and may read all traces, which hold no
  // personal data.
  'GET /ops/traces/:id': PUBLIC,
  'POST /console/reviews/:id/approve': PUBLIC,
  'GET /console/reviews/:id/reject': PUBLIC,
  'POST /console/reviews/:id/reject': { ...PUBLIC, body: () => ({ reason: 'It names a person.' }) },
  'POST /console/reviews/bulk': { ids: { 'body.ids': 'public' }, body: () => ({ decision: 'approve' }) },
  // Only operators, who see all payments and verify all pros.
  'GET /console/payments/:id': PUBLIC,
  'GET /console/payments/:id/refund': PUBLIC,
  'POST /console/payments/:id/refund': {
    ids: { 'path.id': 'public', 'body.refundId': 'new' },
    body: () => ({ amount: '10', reason: 'The visit was too short.' }),
  },
  'POST /console/payments/:id/resend': { ids: { 'path.id': 'public', 'body.refundId': 'new' } },
  'GET /console/payments/:id/returned': PUBLIC,
  'POST /console/payments/:id/returned': {
    ids: { 'path.id': 'public', 'body.refundId': 'new' },
    body: () => ({ note: 'By bank transfer.' }),
  },
  'GET /console/bookings/:id/operate': PUBLIC,
  'POST /console/bookings/:id/operate': { ...PUBLIC, body: () => ({ action: 'note', reason: 'They called.' }) },
  'POST /console/bookings/:id/messages': {
    ids: { 'path.id': 'public', 'body.messageId': 'public' },
    body: () => ({ messageId: '1' }),
  },
  'POST /console/bookings/:id/deliveries': {
    ids: { 'path.id': 'public', 'body.endpointId': 'new', 'body.eventId': 'new' },
  },
  'GET /console/verification/:id': PUBLIC,
  'POST /console/verification/:id': {
    ...PUBLIC,
    body: () => ({
      verified: 'true',
      backgroundCheck: 'true',
      insurance: 'true',
      credentials: 'true',
      reason: 'Checked.',
    }),
  },
  'GET /console/verification/:id/refuse': PUBLIC,
  'POST /console/verification/:id/refuse': { ...PUBLIC, body: () => ({ reason: 'The license has expired.' }) },
  'POST /console/my-verification': { body: () => ({ note: 'Please call the county.' }) },
  // Only operators, who see all messages.
  'GET /console/mail/templates/:kind': { ids: { 'path.kind': 'public' } },
  'GET /console/mail/templates/:kind/html': { ids: { 'path.kind': 'public' } },
  'GET /console/mail/:id': PUBLIC,
  'GET /console/mail/:id/html': PUBLIC,
  'GET /console/mail/:id/source': PUBLIC,
  'POST /console/mail/:id/send': PUBLIC,
  'POST /console/mail/:id/lift': {
    ids: { 'path.id': 'public', 'body.email': 'new' },
    body: () => ({ reason: 'bounced' }),
  },
  // Of the marketplace, which is one.
  'POST /console/marketplace': {
    ids: { 'body.email': 'new' },
    body: () => ({ name: 'Maple & Beam', version: '1000000' }),
  },
  'POST /console/marketplace/opening': { body: () => ({ state: 'open', version: '1000000' }) },
  'POST /console/marketplace/pictures': { body: () => ({ remove: ['logo'], version: '1000000' }) },
  'POST /console/marketplace/defaults': { body: () => ({ radius: '30', version: '1000000' }) },
  'GET /console/marketplace/texts/:kind': { ids: { 'path.kind': 'public' } },
  'POST /console/marketplace/texts/:kind': {
    ids: { 'path.kind': 'public' },
    body: () => ({ content: 'Of another operator', version: '1000', step: 'publish' }),
  },
  'GET /console/verification/:id/plan': PUBLIC,
  'POST /console/verification/:id/plan': { ...PUBLIC, body: () => ({ plan: 'verified' }) },
  'GET /console/verification/:id/close': PUBLIC,
  'POST /console/verification/:id/close': {
    ...PUBLIC,
    body: () => ({ name: 'Another name', reason: 'The pro called.' }),
  },
  'GET /console/verification/:id/reopen': PUBLIC,
  'POST /console/verification/:id/reopen': { ...PUBLIC, body: () => ({ reason: 'The pro called.' }) },
  'GET /console/verification/:id/status': PUBLIC,
  'POST /console/verification/:id/status': {
    ...PUBLIC,
    body: () => ({ action: 'pause', reason: 'The license expired.' }),
  },
  // Only operators, who define the plans of the marketplace.
  'POST /console/plans': { body: () => ({ name: 'Gold', tasks: '300' }) },
  'GET /console/plans/:id': PUBLIC,
  'POST /console/plans/:id': { ...PUBLIC, body: () => ({ name: 'Gold', tasks: '300' }) },
  'POST /console/plans/:id/retire': PUBLIC,
  'POST /console/plans/:id/offer': PUBLIC,
  'POST /console/pros/new': {
    ids: { 'body.email': 'new' },
    body: () => ({ businessName: 'Oak Plumbing', place: 'Austin, TX', radius: '25', plan: 'none' }),
  },
  'POST /console/area': { body: () => ({ place: 'Austin, TX', distance: '30', version: '1000000' }) },
  'POST /console/area/districts': { body: () => ({ name: 'The Annex', state: 'TX', position: '30.27, -97.74' }) },
  'GET /console/area/districts/:id': PUBLIC,
  'POST /console/area/districts/:id': { ...PUBLIC, body: () => ({ name: 'The Annex' }) },
  'POST /console/area/districts/:id/remove': PUBLIC,
  // Only operators, who edit the whole catalog.
  'POST /console/catalog/categories/new': { body: () => ({ name: 'Pet care' }) },
  'GET /console/catalog/categories/:id': PUBLIC,
  'POST /console/catalog/categories/:id': {
    ...PUBLIC,
    body: () => ({ name: 'Pets', place: 'first', status: 'offered' }),
  },
  'GET /console/catalog/categories/:id/merge': PUBLIC,
  'POST /console/catalog/categories/:id/merge': PUBLIC,
  'GET /console/catalog/services/:id/merge': PUBLIC,
  'POST /console/catalog/services/:id/merge': PUBLIC,
  'POST /console/catalog/starter': { body: () => ({ service: 'plumber' }) },
  'GET /console/catalog/lines': { ids: { 'query.categoryId': 'public' } },
  'POST /console/catalog/lines': {
    ids: { 'body.categoryId': 'public' },
    body: () => ({ lines: 'Dog walking | flat' }),
  },
  'GET /console/catalog/services/new': { ids: { 'query.categoryId': 'public' } },
  'POST /console/catalog/services/new': { ids: { 'body.categoryId': 'public' }, body: () => catalogService },
  'GET /console/catalog/services/:id': PUBLIC,
  'POST /console/catalog/services/:id': {
    ids: { 'path.id': 'public', 'body.categoryId': 'public' },
    body: () => ({ ...catalogService, place: 'first', status: 'offered' }),
  },
  // Only operators, who see all users.
  'POST /console/users': { ids: { 'body.email': 'new' }, body: () => ({ role: 'operator', operatorRole: 'support' }) },
  'GET /console/users/:id': PUBLIC,
  'POST /console/users/:id/link': PUBLIC,
  'POST /console/users/:id/log-out': PUBLIC,
  'POST /console/users/:id/role': { ...PUBLIC, body: () => ({ operatorRole: 'support' }) },
  'POST /console/users/:id/disable': PUBLIC,
  'POST /console/users/:id/enable': PUBLIC,
  'POST /console/login': { ids: { 'body.email': 'new' }, body: () => ({ password: 'not this one' }) },
  'POST /console/login/link': { ids: { 'body.email': 'new' } },
  'GET /console/password/:token': SECRET_TOKEN,
  'POST /console/password/:token': { ...SECRET_TOKEN, body: () => ({ password: 'a much better password' }) },
  'POST /console/credits': { body: (tenant) => ({ pro: tenant.professionalId, tasks: '5', reference: randomUUID() }) },
  'POST /console/account/password': { body: () => ({ current: 'not this one', next: 'a much better password' }) },
  'POST /console/notices/:id/read': own('notice'),
  'POST /console/apps/:id/remove': own('proApp'),
  'POST /console/keys': { body: () => ({ name: 'Website', preset: 'full-server', limitPercent: '100' }) },
  // Leads to the list.
  'GET /console/keys/:id/rotate': PUBLIC,
  'POST /console/keys/:id/rotate': own('key', () => ({ overlapHours: '24' })),
  'POST /console/keys/:id/revoke': own('key'),
  'POST /console/test-mode': { body: () => ({ state: 'off' }) },
  'POST /console/webhooks': { body: () => ({ ...webhook, maxRetries: '8' }) },
  'GET /console/webhooks/:id': own('webhook'),
  'POST /console/webhooks/:id': own('webhook', () => ({ ...webhook, maxRetries: '3' })),
  'POST /console/webhooks/:id/status': own('webhook', () => ({ status: 'enabled' })),
  'POST /console/webhooks/:id/test': own('webhook'),
  'POST /console/webhooks/:id/secret': own('webhook'),
  'POST /console/webhooks/:id/delete': own('spareWebhook'),
  // Leads to the page of the id.
  'GET /console/webhooks/:id/replay': PUBLIC,
  'POST /console/webhooks/:id/replay': own('webhook', () => ({
    from: '2026-06-01T00:00',
    to: '2026-06-02T00:00',
    state: 'all',
  })),
  'GET /console/webhooks/:id/deliveries/:eventId': DELIVERY,
  'POST /console/webhooks/:id/deliveries/:eventId/replay': DELIVERY,
  'GET /console/webhooks/:id/deliveries/:eventId/trace': DELIVERY,
  'GET /api-docs/try/:operationId': { ids: { 'path.operationId': 'public' } },
  'GET /console/bookings/:id': own('booking'),
  'POST /console/bookings/:id': {
    ids: { 'path.id': 'booking', 'body.assignToMemberId': 'member' },
    body: (_, named) => ({ action: 'body.assignToMemberId' in named ? 'assign' : 'confirm' }),
  },
  'POST /console/calendar/blocks': { body: () => ({ fromDate: '2026-08-01' }) },
  'POST /console/calendar/blocks/:id/delete': own('spareBlock'),
  'POST /console/settings/hours': { body: () => ({ monday: ['09:00', '17:00'] }) },
  'POST /console/services': { ids: { 'body.serviceId': 'public' }, body: () => offer },
  'GET /console/services/:id': own('offer'),
  'POST /console/services/:id': own('offer', () => offer),
  // Leads to the page of the id.
  'GET /console/services/:id/package': PUBLIC,
  'POST /console/services/:id/package': own('offer', () => ({
    packageName: 'Drains',
    packagePrice: '99',
    cadence: 'once',
  })),
  'POST /console/services/:id/package/delete': own('offer'),
  'POST /console/services/:id/delete': own('spareOffer'),
  'POST /console/team': { ids: { 'body.email': 'new' }, body: () => ({ name: 'Crew 3' }) },
  'POST /console/team/:id/delete': own('spareMember'),
  'POST /console/profile': {
    body: () => ({ businessName: 'Clear Drains', serviceRadiusMiles: '25', acceptsEmergency: 'true' }),
  },
  'POST /console/profile/business': { body: () => ({ legalName: 'Drains LLC' }) },
  'POST /console/profile/texts': { body: () => ({ headline: 'Drains' }) },
  'POST /console/profile/site': { body: () => ({ heroTitle: 'Drains', sections: ['about', 'contact'] }) },
  // Files of other pros: test/web/console/pictures.test.ts.
  'POST /console/pictures': { body: () => ({ caption: 'Drains' }) },
  'POST /console/files': { body: () => ({ purpose: 'pro_logo' }) },
  'GET /console/files/:id': own('file'),
  // Leads to the list.
  'GET /console/my-reviews/:id/answer': PUBLIC,
  'POST /console/my-reviews/:id/answer': own('review', () => ({ content: 'Thank you.' })),
  'GET /console/jobs/:id': own('job'),
  'POST /console/jobs/:id': own('job', () => ({ action: 'start' })),
  'POST /console/jobs/:id/photos': own('job'),
  'POST /console/blocked-customers': { ids: { 'body.bookingId': 'booking', 'body.email': 'new' } },
  'POST /console/blocked-customers/:id/delete': own('spareCustomerBlock'),
  'POST /console/calendars': { ids: { 'body.memberId': 'member' }, body: calendar },
  'POST /console/calendars/:id/read': own('calendar'),
  'POST /console/calendars/:id/delete': own('spareCalendar'),
  'POST /console/settings': {
    body: () => ({
      bookingLeadTimeHours: '2',
      bookingBufferMinutes: '15',
      defaultSlotMinutes: '60',
      depositPercentage: '',
    }),
  },
  'POST /console/closing': { body: () => ({ password: 'not this one', name: 'Another name' }) },
  'POST /console/settings/status': { body: () => ({ action: 'pause' }) },
  'POST /console/settings/calendar': { ids: { 'body.memberId': 'member' }, body: () => ({ action: 'renew' }) },
  'GET /console/leads/:id': own('lead'),
  // Leads to the page of the id.
  'GET /console/leads/:id/quote': PUBLIC,
  'POST /console/leads/:id/archive': own('lead'),
  'POST /console/leads/:id/quote': own('lead', () => ({ amount: '500' })),
  'POST /console/quotes/:id/send': own('quote'),
  'POST /console/quotes/:id/delete': own('quote'),
  'POST /console/proposals/:id/confirm': own('proposal'),
  'POST /console/proposals/:id/dismiss': own('proposal'),
}
