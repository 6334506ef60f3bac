// The filters of lists of deliveries.
import { type Static, Type } from '@sinclair/typebox'

import { type DeliveryFilter, WebhookParams } from '../../../webhooks/endpoints/schemas.ts'
import { pageParameters } from '../../../platform/schema/paging.ts'
import { OneOf, Text } from '../../../platform/schema/types.ts'

/** The filters of a list. Forms send an empty text for "any". */
export const DeliveriesQuery = Type.Object({
  type: Type.Optional(Text(100)),
  state: Type.Optional(OneOf(['', 'pending', 'delivered', 'failed'])),
  ...pageParameters,
})
export const AllDeliveriesQuery = Type.Object({
  ...DeliveriesQuery.properties,
  endpoint: Type.Optional(Type.Union([Type.Literal(''), WebhookParams.properties.id])),
})

export const filterOf = (query: Static<typeof AllDeliveriesQuery>): DeliveryFilter => ({
  endpointId: query.endpoint || undefined,
  type: query.type || undefined,
  state: query.state || undefined,
  limit: query.limit,
  offset: query.offset,
})
