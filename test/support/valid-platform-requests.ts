// A valid request of each route of operators' programs, and those of all other routes.
import { trades } from '../../src/features/catalog/entries/starter-set.ts'
import type { BookableSlot } from './app.ts'
import { type ValidRequest, validRequests } from './valid-requests.ts'

const NO_ID = '01890000-0000-7000-8000-000000000000'
const path = { id: NO_ID }
const ofDistrict = { id: '1999999999' }
const reason = 'They asked for it.'
const marks = { verified: true, backgroundCheck: true, insurance: true, credentials: true }

export const PLATFORM_REQUESTS: Readonly<Record<string, ValidRequest>> = {
  'GET /api/v1/platform/pros': {
    query: { status: 'active', externalId: 'crm-1', q: 'oak', limit: '5', cursor: NO_ID },
  },
  'POST /api/v1/platform/pros': {
    body: {
      businessName: 'Oak',
      email: 'oak.1@test.example',
      place: 'Austin, TX',
      serviceRadiusMiles: 20,
      phone: '512-555-0142',
      plan: 'none',
      externalId: 'crm-1',
      invite: false,
    },
  },
  'GET /api/v1/platform/pros/:id': { path },
  'GET /api/v1/platform/pros/:id/open-work': { path },
  'POST /api/v1/platform/pros/:id/status': { path, body: { action: 'pause', reason } },
  'PUT /api/v1/platform/pros/:id/marks': { path, body: { ...marks, reason } },
  'POST /api/v1/platform/pros/:id/verification/refuse': { path, body: { reason } },
  'POST /api/v1/platform/pros/:id/invitation': { path },
  'POST /api/v1/platform/catalog/categories': {
    body: { name: 'Ponds', slug: 'ponds', synonyms: ['Lakes'], after: null },
  },
  'PATCH /api/v1/platform/catalog/categories/:id': { path, body: { name: 'Ponds', active: true, version: 'a' } },
  'POST /api/v1/platform/catalog/categories/:id/merge': { path, body: { into: NO_ID } },
  'POST /api/v1/platform/catalog/services': {
    body: { name: 'Pond digging', categoryId: trades[0]?.id ?? '', priceType: 'flat', durationMinutes: 60 },
  },
  'PATCH /api/v1/platform/catalog/services/:id': { path, body: { durationMinutes: 90, atCustomer: true } },
  'POST /api/v1/platform/catalog/services/:id/merge': { path, body: { into: NO_ID } },
  'PUT /api/v1/platform/places/area': { body: { area: [{ place: 'Austin, TX', radiusMiles: 30 }] } },
  'POST /api/v1/platform/places/districts': {
    body: { name: 'Hyde Park Corner', state: 'TX', position: '30.305, -97.730' },
  },
  'PATCH /api/v1/platform/places/districts/:id': { path: ofDistrict, body: { name: 'Old Park' } },
  'DELETE /api/v1/platform/places/districts/:id': { path: ofDistrict },
  'PATCH /api/v1/platform/marketplace': { body: { name: 'Maple', phone: '512-555-0100', feeCents: 500 } },
}

export const allValidRequests = (slot: BookableSlot): Record<string, ValidRequest> => ({
  ...validRequests(slot),
  ...PLATFORM_REQUESTS,
})
