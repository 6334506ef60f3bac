// Addresses in forms: city and state follow from the ZIP code where they are left out, and must not contradict it.
import type { CityRow } from '../../features/catalog/services/verbs/city-services.ts'
import { type CatalogNames, getCatalogNames } from '../../features/catalog/services/verbs/names.ts'
import { inSentence } from '../../platform/text/region.ts'
import type { Ctx } from '../../ctx.ts'
import type { FormSchema } from '../../http/form.ts'

export interface AddressReader {
  /** The form with the city and state of its ZIP code, where it has none. What was typed stays. */
  complete(form: URLSearchParams): URLSearchParams
  /** The schema of a form, which also says when the state is not that of the ZIP code. */
  checking<S extends FormSchema>(schema: S): S
}

export async function openAddressReader(ctx: Ctx): Promise<AddressReader> {
  const names = await getCatalogNames(ctx)
  return {
    complete: (form) => completed(names, form),
    checking: (schema) => ({
      ...schema,
      check: (values: object) => ({
        ...contradiction(names, values),
        ...definedIn(schema.check?.(values, names.region)),
      }),
    }),
  }
}

const definedIn = (errors: Readonly<Record<string, string | undefined>> = {}) =>
  Object.fromEntries(Object.entries(errors).filter(([, message]) => message !== undefined))

function placeOfZip(names: CatalogNames, zipCode: string | null | undefined) {
  const place = names.region.postal.whole.test((zipCode ?? '').trim()) ? names.place(zipCode ?? '') : undefined
  return place?.type === 'zip' ? place : undefined
}

function completed(names: CatalogNames, form: URLSearchParams): URLSearchParams {
  const place = placeOfZip(names, form.get('zipCode'))
  const typed = (name: string) => form.get(name)?.trim() ?? ''
  if (!place || (typed('state') !== '' && names.state(typed('state'))?.code !== place.state)) return form
  const whole = new URLSearchParams(form)
  if (typed('city') === '') whole.set('city', place.name)
  if (typed('state') === '') whole.set('state', place.state)
  return whole
}

/** ZIP codes of one state reach into the next: an address within about 25 miles of the border's cities is not refused. */
const BORDER_DEGREES = 0.36

function contradiction(names: CatalogNames, values: { zipCode?: string; state?: string }): Record<string, string> {
  const { zipCode = '', state: typed = '' } = values
  const [place, state] = [placeOfZip(names, zipCode), names.state(typed)]
  if (!place?.coordinates || !state || state.code === place.state) return {}
  const { coordinates } = place
  const width = Math.cos((coordinates.latitude * Math.PI) / 180)
  const isNear = ({ state: code, latitude, longitude }: CityRow) =>
    code === state.code &&
    Math.hypot(latitude - coordinates.latitude, (longitude - coordinates.longitude) * width) < BORDER_DEGREES
  if (names.allCities.some(isNear)) return {}
  const where = `${place.name}, ${place.state}`
  return {
    zipCode: `${zipCode.trim()} is in ${where}, but the ${names.region.state.word} is ${typed.trim()}: correct one of them`,
    state: `is ${typed.trim()}, but the ${inSentence(names.region.postal.label)} ${zipCode.trim()} is in ${where}: correct one of them`,
  }
}
