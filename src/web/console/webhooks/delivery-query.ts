// The filters of lists of deliveries.
import { type Static, Type } from '@sinclair/typebox'

import { type DeliveryFilter, WebhookParams } from '../../../webhooks/endpoints/schemas.ts'
import { pageParameters } from '../../../platform/schema/paging.ts'
import { CalendarDate, OneOf, Text } from '../../../platform/schema/types.ts'

/** The filters of a list. Forms send an empty text for "any". */
export const DeliveriesQuery = Type.Object({
  type: Type.Optional(Text(100)),
  state: Type.Optional(OneOf(['', 'pending', 'delivered', 'failed'])),
  /** The id of an event, or the id or booking code of what it is about. */
  about: Type.Optional(Text(100)),
  day: Type.Optional(Type.Union([Type.Literal(''), CalendarDate()])),
  /** Whether the list refreshes itself. */
  live: Type.Optional(OneOf(['1'])),
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
  about: query.about?.trim() || undefined,
  day: query.day || undefined,
  limit: query.limit,
  offset: query.offset,
})
