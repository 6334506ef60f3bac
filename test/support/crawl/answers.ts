// What a person enters into the fields of a form, by their names and types.
import { VISIT_ADDRESS, VISIT_PHONE } from '../booking-fixture.ts'
import type { Field, Form } from '../page-parts.ts'

/** The address of the person who fills in forms. */
export const CRAWLER_EMAIL = 'person@crawl.test.example'

const DAY_MS = 24 * 3600 * 1000
const dateIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

/** Where the person lives. */
export interface Home {
  readonly phone: string
  readonly address: Readonly<Record<'street' | 'city' | 'state' | 'zipCode', string>>
  /** What they search by. */
  readonly place: string
}

export const IN_TEXAS: Home = { phone: VISIT_PHONE, address: VISIT_ADDRESS, place: 'Austin, TX' }

const BY_NAME: readonly (readonly [RegExp, (home: Home) => string])[] = [
  [/e-?mail/i, () => CRAWLER_EMAIL],
  [/phone/i, ({ phone }) => phone],
  [/street/i, ({ address }) => address.street],
  [/^city$/i, ({ address }) => address.city],
  [/^state$/i, ({ address }) => address.state],
  [/zip/i, ({ address }) => address.zipCode],
  [/place/i, ({ place }) => place],
  [/^service$/i, () => 'plumber'],
  [/url|webhook|website/i, () => 'https://example.com/hook'],
  [/origin/i, () => 'https://example.com'],
  [/code/i, () => 'HTH-000000000000'],
  [/password/i, () => 'a good long password'],
  [/rating/i, () => '5'],
  [/price|amount|deposit/i, () => '120'],
  [/quantity|credits|tasks/i, () => '1'],
  [/hours|minutes|days|limit|radius/i, () => '60'],
]

const BY_TYPE: Record<string, (home: Home) => string> = {
  date: () => dateIn(3),
  time: () => '10:00',
  'datetime-local': () => `${dateIn(3)}T10:00`,
  email: () => CRAWLER_EMAIL,
  url: () => 'https://example.com/hook',
  number: () => '60',
  tel: ({ phone }) => phone,
  color: () => '#a83e17',
}

/**
 * The fields that a browser sends: what the page filled in, and with `isFilledIn` a plain answer in every empty field. Undefined
 * when a required field would stay empty.
 */
export function filledIn(
  { fields, hasPlainButton }: Form,
  { isFilledIn, home }: { isFilledIn: boolean; home: Home },
): Record<string, string | string[]> | undefined {
  const sent: Record<string, string[]> = {}
  for (const field of fields) {
    if (field.type === 'button' && hasPlainButton && isFilledIn) continue
    const value = valueOf(field, { isFilledIn, home, isSent: field.name in sent })
    if (value === '' && field.isRequired) return undefined
    if (value !== undefined) (sent[field.name] ??= []).push(value)
  }
  return sent
}

function valueOf(
  field: Field,
  { isFilledIn, home, isSent }: { isFilledIn: boolean; home: Home; isSent: boolean },
): string | undefined {
  const { type, value, options, isChecked } = field
  switch (type) {
    case 'hidden':
      return value
    case 'file':
      return undefined
    case 'radio':
      return isChecked || (isFilledIn && !isSent) ? value || 'on' : undefined
    case 'checkbox':
      return isChecked || isFilledIn ? value || 'on' : undefined
    case 'button':
      return isSent ? undefined : value
    case 'select':
      return (isFilledIn ? options.find((option) => option !== '') : options[0]) ?? ''
    default:
      if (value !== '' || !isFilledIn) return value
      return (
        BY_NAME.find(([name]) => name.test(field.name))?.[1](home) ?? BY_TYPE[type]?.(home) ?? 'The kitchen tap drips.'
      )
  }
}
