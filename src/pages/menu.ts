// What the console offers, by role.
import type { Role } from '../features/users/model.ts'

interface Entry {
  label: string
  href: string
  roles: readonly Role[]
}

const MENU: readonly Entry[] = [{ label: 'Overview', href: '/console', roles: ['operator', 'developer', 'pro'] }]

/** The entries of a role, in order. */
export const menuFor = (role: Role): readonly Entry[] => MENU.filter(({ roles }) => roles.includes(role))
