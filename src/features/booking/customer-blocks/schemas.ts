// The shapes of blocked customers.
import { type Static, Type } from '@sinclair/typebox'

import { PageMeta } from '../../../platform/schema/paging.ts'
import { Email, FreeText, Instant, Nullable, Uuid } from '../../../platform/schema/types.ts'

export const CustomerBlock = Type.Object(
  {
    id: Type.String(),
    email: Type.String({ description: 'With ASCII letters in lower case' }),
    reason: Nullable(Type.String(), { description: 'Only the pro sees it' }),
    createdAt: Instant(),
  },
  { $id: 'CustomerBlock' },
)
export type CustomerBlock = Static<typeof CustomerBlock>

export const NewCustomerBlock = Type.Object(
  {
    bookingId: Type.Optional(Uuid({ description: 'Blocks the customer of this booking of the pro' })),
    email: Type.Optional(Email({ description: 'Instead of `bookingId`' })),
    reason: Type.Optional(FreeText({ description: 'Only the pro sees it' })),
  },
  { $id: 'NewCustomerBlock', additionalProperties: false },
)
export type NewCustomerBlock = Static<typeof NewCustomerBlock>

export const CustomerBlocks = Type.Object(
  { customers: Type.Array(CustomerBlock), meta: PageMeta },
  { $id: 'CustomerBlocks' },
)
export type CustomerBlocks = Static<typeof CustomerBlocks>

export const CustomerBlocked = Type.Object(
  { success: Type.Boolean(), customer: CustomerBlock },
  { $id: 'CustomerBlocked' },
)
export type CustomerBlocked = Static<typeof CustomerBlocked>

export const CustomerBlockParams = Type.Object({ id: Uuid() })
