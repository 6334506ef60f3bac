// Pros as the programs of operators read and create them.
import { type Static, Type } from '@sinclair/typebox'

import { Integer, Natural } from '../../../platform/schema/numbers.ts'
import {
  Email,
  FreeText,
  Instant,
  Line,
  Name,
  Nullable,
  OneOf,
  Text,
  Uri,
  Uuid,
} from '../../../platform/schema/types.ts'
import { MAX_PLAN_NAME, NO_PLAN } from '../plans/schemas.ts'
import { MAX_EXTERNAL_ID, MAX_RADIUS_MILES } from '../pros/schemas.ts'
import type { ProAction, ProStatus } from '../pros/states.ts'

const STATES = ['active', 'paused', 'closed'] as const satisfies readonly ProStatus[]
const ACTIONS = ['pause', 'resume', 'close', 'reopen'] as const satisfies readonly ProAction[]

const NullableText = Nullable(Type.String())
const ExternalId = Line(MAX_EXTERNAL_ID, {
  minLength: 1,
  description: 'By which your own system knows the pro; no two pros have the same',
})

const marks = {
  verified: Type.Boolean(),
  backgroundCheck: Type.Boolean(),
  insurance: Type.Boolean(),
  credentials: Type.Boolean(),
}

export const PlatformPro = Type.Object(
  {
    id: Uuid(),
    externalId: NullableText,
    slug: Type.String(),
    businessName: Type.String(),
    profileUrl: Uri(),
    status: OneOf(STATES, { description: 'Customers find and book active pros only' }),
    pausedByOperator: Type.Boolean({ description: 'Only an operator resumes the pro' }),
    owner: Type.Object({
      email: Type.String(),
      hasLogin: Type.Boolean({ description: 'Whether the pro has a log-in, which an invitation makes' }),
    }),
    phone: NullableText,
    website: NullableText,
    place: Type.Object({
      city: Type.String(),
      state: Type.String(),
      latitude: Type.Number(),
      longitude: Type.Number(),
      timeZone: Type.String(),
    }),
    serviceRadiusMiles: Natural(),
    plan: Type.String(),
    marks: Type.Object(marks, { description: 'What was checked' }),
    declared: Type.Object(
      {
        legalName: NullableText,
        licenseNumber: NullableText,
        licenseState: NullableText,
        insuranceCarrier: NullableText,
      },
      { description: 'What the pro says of itself, and operators check' },
    ),
    askedForVerificationAt: Nullable(Instant(), { description: 'Null unless a request waits for an operator' }),
    services: Type.Array(Type.Object({ id: Uuid(), name: Type.String() })),
    closing: Nullable(
      Type.Object({
        closedAt: Instant(),
        eraseAt: Instant({ description: 'Until then the account can be reopened' }),
        erasedAt: Nullable(Instant()),
      }),
      { description: 'Null unless the account is closed' },
    ),
    createdAt: Instant(),
  },
  { $id: 'PlatformPro' },
)
export type PlatformPro = Static<typeof PlatformPro>

export const PlatformProAnswer = Type.Object({ pro: PlatformPro }, { $id: 'PlatformProAnswer' })
export type PlatformProAnswer = Static<typeof PlatformProAnswer>

export const PlatformProList = Type.Object(
  {
    pros: Type.Array(PlatformPro),
    nextCursor: Nullable(Uuid(), { description: 'The `cursor` of the next page; null on the last one' }),
  },
  { $id: 'PlatformProList' },
)
export type PlatformProList = Static<typeof PlatformProList>

export const MAX_PAGE = 200

export const PlatformProsQuery = Type.Object({
  status: Type.Optional(OneOf(STATES)),
  externalId: Type.Optional(ExternalId),
  q: Type.Optional(
    Text(200, {
      minLength: 1,
      description: 'A part of the business name or slug, the owner’s e-mail address, or the id',
    }),
  ),
  limit: Type.Optional(Integer({ minimum: 1, maximum: MAX_PAGE, default: 50 })),
  cursor: Type.Optional(Uuid({ description: 'The `nextCursor` of the page before' })),
})
export type PlatformProsQuery = Static<typeof PlatformProsQuery>

export const NewPlatformPro = Type.Object(
  {
    businessName: Name(),
    email: Email({ description: 'Of the owner. Its account has no other pro' }),
    place: Line(200, {
      minLength: 1,
      description:
        'A city or a ZIP code, with or without a street, or a point of a map: `Columbus, OH`, `43215` or `39.96, -83.00`',
    }),
    serviceRadiusMiles: Integer({ minimum: 1, maximum: MAX_RADIUS_MILES, description: 'How far the pro comes' }),
    phone: Type.Optional(Line(50)),
    plan: Type.Optional(Line(MAX_PLAN_NAME, { minLength: 1, default: NO_PLAN })),
    externalId: Type.Optional(ExternalId),
    invite: Type.Optional(
      Type.Boolean({ default: false, description: 'Sends the owner a link to choose a password, which expires' }),
    ),
  },
  { $id: 'NewPlatformPro', additionalProperties: false },
)
export type NewPlatformPro = Static<typeof NewPlatformPro>

export const PlatformProCreated = Type.Object(
  {
    pro: PlatformPro,
    isOutsideArea: Type.Boolean({ description: 'The pro comes to no place of the area of the marketplace' }),
  },
  { $id: 'PlatformProCreated' },
)
export type PlatformProCreated = Static<typeof PlatformProCreated>

const reason = FreeText({ minLength: 1, description: 'The pro reads it' })

export const NewProStatus = Type.Object(
  { action: OneOf(ACTIONS), reason },
  { $id: 'NewProStatus', additionalProperties: false },
)
export type NewProStatus = Static<typeof NewProStatus>

export const NewMarks = Type.Object({ ...marks, reason }, { $id: 'NewMarks', additionalProperties: false })
export type NewMarks = Static<typeof NewMarks>

export const NewRefusal = Type.Object({ reason }, { $id: 'NewRefusal', additionalProperties: false })
export type NewRefusal = Static<typeof NewRefusal>

export const ProOpenWork = Type.Object(
  {
    visits: Natural({ description: 'Bookings that have not begun: they are cancelled' }),
    begunVisits: Natural(),
    jobs: Natural(),
    requests: Natural(),
    refunds: Type.Array(Type.Object({ currency: Type.String(), cents: Natural() }), {
      description: 'What customers have paid for them',
    }),
    keys: Natural(),
    apps: Natural(),
    endpoints: Natural(),
    calendars: Natural(),
  },
  { $id: 'ProOpenWork' },
)
