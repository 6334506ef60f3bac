// The shapes of the verification of pros.
import { type Static, Type } from '@sinclair/typebox'

import { pageParameters } from '../../../platform/schema/paging.ts'
import { FreeText, Line, OneOf, Text } from '../../../platform/schema/types.ts'
import type { ProStatus } from '../pros/states.ts'

/** What Hearth has checked of a pro. Search filters and shows it. */
export interface Marks {
  readonly verified: boolean
  readonly backgroundCheck: boolean
  readonly insurance: boolean
  readonly credentials: boolean
}

export type Mark = keyof Marks

/** What people call the marks. */
export const MARK_NAMES: Readonly<Record<Mark, string>> = {
  verified: 'Verified',
  backgroundCheck: 'Background check',
  insurance: 'Insurance',
  credentials: 'Credentials',
}

/** What a mark rests on. */
export interface Evidence {
  readonly mark: Mark
  /** What was seen, and where. Only operators read it. */
  readonly evidence: string | null
  /** The last day on which the mark holds, in the pro's time zone; null where it has no end. */
  readonly validUntil: string | null
}

/** What a pro says of itself, and operators check. */
export interface Declared {
  readonly businessName: string
  readonly licenseNumber: string | null
  readonly licenseState: string | null
  readonly insuranceCarrier: string | null
}

export interface CheckedPro extends Marks, Declared {
  readonly id: string
  readonly slug: string
  readonly legalName: string | null
  readonly email: string
  readonly city: string
  readonly state: string
  readonly phone: string | null
  readonly website: string | null
  readonly reviewCount: number
  readonly createdAt: string
  readonly status: ProStatus
  readonly pausedByOperator: boolean
  /** The request that waits for an operator. */
  readonly request: VerificationRequest | null
}

/** What a pro sends with the request to be verified. */
export const NewVerificationRequest = Type.Object({
  licenseNumber: Type.Optional(Line(100)),
  licenseState: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
  note: Type.Optional(FreeText()),
})
export type NewVerificationRequest = Static<typeof NewVerificationRequest>

export interface VerificationRequest {
  readonly licenseNumber: string | null
  readonly licenseState: string | null
  readonly note: string | null
  readonly askedAt: string
  /** Why it was refused; null while it waits. */
  readonly refusal: string | null
  /** The marks that the pro lost by a change, with the name, license or insurer for which they were given. */
  readonly withdrawn: Readonly<Partial<Record<WithdrawnMark, string | null>>>
}

/** `verified` is given for a name, `credentials` for a license, `insurance` for an insurer. */
export type WithdrawnMark = 'verified' | 'credentials' | 'insurance'

/** What a pro sees: what was checked, and the last request, if the pro is not verified. */
export interface VerificationState extends Marks {
  readonly request: VerificationRequest | null
}

/** `q` is a part of a business name or slug, an e-mail address or an id. */
export const VerificationQuery = Type.Object({
  q: Type.Optional(Text(200)),
  show: Type.Optional(OneOf(['unverified', 'asked', 'verified', 'paused', 'closed', 'all'])),
  ...pageParameters,
})
export type VerificationQuery = Static<typeof VerificationQuery>
