// The sentence of a price, for the server and for the widget in other people's pages: hence without imports.

/** Where its currency is at home, an amount is dollars without a country. */
export const moneyFormat = (currency: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat =>
  new Intl.NumberFormat(currency === 'CAD' ? 'en-CA' : 'en-US', { style: 'currency', currency, ...options })

/** An amount without cents where it has none: "$83", "$0.45". Without a currency they are dollars of any country. */
export const shortMoney = (amount: number, currency = 'USD'): string =>
  moneyFormat(currency, { trailingZeroDisplay: 'stripIfInteger' }).format(amount)

/** The members of the API's price that people read. */
interface ShownPrice {
  readonly basePrice: number | null
  readonly min: number | null
  readonly max: number | null
  readonly unit: string | null
  readonly currency: string
}

/**
 * The price of a service: "$80 to $160 per visit", "$95 per hour", "from $0.45 per square foot", "up to $50 per visit", or
 * what remains to be said when the pro has set none, whether or not the service can be booked.
 */
export function priceOf({ basePrice, min, max, unit, currency }: ShownPrice): string {
  const per = ` per ${unit === null ? 'visit' : unit.replaceAll('_', ' ').replace(/^per /, '')}`
  const amount = (value: number) => shortMoney(value, currency)
  // The price's own `from` is the same. Messages that an earlier release planned have none.
  const from = min ?? basePrice
  if (from === null) return max === null ? 'Price agreed with the pro' : `up to ${amount(max)}${per}`
  if (max !== null && max > from) return `${amount(from)} to ${amount(max)}${per}`
  return `${min !== null && max === null ? 'from ' : ''}${amount(from)}${per}`
}
