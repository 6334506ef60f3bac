// What the columns of a line say, read and checked: each fault names its column. An empty value clears phone, website, description and
// years, and leaves the others as they are.
import { Value } from '@sinclair/typebox/value'

import { typedDistance } from '../../../../platform/text/distance.ts'
import type { Region } from '../../../../platform/text/region.ts'
import { normalEmail } from '../../../../platform/schema/email.ts'
import { HttpUrl, isEmail } from '../../../../platform/schema/types.ts'
import type { PlanId } from '../../plans/schemas.ts'
import { MAX_EXTERNAL_ID, MAX_RADIUS_MILES } from '../../pros/schemas.ts'
import type { Given, LineFault, ProFields } from '../schemas.ts'
import { type Column, nameOfColumn } from './columns.ts'
import { readHours } from './hours-cell.ts'

const MAX_BUSINESS_NAME = 200
const MAX_DESCRIPTION = 5000
const MAX_PHONE = 50
const MAX_YEARS = 120
const WEBSITE = HttpUrl()
const YES = new Set(['yes', 'y', 'true', '1', 'x'])
const NO = new Set(['no', 'n', 'false', '0', ''])

/** What the marketplace lets a line say. */
export interface Terms {
  readonly region: Region
  readonly plans: readonly PlanId[]
}

type Read = (text: string, terms: Terms) => ProFields | string

const unless = (problem: boolean, message: string, fields: ProFields): ProFields | string =>
  problem ? message : fields

const READERS: Partial<Record<Column, Read>> = {
  businessName: (text) =>
    unless(text === '' || text.length > MAX_BUSINESS_NAME, `must have 1 to ${MAX_BUSINESS_NAME} characters`, {
      businessName: text,
    }),
  email: (text) => unless(!isEmail(text), 'must be an e-mail address', { email: normalEmail(text) }),
  phone: (text) =>
    unless(text.length > MAX_PHONE, `must have at most ${MAX_PHONE} characters`, { phone: text || null }),
  website: (text) => {
    const address = text === '' || /^https?:/i.test(text) ? text : `https://${text}`
    return unless(text !== '' && !Value.Check(WEBSITE, address), 'must be a web address', { website: address || null })
  },
  description: (text) =>
    unless(text.length > MAX_DESCRIPTION, `must have at most ${MAX_DESCRIPTION} characters`, {
      description: text || null,
    }),
  years: (text) =>
    unless(
      text !== '' && !(/^\d{1,3}$/.test(text) && Number(text) <= MAX_YEARS),
      `must be a whole number from 0 to ${MAX_YEARS}`,
      {
        yearsOfExperience: text === '' ? null : Number(text),
      },
    ),
  emergency: (text) => {
    const said = text.toLowerCase()
    return unless(!YES.has(said) && !NO.has(said), 'must be yes or no', { acceptsEmergency: YES.has(said) })
  },
  radius: readRadius,
  plan: (text, { plans }) => {
    if (text === '') return {}
    const plan = plans.find((id) => id === text.toLowerCase())
    return plan === undefined ? `must be a plan on offer: ${plans.join(', ')}` : { plan }
  },
  hours: (text) => {
    const hours = text === '' ? undefined : readHours(text)
    return typeof hours === 'string' ? hours : hours ? { hours } : {}
  },
  status: (text) => {
    const status = text.toLowerCase()
    if (status === '') return {}
    return status === 'active' || status === 'paused' ? { status } : 'must be active or paused'
  },
}

/** A distance is in the unit of the region. */
function readRadius(text: string, { region }: Terms): ProFields | string {
  if (text === '') return {}
  const miles = /^\d{1,4}$/.test(text) && Number(text) > 0 ? typedDistance.miles(region, Number(text)) : 0
  const [unit, most] = [typedDistance.unit(region), typedDistance.shown(region, MAX_RADIUS_MILES)]
  return miles < 1 || miles > MAX_RADIUS_MILES
    ? `must be a whole number of ${unit} from 1 to ${most}`
    : { radius: miles }
}

/** Reads all columns but those of the place and the services. */
export function readValues(given: Given, terms: Terms): { fields: ProFields; faults: LineFault[] } {
  const faults: LineFault[] = []
  const fields: ProFields = {}
  for (const [column, text] of Object.entries(given) as [Column, string][]) {
    const read = READERS[column]?.(text, terms) ?? {}
    if (typeof read === 'string') faults.push({ column: nameOfColumn(column), message: read })
    else Object.assign(fields, read)
  }
  return { fields, faults }
}

/** Text that no column takes, and an id that none may have. */
export function faultsOfText(given: Given): LineFault[] {
  const faults = (Object.entries(given) as [Column, string][]).flatMap(([column, text]): LineFault[] => {
    const message = text.includes('\0')
      ? 'has a character that no text has (NUL)'
      : text.includes('\uFFFD') || !text.isWellFormed()
        ? 'has characters that are not UTF-8: save the file as CSV in UTF-8'
        : undefined
    return message === undefined ? [] : [{ column: nameOfColumn(column), message }]
  })
  const { externalId = '' } = given
  if (externalId === '') faults.push({ column: nameOfColumn('externalId'), message: 'is required' })
  if (externalId.length > MAX_EXTERNAL_ID)
    faults.push({ column: nameOfColumn('externalId'), message: `must have at most ${MAX_EXTERNAL_ID} characters` })
  return faults
}
