// The pages above a page of a pro: the first one, and the pros of its service in its city.
import { capitalized } from '../../platform/text/format.ts'
import { citySlug } from '../../features/catalog/services/words.ts'
import type { Trail } from '../ui/breadcrumbs.tsx'
import { prosOf, servicePath } from './search/words.ts'

interface Service {
  readonly id?: string
  readonly name: string
  readonly slug: string
}

interface Place {
  readonly city: string
  readonly state: string
}

export const FIRST: Trail[number] = ['Find a pro', '/']

/** The path of a service in a city: "/plumbers/austin-tx". */
export const cityPath = (
  service: Pick<Service, 'name' | 'slug'>,
  city: { readonly name: string; readonly state: string },
): string => `/${servicePath(service)}/${citySlug(city)}`

/** "Plumbers in Austin, TX": the page from which people come to a pro. */
export const cityCrumb = (service: Service, { city, state }: Place): Trail[number] => [
  `${capitalized(prosOf({ service: service.name }))} in ${city}, ${state}`,
  cityPath(service, { name: city, state }),
]

interface TrailOfPro {
  readonly pro: { readonly slug: string; readonly businessName: string }
  /** The service that is looked at; without one, the way leads to no city. */
  readonly service: Service | undefined
  readonly location: Place | null
}

/** The way to a pro; `last` names a page below the pro's. */
export const trailOfPro = ({ pro, service, location }: TrailOfPro, last?: string): Trail => [
  FIRST,
  ...(service && location ? [cityCrumb(service, location)] : []),
  ...(last === undefined
    ? [[pro.businessName] as const]
    : [[pro.businessName, `/pros/${pro.slug}`] as const, [last] as const]),
]

/** The service of this id, or the first that the pro offers. */
export const serviceOf = (services: readonly Service[], id: string | null | undefined): Service | undefined =>
  services.find((it) => it.id === id) ?? services[0]
