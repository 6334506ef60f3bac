// Sentences for the profiles of demo pros, with {placeholders}.

export const introductions: readonly string[] = [
  '{name} does {services} in {city} and the towns around it.',
  'Local crew for {services}, based in {city}.',
  '{services} for homes in and near {city}, done right the first time.',
  'We take on {services} across the {city} area, with clear prices before we start.',
  'From {services} to the small things in between, {name} looks after homes in {city}.',
  '{city} homeowners call us for {services}.',
  '{name} is a small {city} shop for {services}.',
  'Careful work and straight answers: {services} in {city}, {state}.',
]

export const assurances: readonly string[] = [
  'Written estimates, no surprises.',
  'In business for {years} years.',
  'Background-checked crew and a one-year warranty on labor.',
  'We show up when we say we will and clean up after ourselves.',
  'Most jobs are done in one visit.',
  'Same-week appointments for most jobs.',
  'We serve homes within {radius} miles.',
  'Free estimates on larger projects.',
  '{years} years of experience, and references on request.',
  'Weekend appointments where the calendar allows.',
  'We text before we arrive.',
  'Estimates are free within {radius} miles of {city}.',
]

export const serviceNotes: readonly string[] = [
  'Includes travel within our service area.',
  'Parts are billed at cost.',
  'Final price after a look on site.',
  'Two people on every job.',
  'Minimum charge of one visit.',
  'Warranty of one year on labor.',
]

/** Fills the placeholders of a sentence and capitalizes its first letter. */
export const fill = (sentence: string, values: Record<string, string | number>): string => {
  const filled = sentence.replace(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? ''))
  return filled.charAt(0).toUpperCase() + filled.slice(1)
}

/** "a", "a and b", "a, b and c". */
export const joinWithAnd = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`

/** A service name as used in a sentence, such as "AC repair". Undefined for professions ("Plumber"), which read badly. */
export const nameInSentence = (serviceName: string): string | undefined =>
  /(er|or|ian|man|smith)$/.test(serviceName)
    ? undefined
    : serviceName.replace(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase())
