// What operators' programs name: pros and entries of the catalog, whose ids are public. Keys of tenants are refused on all routes.
import { PUBLIC, type Rule } from './isolation-rule.ts'

const about = (body?: Rule['body']): Rule => ({ ...PUBLIC, ...(body ? { body } : {}) })
const NO_ID = '01890000-0000-7000-8000-000000000000'
const reason = 'They asked for it.'

export const PLATFORM_RULES: Readonly<Record<string, Rule>> = {
  'GET /api/v1/platform/pros': { ids: { 'query.externalId': 'public' } },
  'POST /api/v1/platform/pros': {
    ids: { 'body.email': 'new', 'body.externalId': 'new' },
    body: () => ({ businessName: 'Oak', email: 'oak@test.example', place: 'Austin, TX', serviceRadiusMiles: 20 }),
  },
  'GET /api/v1/platform/pros/:id': about(),
  'GET /api/v1/platform/pros/:id/open-work': about(),
  'POST /api/v1/platform/pros/:id/status': about(() => ({ action: 'close', reason })),
  'PUT /api/v1/platform/pros/:id/marks': about(() => ({
    verified: true,
    backgroundCheck: true,
    insurance: true,
    credentials: true,
    reason,
  })),
  'POST /api/v1/platform/pros/:id/verification/refuse': about(() => ({ reason })),
  'POST /api/v1/platform/pros/:id/invitation': about(),
  'PUT /api/v1/platform/places/area': { body: () => ({ area: [] }) },
  'POST /api/v1/platform/places/districts': { body: () => ({ name: 'The Annex', state: 'TX', position: '78701' }) },
  'PATCH /api/v1/platform/places/districts/:id': about(() => ({ name: 'The Annex' })),
  'DELETE /api/v1/platform/places/districts/:id': about(),
  'PATCH /api/v1/platform/marketplace': { ids: { 'body.email': 'public' }, body: () => ({ name: 'Maple' }) },
  'POST /api/v1/platform/catalog/categories': { body: () => ({ name: 'Gardens' }) },
  'PATCH /api/v1/platform/catalog/categories/:id': about(() => ({ name: 'Gardens' })),
  'POST /api/v1/platform/catalog/categories/:id/merge': about(() => ({ into: NO_ID })),
  'POST /api/v1/platform/catalog/services': {
    ids: { 'body.categoryId': 'public' },
    body: () => ({ name: 'Pruning', categoryId: NO_ID, priceType: 'flat', durationMinutes: 60 }),
  },
  'PATCH /api/v1/platform/catalog/services/:id': {
    ids: { 'path.id': 'public', 'body.categoryId': 'public' },
    body: () => ({ name: 'Pruning' }),
  },
  'POST /api/v1/platform/catalog/services/:id/merge': about(() => ({ into: NO_ID })),
}
