// How people name services, the pros who do them and what a search found.
import type { FoundPros } from '../../../features/search/pros/verbs/search.ts'
import { count } from '../../../platform/text/format.ts'

/** "Plumber", "Carpenter", "Electrician", "Handyman": a service that has the name of the person. */
const PERSON = /(er|or|ian|smith|man|ist)$/i

/** Whether a service has the name of the person. */
export const isPerson = (service: string): boolean => PERSON.test(service)

const pluralOf = (name: string): string =>
  name.endsWith('man') ? `${name.slice(0, -3)}men` : /(s|x|ch|sh)$/.test(name) ? `${name}es` : `${name}s`

/** In the middle of a sentence: "AC repair", "water heater installation". */
export const inSentence = (name: string): string =>
  name
    .split(' ')
    .map((word) => (/[A-Z\d]{2}/.test(word) ? word : word.toLowerCase()))
    .join(' ')

/** The pros of a service or category: "plumbers", "pros for drain cleaning"; without one, "pros". */
export function prosOf({ service, category }: { service?: string | undefined; category?: string | undefined }, n = 2) {
  const name = service ?? category
  const pro = n === 1 ? 'pro' : 'pros'
  if (name === undefined) return pro
  if (service !== undefined && isPerson(service)) return inSentence(n === 1 ? service : pluralOf(service))
  return `${pro} for ${inSentence(name)}`
}

/** What a search was understood to look for. */
export const subjectOf = ({ meta: { understood } }: FoundPros) => ({
  service: understood?.service?.name,
  category: understood?.category?.name,
})

/** "What plumbers charge", "What drain cleaning costs". */
export const costHeading = (service: string): string =>
  isPerson(service) ? `What ${prosOf({ service })} charge` : `What ${inSentence(service)} costs`

/** The service in the path of its pages: "plumbers", "drain-cleaning". */
export const servicePath = ({ name, slug }: { name: string; slug: string }): string =>
  isPerson(name)
    ? inSentence(pluralOf(name))
        .toLowerCase()
        .replaceAll(/[^a-z\d]+/g, '-')
    : slug

/** What a search found: "184 plumbers", "at least 40 pros for drain cleaning", "1 plumber", "no plumbers". */
export function foundText(
  subject: Parameters<typeof prosOf>[0],
  { total, isPartial }: { total: number; isPartial: boolean },
): string {
  if (total === 0) return `no ${prosOf(subject)}`
  return `${isPartial ? 'at least ' : ''}${count(total)} ${prosOf(subject, total)}`
}
