// Whether a user's role allows a route: the guard asks it to refuse, and pages ask it to hide.
import { AREAS, OPERATOR_ROLES, OPERATOR_ROUTES, type OperatorRole } from './operator-roles.ts'
import { PRO_AREAS, PRO_ROLES, PRO_ROUTES, type ProRole } from './pro-roles.ts'
import type { SessionUser } from '../schemas.ts'

/** As much of a user as decides. A page that is for everyone has no role. */
export type Permitted = Partial<Pick<SessionUser, 'role' | 'operatorRole' | 'proRole'>>

/** The roles of operators that may use a route; no role where the table has no line for it. */
export const rolesFor = (route: string): readonly OperatorRole[] => {
  const area = OPERATOR_ROUTES[route]
  if (area === undefined) return []
  const allowed: readonly OperatorRole[] = AREAS[area]
  return OPERATOR_ROLES.filter((role) => role === 'administrator' || allowed.includes(role))
}

/** The roles of a pro's people that may use a route: owners alone where the table has no line for it. */
export const proRolesFor = (route: string): readonly ProRole[] => {
  const allowed: readonly ProRole[] = PRO_AREAS[PRO_ROUTES[route] ?? 'business']
  return PRO_ROLES.filter((role) => role === 'owner' || allowed.includes(role))
}

/** Whether the user's role within their kind of users allows the route, such as `POST /console/plans/:id`. */
export function mayUse({ role, operatorRole, proRole }: Permitted, route: string): boolean {
  if (role === 'operator') return rolesFor(route).some((allowed) => allowed === operatorRole)
  return role !== 'pro' || proRolesFor(route).some((allowed) => allowed === proRole)
}

/** Whether the route is open to an operator who has to set up a second factor first. A route without a line is not. */
export const mayUseWithoutFactor = (route: string): boolean => OPERATOR_ROUTES[route] === 'ownLogin'

/** Whether the user may open the address of a link. */
export const mayOpen = (user: Permitted, href: string): boolean => mayReach(user, 'GET', href)

/** Whether the user may send a form to the address. */
export const mayPost = (user: Permitted, action: string): boolean => mayReach(user, 'POST', action)

function mayReach(user: Permitted, method: string, address: string): boolean {
  // The board of queues names its pages below an address that ends with a slash.
  const path = (address.split(/[?#]/)[0] ?? '').replace(/(?<=.)\/$/, '')
  const parts = path.split('/')
  const routes = user.role === 'pro' ? ROUTES.pro : ROUTES.operator
  const route = routes.find((it) => it.method === method && isReached(it.parts, parts))?.route
  return mayUse(user, route ?? `${method} ${path}`)
}

/** Of the routes of a table, those with fewer parameters first: `/console/plans/new` is no plan's id. */
const partsOf = (table: Readonly<Record<string, string>>) =>
  Object.keys(table)
    .toSorted((a, b) => a.split(':').length - b.split(':').length)
    .map((route) => {
      const [method = '', path = ''] = route.split(' ')
      return { route, method, parts: path.split('/') }
    })

const ROUTES = { operator: partsOf(OPERATOR_ROUTES), pro: partsOf(PRO_ROUTES) }

/** Whether the parts of an address are those of a route: a parameter stands for one part, and `*` for all that follow. */
const isReached = (route: readonly string[], address: readonly string[]): boolean =>
  (route.at(-1) === '*' ? address.length >= route.length : address.length === route.length) &&
  route.every((part, at) => part === '*' || part === address[at] || (part.startsWith(':') && address[at] !== ''))
