// The shapes of the verification of pros.
import { type Static, Type } from '@sinclair/typebox'

import { pageParameters } from '../../platform/schema/paging.ts'
import { OneOf, Text } from '../../platform/schema/types.ts'

/** What Hearth has checked of a pro. Search filters and shows it. */
export interface Marks {
  readonly verified: boolean
  readonly backgroundCheck: boolean
  readonly insurance: boolean
  readonly credentials: boolean
}

export interface CheckedPro extends Marks {
  readonly id: string
  readonly slug: string
  readonly businessName: string
  readonly email: string
  readonly city: string
  readonly state: string
  readonly phone: string | null
  readonly website: string | null
  readonly reviewCount: number
  readonly createdAt: string
}

/** `q` is a part of a business name, a slug or an e-mail address, or an id. */
export const VerificationQuery = Type.Object({
  q: Type.Optional(Text(200)),
  show: Type.Optional(OneOf(['unverified', 'verified', 'all'])),
  ...pageParameters,
})
export type VerificationQuery = Static<typeof VerificationQuery>
