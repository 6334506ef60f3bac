// What a country decides of what people read and write: money, distances, postal codes, states. Texts are written for the United
// States; for another country `localized` puts its own words into them.

export const COUNTRIES = ['US', 'CA'] as const
export type Country = (typeof COUNTRIES)[number]

/** How a postal code is written, and what of it a place is known by. */
export interface PostalRule {
  /** "ZIP code", as a label. */
  readonly label: string
  readonly example: string
  /** What a whole code looks like, for people who typed another one. */
  readonly form: string
  /** A whole code, without spaces around it; its first group is what the place is known by. */
  readonly whole: RegExp
  /** The same for the `pattern` of an input. */
  readonly pattern: string
  /** A code, or the part that the place is known by, among other words. */
  readonly inText: RegExp
  /** The part by which the place is known: a number of so many digits, of this base. */
  readonly length: number
  readonly radix: 10 | 36
  readonly keyboard: 'numeric' | 'text'
}

/**
 * The profile of a country. Its states are rows of `states`, its cities of `cities`. Numbers, dates and the clock are written in one
 * way in both: "Tuesday, June 2, 2:15 PM" and "1,204.50" are usual in the English of Canada, too, and homes are measured in square feet.
 */
export interface Region {
  readonly country: Country
  readonly name: string
  /** With its article. */
  readonly nameInSentence: string
  /** What people write after a city's name to say the country, as one word. */
  readonly countryWords: ReadonlySet<string>
  readonly currency: string
  readonly distance: { readonly unit: string; readonly perMile: number }
  readonly postal: PostalRule
  /** "State", as a label and in sentences, with the code of one. */
  readonly state: { readonly label: string; readonly word: string; readonly example: string; readonly of: string }
  /** The words of texts that are written for the United States, and what stands for them. */
  readonly words: readonly (readonly [RegExp, string | ((...groups: string[]) => string)])[]
}

export const UNITED_STATES: Region = {
  country: 'US',
  name: 'United States',
  nameInSentence: 'the United States',
  countryWords: new Set(['usa', 'us', 'unitedstates', 'unitedstatesofamerica']),
  currency: 'USD',
  distance: { unit: 'mile', perMile: 1 },
  postal: {
    label: 'ZIP code',
    example: '78701',
    form: 'Five digits',
    whole: /^(\d{5})(?:-\d{4})?$/,
    inText: /(?<!\d)(\d{5})(?:-\d{4})?(?!\d)/,
    pattern: String.raw`\d{5}(-\d{4})?`,
    length: 5,
    radix: 10,
    keyboard: 'numeric',
  },
  state: { label: 'State', word: 'state', example: 'TX', of: 'US state' },
  words: [],
}

const KM_PER_MILE = 1.609344

const CANADA: Region = {
  country: 'CA',
  name: 'Canada',
  nameInSentence: 'Canada',
  countryWords: new Set(['canada', 'ca']),
  currency: 'CAD',
  distance: { unit: 'km', perMile: KM_PER_MILE },
  postal: {
    label: 'Postal code',
    example: 'M5V 1A1',
    form: 'Three characters, a space and three characters',
    whole: /^([a-z]\d[a-z])[ -]?\d[a-z]\d$/i,
    inText: /(?<![a-z\d])([a-z]\d[a-z])(?:[ -]?\d[a-z]\d)?(?![a-z\d])/i,
    pattern: String.raw`[A-Za-z]\d[A-Za-z]( |-)?\d[A-Za-z]\d`,
    length: 3,
    radix: 36,
    keyboard: 'text',
  },
  state: { label: 'Province', word: 'province', example: 'ON', of: 'province or territory' },
  words: [
    [/\b(\d+(?:\.\d)?) miles?\b/g, (_, miles = '') => `${Math.round(Number(miles) * KM_PER_MILE)} km`],
    [/(^|\. |")ZIP code/g, '$1Postal code'],
    [/\bZIP code/g, 'postal code'],
    [/^State$/, 'Province'],
    [/^City and state follow from it\.$/, 'City and province follow from it.'],
    [/^License state$/, 'License province'],
    [/\bAustin, (?:TX|Texas)\b/g, 'Toronto, ON'],
    [/\b787\d\d\b/g, 'M5V 1A1'],
    [/\bColumbus, OH\b/g, 'Ottawa, ON'],
    [/\b43215\b/g, 'K1P 1J1'],
    [/\bAustin\b/g, 'Toronto'],
    [/\baustin tx\b/g, 'toronto on'],
    [/\bUS state\b/g, 'province or territory'],
    [/\bTX\b/g, 'ON'],
    [/\bTexas\b/g, 'Ontario'],
    [/\bthe United States\b/g, 'Canada'],
    [/\bUSD\b/g, 'CAD'],
    [/\bUS dollars\b/g, 'Canadian dollars'],
    // What is left is the unit of a field of the API, which is the same in every country.
    [/\bmiles\b/gi, 'mi (1.609 km)'],
  ],
}

const REGIONS: Readonly<Record<Country, Region>> = { US: UNITED_STATES, CA: CANADA }

export const regionOf = ({ country }: { readonly country: string }): Region =>
  REGIONS[country as Country] ?? UNITED_STATES

/** "must be a ZIP code, such as 78701". */
export const postalRuleText = ({ label, example }: PostalRule): string =>
  `must be a ${inSentence(label)}, such as ${example}`

/** A label inside a sentence: "ZIP code" keeps its letters. */
export const inSentence = (label: string): string => label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())

/** A text of ours, written for the United States, as it is said in the region. Never for what people wrote. */
export const localized = ({ words }: Region, text: string): string =>
  words.reduce(
    (said, [american, own]) => (typeof own === 'string' ? said.replace(american, own) : said.replace(american, own)),
    text,
  )

/** A document of ours, such as an OpenAPI document, with all its texts in the words of the region. Names in it stay. */
export const localizedValue = <Value>(region: Region, value: Value): Value =>
  region.words.length === 0 ? value : (JSON.parse(localized(region, JSON.stringify(value))) as Value)
