// The widget's words, and its elements.

/** "90 minutes", "2 hours". */
export const lengthOf = (minutes: number): string =>
  minutes % 60 === 0 ? `${minutes / 60} hour${minutes === 60 ? '' : 's'}` : `${minutes} minutes`

export const minutesBetween = (start: string, end: string): number =>
  Math.round((Date.parse(end) - Date.parse(start)) / 60_000)

export const dateAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)

const dateIn = (date: string, parts: Intl.DateTimeFormatOptions): string =>
  new Date(date).toLocaleDateString('en-US', { ...parts, timeZone: 'UTC' })

/** "Wed, Jun 3", which wraps after the weekday only. */
export const dayName = (date: string): string =>
  dateIn(date, { weekday: 'short', month: 'short', day: 'numeric' }).replace(/ (?=\d)/, '\u00A0')

/** "2:15 PM", from "14:15". */
export function clockTime(time: string): string {
  const [hours, minutes] = time.split(':')
  return `${Number(hours) % 12 || 12}:${minutes} ${Number(hours) < 12 ? 'AM' : 'PM'}`
}

/** "Tuesday, June 2, 2:15 PM". */
export const whenText = (date: string, time: string): string =>
  `${dateIn(date, { weekday: 'long', month: 'long', day: 'numeric' })}, ${clockTime(time)}`

/** "June 2026". */
export const monthName = (date: string): string => dateIn(date, { month: 'long', year: 'numeric' })

/** The first day of a date's month, or of one `months` later. */
export function monthStart(date: string, months = 0): string {
  const [year, number] = date.split('-')
  return new Date(Date.UTC(Number(year), Number(number) - 1 + months, 1)).toISOString().slice(0, 10)
}

type Content = Node | string | false | undefined

/** Creates an element. Content is text, never parsed as HTML. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...content: readonly Content[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
  element.append(...content.filter((child): child is Node | string => !!child))
  return element
}

/** A link to a page of Hearth, which opens beside the page around the widget. */
export const linkTo = (href: string, text: string): HTMLElement =>
  make('a', { href, target: '_blank', rel: 'noopener' }, text)
