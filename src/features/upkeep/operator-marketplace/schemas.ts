// The marketplace and its places as the programs of operators read and change them.
import { type Static, Type } from '@sinclair/typebox'

import { Integer, Natural } from '../../../platform/schema/numbers.ts'
import { Line, Nullable } from '../../../platform/schema/types.ts'
import { MAX_DISTRICT_NAME } from '../../catalog/services/rules/districts.ts'
import { DEFAULTS, FIELDS, FileCircle, MAX_CIRCLES, MAX_FEE_CENTS } from '../marketplace/schemas.ts'

const { name, country, ...others } = FIELDS
const texts = {
  name,
  tagline: Nullable(others.tagline, { description: 'One sentence, on the first page' }),
  email: Nullable(others.email, { description: 'Whom people write to' }),
  phone: Nullable(others.phone),
  address: Nullable(others.address, { description: 'The postal address, in lines' }),
  accent: Nullable(others.accent, { description: 'The colour of links and buttons' }),
  country,
}
const defaults = {
  ...DEFAULTS,
  feeCents: Integer({ minimum: 0, maximum: MAX_FEE_CENTS, description: 'Of a booking, besides a deposit: 0 for none' }),
}
const isOpen = Type.Boolean({ description: 'Otherwise visitors see that the marketplace opens soon' })
const Version = Integer({ minimum: 0, maximum: 1_000_000_000 })
const version = Type.Optional({
  ...Version,
  description: 'The `version` that was read: refused when it is another one now',
})

export const PlatformMarketplace = Type.Object(
  {
    version: Natural({ description: 'Grows with every change, also of the area' }),
    isOpen,
    ...texts,
    ...defaults,
    setByEnvironment: Type.Array(Type.String(), {
      description: 'The fields that the configuration of the server decides, whatever is chosen here',
    }),
  },
  { $id: 'PlatformMarketplace' },
)
export type PlatformMarketplace = Static<typeof PlatformMarketplace>

// A key has no second factor: it does not decide whether operators need one.
const { operatorsNeedFactor: _, ...changeable } = defaults

export const MarketplaceChange = Type.Object(
  { version, ...Type.Partial(Type.Object({ isOpen, ...texts, ...changeable })).properties },
  { $id: 'MarketplaceChange', additionalProperties: false },
)
export type MarketplaceChange = Static<typeof MarketplaceChange>

export const PlatformArea = Type.Object(
  {
    version: Natural({ description: 'Of the marketplace' }),
    area: Type.Array(
      Type.Object({
        place: Type.String(),
        latitude: Type.Number(),
        longitude: Type.Number(),
        radiusMiles: Type.Number(),
      }),
      { description: 'Empty for everywhere' },
    ),
    cities: Natural({ description: 'How many cities lie within' }),
    postalCodes: Natural({ description: 'How many postal codes have their middle within' }),
  },
  { $id: 'PlatformArea' },
)
export type PlatformArea = Static<typeof PlatformArea>

export const NewArea = Type.Object(
  {
    version,
    area: Type.Array(FileCircle, {
      maxItems: MAX_CIRCLES,
      description: 'Places with the distance around them. Without a position, a place is one that the catalog knows',
    }),
  },
  { $id: 'NewArea', additionalProperties: false },
)
export type NewArea = Static<typeof NewArea>

export const PlatformDistrict = Type.Object(
  {
    id: Natural(),
    name: Type.String(),
    state: Type.String(),
    latitude: Type.Number(),
    longitude: Type.Number(),
    pros: Natural({ description: 'How many pros are there: it stays while there are some' }),
  },
  { $id: 'PlatformDistrict' },
)
export type PlatformDistrict = Static<typeof PlatformDistrict>

export const DistrictList = Type.Object({ districts: Type.Array(PlatformDistrict) }, { $id: 'DistrictList' })
export type DistrictList = Static<typeof DistrictList>
export const DistrictAnswer = Type.Object({ district: PlatformDistrict }, { $id: 'DistrictAnswer' })
export type DistrictAnswer = Static<typeof DistrictAnswer>

const districtName = Line(MAX_DISTRICT_NAME, { minLength: 1, description: 'As people say it: `The Annex`' })

export const NewDistrict = Type.Object(
  {
    name: districtName,
    state: Line(10, { minLength: 1, description: 'The code of the state: `OH`' }),
    position: Line(200, { minLength: 1, description: 'Latitude and longitude: `43.670, -79.404`; or a ZIP code' }),
  },
  { $id: 'NewDistrict', additionalProperties: false },
)
export type NewDistrict = Static<typeof NewDistrict>

export const DistrictChange = Type.Object(
  { name: districtName },
  { $id: 'DistrictChange', additionalProperties: false },
)
export type DistrictChange = Static<typeof DistrictChange>
