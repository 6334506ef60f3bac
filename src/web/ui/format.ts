// Values as people read them.
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
export const some = (value: number, one: string, many = `${one}s`): string =>
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
export const exactMoment = (instant: string): Html =>
  html`<time datetime="${instant}">${EXACT.format(new Date(instant))} UTC</time>`

/** An instant: "Jun 1, 2026, 12:00 UTC". */
export const moment = (instant: string): Html =>
  html`<time datetime="${instant}">${MOMENT.format(new Date(instant))} UTC</time>`
