// The columns of a file of pros, and the names by which people call them.

/** The first name is the one in documents. Case, spaces and punctuation do not count. */
const NAMES = {
  externalId: ['external_id', 'id', 'ref', 'reference', 'pro_id', 'vendor_id', 'key'],
  businessName: ['business', 'business_name', 'company', 'company_name', 'name'],
  email: ['email', 'email_address', 'owner_email', 'contact_email'],
  phone: ['phone', 'phone_number', 'telephone', 'tel', 'mobile'],
  website: ['website', 'url', 'web', 'site', 'homepage'],
  description: ['description', 'about', 'bio'],
  place: ['place', 'location'],
  address: ['address', 'street_address', 'full_address'],
  postalCode: ['postal_code', 'zip', 'zip_code', 'postcode'],
  city: ['city', 'town'],
  state: ['state', 'province'],
  latitude: ['lat', 'latitude'],
  longitude: ['lng', 'longitude', 'lon', 'long'],
  radius: ['radius', 'service_radius', 'travel_distance'],
  plan: ['plan'],
  services: ['services', 'offers', 'trades'],
  hours: ['hours', 'business_hours', 'opening_hours'],
  years: ['years', 'years_of_experience', 'experience'],
  emergency: ['emergency', 'accepts_emergency', 'emergencies'],
  status: ['status'],
} as const

export type Column = keyof typeof NAMES

/** Columns that this program adds to the file of refused lines. They are read over. */
export const LINE_COLUMN = 'import_line'
export const ERRORS_COLUMN = 'import_errors'

export const PLACE_COLUMNS = ['latitude', 'longitude', 'postalCode', 'city', 'state', 'place', 'address'] as const

const keyOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z\d]/g, '')
const COLUMNS = new Map(
  Object.entries(NAMES).flatMap(([column, names]) => names.map((name) => [keyOf(name), column as Column] as const)),
)
const OWN = new Set([LINE_COLUMN, ERRORS_COLUMN])

/** The names in documents, in their order. */
export const COLUMN_NAMES: readonly string[] = Object.values(NAMES).map(([name]) => name)

export const nameOfColumn = (column: Column): string => NAMES[column][0]

export interface ColumnNames {
  /** The names of the file. */
  readonly known: ReadonlyMap<Column, string>
  readonly unknown: readonly string[]
  /** Two names of the file for one column. */
  readonly twice: readonly (readonly [string, string])[]
}

/** Which columns these names of a file mean. */
export function columnsOf(names: readonly string[]): ColumnNames {
  const known = new Map<Column, string>()
  const unknown: string[] = []
  const twice: [string, string][] = []
  for (const name of names) {
    const column = COLUMNS.get(keyOf(name))
    const other = column && known.get(column)
    if (other !== undefined) twice.push([other, name])
    else if (column) known.set(column, name)
    else if (name !== '' && !OWN.has(name)) unknown.push(name)
  }
  return { known, unknown, twice }
}
