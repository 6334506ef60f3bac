// GET /pros/{id}/availability and GET /availability/query.
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { publicRead } from '../../../auth/access.ts'
import { flaggedFields } from '../../../http/flagged-fields.ts'
import { guard } from '../../../http/guard.ts'
import { NOT_MODIFIED, problems, returns } from '../../../http/responses.ts'
import { publicJson } from '../../../http/json.ts'
import { PACKAGE_CHOICE } from '../../business/packages/rules/offered.ts'
import { ProParams } from '../../search/pros/schemas.ts'
import { Availability, AvailabilityQuery, ServiceAvailability, ServiceAvailabilityQuery } from './schemas.ts'
import { listOpenSlots, listServiceSlots } from './verbs.ts'

const access = publicRead('availability:read', 'widget:public')

export const availabilityRoutes = (deps: Deps) =>
  new Elysia({ name: 'availability' })
    .use(guard(deps))
    .get(
      '/pros/:id/availability',
      async function getAvailability({ ctx, request, params, query }) {
        return publicJson(ctx, request, await listOpenSlots(ctx, { ...query, pro: params.id }))
      },
      {
        access,
        params: ProParams,
        query: AvailabilityQuery,
        response: {
          200: returns('The slots of each day', Availability),
          304: NOT_MODIFIED,
          ...problems({ 404: 'No such pro, or the pro does not offer the service or package' }),
        },
        detail: {
          ...flaggedFields(PACKAGE_CHOICE),
          tags: ['Availability'],
          summary: 'Open times of a pro',
          description:
            'Business hours minus blocked time minus bookings. With `serviceId` or `packageId`, the slots last as long as it takes with this pro, every available one can be booked, and there are none if it cannot be booked at once. Without them, slots last the pro’s default, and each available one can be booked with POST /bookings for any service without an obstacle.',
        },
      },
    )
    .get(
      '/availability/query',
      async function queryAvailability({ ctx, request, query }) {
        return publicJson(ctx, request, await listServiceSlots(ctx, query))
      },
      {
        access,
        query: ServiceAvailabilityQuery,
        response: {
          200: returns('The slots of that day, each as long as the service takes', ServiceAvailability),
          304: NOT_MODIFIED,
          ...problems({ 404: 'No such pro, or the pro does not offer the service' }),
        },
        detail: {
          tags: ['Availability'],
          summary: 'Open times of a pro for one service on one day',
          description:
            'Every available slot can be booked. A service that cannot be booked at once has no slots; `obstacle` says why.',
        },
      },
    )
