// The one form in which every interface shows a price. The database computes it: `price_object` in sql/functions/price.sql.
import { type Static, Type } from '@sinclair/typebox'

import { fromCents, toCents } from './money.ts'
import { Nullable, OneOf } from './types.ts'

export const Price = Type.Object(
  {
    type: OneOf(['flat', 'hourly', 'per_unit']),
    basePrice: Nullable(Type.Number({ description: 'The same as `base`' })),
    base: Nullable(Type.Number({ description: 'The usual price; null where only a range is set, or nothing' })),
    min: Nullable(Type.Number({ description: 'The lower end of a range' })),
    max: Nullable(Type.Number({ description: 'The upper end of a range' })),
    unit: Nullable(Type.String({ description: 'What the amounts are for, such as `hour`; null: a visit' })),
    from: Nullable(Type.Number({ description: 'The lowest price for one unit; null where it is not set' })),
    total: Nullable(
      Type.Number({
        description:
          'All that is to be paid, with the fee that such a booking takes; null while it is not known to the cent',
      }),
    ),
    currency: Type.String({ examples: ['USD'] }),
  },
  { $id: 'Price', description: 'A price, in units of the currency' },
)
export type Price = Static<typeof Price>

/** The price of a booking that takes a fee besides. */
export const withFee = (price: Price, fee: number): Price => ({
  ...price,
  total: price.total === null ? null : fromCents(toCents(price.total) + toCents(fee)),
})
