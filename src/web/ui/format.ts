// Values as people read them.
import type { ProfessionalDetail } from '../../features/pros/schemas.ts'
import { type Html, html } from './html.ts'

const NUMBER = new Intl.NumberFormat('en-US')
const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const LONG_DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
const MOMENT = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

export const count = (value: number): string => NUMBER.format(value)

/** A number of things: "1 key", "3 keys". */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

/** An amount of whole currency. */
export const money = (amount: number, currency = 'USD', digits = 2): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency, maximumFractionDigits: digits }).format(amount)

/** A day, from an instant or a calendar date: "Jun 1, 2026". */
export const day = (instant: string): string => DAY.format(new Date(instant))

/** The same, written out: "June 1, 2026". */
export const longDay = (instant: string): string => LONG_DAY.format(new Date(instant))

const EXACT = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

/** An instant to the second: "Jun 1, 2026, 12:00:05 UTC". */
export const exactDateTime = (instant: string): Html =>
  html`<time datetime="${instant}">${EXACT.format(new Date(instant))} UTC</time>`

/** An instant: "Jun 1, 2026, 12:00 UTC". */
export const dateTime = (instant: string): Html =>
  html`<time datetime="${instant}">${MOMENT.format(new Date(instant))} UTC</time>`

type Pricing = ProfessionalDetail['services'][number]['pricing']

/** The price of a service: "$80 to $160", "$95 per hour", "from $50", or "By quote" when the pro has set none. */
export function priceOf({ basePrice, min, max, unit, currency }: Pricing): string {
  const per = unit === null ? '' : ` per ${unit.replaceAll('_', ' ').replace(/^per /, '')}`
  const amount = (value: number) => money(value, currency, 0)
  if (min !== null && max !== null && min !== max) return `${amount(min)} to ${amount(max)}${per}`
  const lowest = basePrice ?? min ?? max
  return lowest === null ? 'By quote' : `${min === null && max === null ? '' : 'from '}${amount(lowest)}${per}`
}

/** "45 minutes", "2 hours", "1 hour 30 minutes". */
export function duration(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 && plural(hours, 'hour'), rest > 0 && plural(rest, 'minute')].filter(Boolean).join(' ')
}
