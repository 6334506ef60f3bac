// The access rule of each route. test/http/access.test.ts compares the app with this table from the design (§3).
import type { Scope } from '../../src/auth/scopes.ts'
import type { Access } from '../../src/auth/access.ts'

interface Row {
  key: Access['key']
  scopes: readonly Scope[]
  /** The key needs all scopes, not one of them. */
  all?: true
  owner?: 'pro' | 'client' | 'operator'
  /** Without a key it still refuses pages of other sites, as agent servers do. */
  ownPagesOnly?: true
}

const catalog = { key: 'optional', scopes: ['services:read', 'pros:read', 'pricing:read', 'widget:public'] } as const
const reads = { key: 'optional', scopes: ['availability:read', 'reviews:read', 'widget:public'] } as const
const proReads = { key: 'required', scopes: ['pro:read'], owner: 'pro' } as const
const proWrites = { key: 'required', scopes: ['pro:write'], owner: 'pro' } as const

const platformReads = { key: 'required', scopes: ['platform:read'], owner: 'operator' } as const
const platformWrites = { key: 'required', scopes: ['platform:write'], owner: 'operator' } as const

const webhooks = { key: 'required', scopes: ['webhooks:manage'] } as const

/** A row per route. */
export const TABLE: Record<string, Row> = {
  'GET /api/v1/services': catalog,
  'GET /api/v1/cities': catalog,
  'GET /api/v1/places': catalog,
  'GET /api/v1/pros': catalog,
  'GET /api/v1/pros/:id': catalog,
  'GET /api/v1/profile/public/:profileId': catalog,
  'GET /api/v1/pricing': catalog,
  'GET /api/v1/pros/:id/availability': reads,
  'GET /api/v1/availability/query': reads,
  'POST /api/v1/bookings': { key: 'required', scopes: ['bookings:write', 'widget:book'] },
  'GET /api/v1/bookings': { key: 'optional', scopes: ['bookings:write', 'widget:book', 'pro:read'] },
  'POST /api/v1/bookings/create': { key: 'required', scopes: ['bookings:write', 'widget:book'] },
  'POST /api/v1/bookings/:id/cancel': { key: 'required', scopes: ['bookings:write', 'widget:book'] },
  'POST /api/v1/bookings/:id/reschedule': { key: 'required', scopes: ['bookings:write', 'widget:book'] },
  'POST /api/v1/bookings/:id/proposed-time': { key: 'required', scopes: ['bookings:write', 'widget:book'] },
  'GET /api/v1/pro/bookings': proReads,
  'GET /api/v1/pro/blocked-customers': proReads,
  'POST /api/v1/pro/blocked-customers': proWrites,
  'DELETE /api/v1/pro/blocked-customers/:id': proWrites,
  'GET /api/v1/pro/bookings/:id': proReads,
  'POST /api/v1/pro/bookings/:id': proWrites,
  'GET /api/v1/pro/team': proReads,
  'POST /api/v1/pro/team': proWrites,
  'DELETE /api/v1/pro/team/:id': proWrites,
  // The client secret in the path authorizes reading and paying.
  'POST /sandbox/payments/:clientSecret': { key: 'optional', scopes: [] },
  'GET /api/v1/packages': { key: 'required', scopes: ['packages:read'] },
  'GET /api/v1/packages/compare': { key: 'required', scopes: ['packages:read'] },
  'GET /api/v1/packages/:id': { key: 'required', scopes: ['packages:read'] },
  'GET /api/v1/properties': { key: 'required', scopes: ['mcp:read'], owner: 'client' },
  'POST /api/v1/properties': { key: 'required', scopes: ['mcp:write'], owner: 'client' },
  'GET /api/v1/properties/:id': { key: 'required', scopes: ['mcp:read'], owner: 'client' },
  'PUT /api/v1/properties/:id': { key: 'required', scopes: ['mcp:write'], owner: 'client' },
  'DELETE /api/v1/properties/:id': { key: 'required', scopes: ['mcp:write'], owner: 'client' },
  'GET /api/v1/pro/calendars': proReads,
  'POST /api/v1/pro/calendars': proWrites,
  'DELETE /api/v1/pro/calendars/:id': proWrites,
  'GET /api/v1/pro/availability': proReads,
  'PATCH /api/v1/pro/availability': proWrites,
  'POST /api/v1/pro/availability': proWrites,
  'DELETE /api/v1/pro/availability/:id': proWrites,
  'GET /api/v1/pro/profile': proReads,
  'PATCH /api/v1/pro/profile': proWrites,
  'GET /api/v1/pro/public-profile': proReads,
  'PATCH /api/v1/pro/public-profile': proWrites,
  'GET /api/v1/pro/business-entity': proReads,
  'PATCH /api/v1/pro/business-entity': proWrites,
  'GET /api/v1/pro/site-config': proReads,
  'PATCH /api/v1/pro/site-config': proWrites,
  'GET /api/v1/pro/locations': proReads,
  'GET /api/v1/pro/services': proReads,
  'PATCH /api/pro/services': proWrites,
  'GET /api/v1/pro/pictures': proReads,
  'PUT /api/v1/pro/pictures': proWrites,
  'GET /api/v1/pros/:id/pictures': { key: 'optional', scopes: ['pros:read', 'widget:public'] },
  'GET /api/v1/pro/jobs/:id/photos': proReads,
  'POST /api/v1/pro/jobs/:id/photos': proWrites,
  // The address is the secret.
  'GET /files/:file': { key: 'none', scopes: [] },
  'POST /api/v1/files': { key: 'required', scopes: ['pro:write', 'rfqs:write', 'widget:book', 'reviews:write'] },
  'POST /api/v1/files/:id/complete': {
    key: 'required',
    scopes: ['pro:write', 'rfqs:write', 'widget:book', 'reviews:write'],
  },
  'GET /api/v1/files/:id': {
    key: 'required',
    scopes: ['pro:write', 'rfqs:write', 'widget:book', 'reviews:write', 'pro:read'],
  },
  'GET /api/v1/bookings/:id': { key: 'required', scopes: ['bookings:write', 'widget:book', 'pro:read'] },
  'POST /api/v1/rfqs': { key: 'required', scopes: ['rfqs:write', 'widget:book'] },
  'GET /api/v1/rfqs/:id': { key: 'required', scopes: ['rfqs:write'] },
  'GET /api/v1/rfqs': { key: 'required', scopes: ['rfqs:write'] },
  'GET /api/v1/pro/leads': proReads,
  'GET /api/v1/pro/leads/:id': proReads,
  'POST /api/v1/pro/leads/:id/archive': proWrites,
  'POST /api/v1/pro/quotes': proWrites,
  'GET /api/v1/pro/quotes': proReads,
  'GET /api/v1/pro/quotes/:id': proReads,
  'PATCH /api/v1/pro/quotes/:id': proWrites,
  'DELETE /api/v1/pro/quotes/:id': proWrites,
  'POST /api/v1/pro/quotes/:id/send': proWrites,
  // The token in the path is the secret.
  'GET /calendars/:token': { key: 'none', scopes: [] },
  'GET /api/v1/quotes/:token': { key: 'none', scopes: [] },
  'POST /api/v1/quotes/:token/accept': { key: 'optional', scopes: [] },
  'POST /api/v1/quotes/:token/decline': { key: 'optional', scopes: [] },
  'POST /api/v1/quotes/:token/cancel': { key: 'optional', scopes: [] },
  'GET /api/v1/pro/proposals': proReads,
  'GET /api/v1/pro/proposals/:id': proReads,
  'POST /api/v1/pro/proposals/:id/confirm': proWrites,
  'POST /api/v1/pro/proposals/:id/dismiss': proWrites,
  'GET /api/v1/pro/jobs': proReads,
  'GET /api/v1/pro/jobs/:id': proReads,
  'POST /api/v1/pro/jobs/:id': proWrites,
  'POST /api/v1/reviews': { key: 'required', scopes: ['reviews:write'] },
  'GET /api/v1/reviews': reads,
  'POST /api/v1/reviews/:id/helpful': { key: 'required', scopes: ['reviews:write'] },
  'GET /api/v1/pro/reviews': proReads,
  'POST /api/v1/pro/reviews/:id/response': proWrites,
  'GET /api/v1/pro/analytics': proReads,
  'GET /api/v1/webhooks': webhooks,
  'POST /api/v1/webhooks': webhooks,
  'GET /api/v1/webhooks/:id': webhooks,
  'PATCH /api/v1/webhooks/:id': webhooks,
  'DELETE /api/v1/webhooks/:id': webhooks,
  'POST /api/v1/webhooks/:id/rotate-secret': webhooks,
  'POST /api/v1/webhooks/:id/test': webhooks,
  'GET /api/v1/webhooks/:id/deliveries': webhooks,
  'GET /api/v1/webhooks/:id/deliveries/:eventId': webhooks,
  'POST /api/v1/webhooks/:id/deliveries/:eventId/replay': webhooks,
  'POST /api/v1/webhooks/:id/replay': webhooks,
  'POST /api/v1/webhooks/verify': { key: 'required', scopes: ['webhook:sign'] },
  'GET /api/v1/platform/pros': platformReads,
  'POST /api/v1/platform/pros': platformWrites,
  'GET /api/v1/platform/pros/:id': platformReads,
  'GET /api/v1/platform/pros/:id/open-work': platformReads,
  'POST /api/v1/platform/pros/:id/status': platformWrites,
  'PUT /api/v1/platform/pros/:id/marks': platformWrites,
  'POST /api/v1/platform/pros/:id/verification/refuse': platformWrites,
  'POST /api/v1/platform/pros/:id/invitation': platformWrites,
  'GET /api/v1/platform/catalog': platformReads,
  'POST /api/v1/platform/catalog/categories': platformWrites,
  'PATCH /api/v1/platform/catalog/categories/:id': platformWrites,
  'POST /api/v1/platform/catalog/categories/:id/merge': platformWrites,
  'POST /api/v1/platform/catalog/services': platformWrites,
  'PATCH /api/v1/platform/catalog/services/:id': platformWrites,
  'POST /api/v1/platform/catalog/services/:id/merge': platformWrites,
  'GET /api/v1/platform/places/area': platformReads,
  'PUT /api/v1/platform/places/area': platformWrites,
  'GET /api/v1/platform/places/districts': platformReads,
  'POST /api/v1/platform/places/districts': platformWrites,
  'PATCH /api/v1/platform/places/districts/:id': platformWrites,
  'DELETE /api/v1/platform/places/districts/:id': platformWrites,
  'GET /api/v1/platform/marketplace': platformReads,
  'PATCH /api/v1/platform/marketplace': platformWrites,
  'POST /api/mcp': { key: 'required', scopes: ['mcp:read', 'mcp:write'], all: true, owner: 'pro' },
  'POST /api/mcp/public': { key: 'none', scopes: [], ownPagesOnly: true },
  'POST /api/mcp/customer': {
    key: 'required',
    scopes: ['mcp:read', 'mcp:write', 'widget:public', 'widget:book', 'packages:read', 'packages:book'],
  },
}
