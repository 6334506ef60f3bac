// GET /pro/services, and PATCH /api/pro/services. Spec §4.6.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { proKey } from '../../auth/access.ts'
import { guard } from '../../http/guard.ts'
import { json } from '../../http/json.ts'
import { proOf } from '../../auth/pro-caller.ts'
import { Offer, OfferChange, Offers } from './schemas.ts'
import { changeOffer, listOffers } from './verbs.ts'

const tags = ['Pro settings']

export const offerRoutes = (deps: Deps) =>
  new Elysia({ name: 'offers', prefix: '/pro' }).use(guard(deps)).get(
    '/services',
    async function getProServices({ caller }) {
      return json(await listOffers(deps, proOf(caller)))
    },
    {
      access: proKey('pro:read'),
      answers: { 200: { description: 'The services with their prices and packages', schema: Offers } },
      detail: { tags, summary: 'The pro’s offers' },
    },
  )

/** The spec puts this route under /api, not /api/v1. */
export const offerChangeRoutes = (deps: Deps) =>
  new Elysia({ name: 'offer-changes', prefix: '/api/pro' }).use(guard(deps)).patch(
    '/services',
    async function patchProServices({ caller, body }) {
      return json(await changeOffer(deps, proOf(caller), body))
    },
    {
      access: proKey('pro:write'),
      body: OfferChange,
      answers: {
        200: { description: 'The changed offer', schema: Offer },
        404: { description: 'The pro does not offer the service' },
      },
      detail: { tags, summary: 'Change an offer: price, duration, package' },
    },
  )
