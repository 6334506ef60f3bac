// The widget's words, and its elements.

/** "$120", "$99.50". */
export const money = (amount) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', trailingZeroDisplay: 'stripIfInteger' }).format(
    amount,
  )

/** "90 minutes", "2 hours". */
export const lengthOf = (minutes) =>
  minutes % 60 === 0 ? `${minutes / 60} hour${minutes === 60 ? '' : 's'}` : `${minutes} minutes`

export const dateAfter = (date, days) => new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)

const DAY = new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' })
/** "Wed, Jun 3", which wraps after the weekday only. */
export function dayName(date) {
  return DAY.format(new Date(date)).replace(/ (?=\d)/, '\u00A0')
}

/** "2:15 PM", from "14:15". */
export function clockTime(time) {
  const [hours, minutes] = time.split(':')
  return `${hours % 12 || 12}:${minutes} ${hours < 12 ? 'AM' : 'PM'}`
}

/** "Central Time", from "America/Chicago". */
export function timeZoneName(timeZone) {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longGeneric' }).formatToParts()
  return parts.find(({ type }) => type === 'timeZoneName').value
}

/** Creates an element. Content is text, never parsed as HTML. */
export function make(name, attributes, ...content) {
  const element = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
  element.append(...content.filter((child) => child !== undefined && child !== false && child !== ''))
  return element
}
