// What the console offers, by role.
import type { Role } from '../../auth/users/schemas.ts'

interface Entry {
  label: string
  href: string
}

const overview: Entry = { label: 'Overview', href: '/console' }

const ofAccount: readonly Entry[] = [
  { label: 'API keys', href: '/console/keys' },
  { label: 'Webhooks', href: '/console/webhooks' },
  { label: 'Usage', href: '/console/usage' },
]

const MENUS: Record<Role, readonly Entry[]> = {
  operator: [
    overview,
    { label: 'Reviews', href: '/console/reviews' },
    { label: 'Agent credits', href: '/console/credits' },
    { label: 'Users', href: '/console/users' },
    { label: 'Operations', href: '/ops' },
    { label: 'Traces', href: '/ops/traces' },
    { label: 'Queues', href: '/ops/queues' },
  ],
  developer: [overview, ...ofAccount],
  pro: [
    overview,
    { label: 'Bookings', href: '/console/bookings' },
    { label: 'Leads', href: '/console/leads' },
    { label: 'Proposals', href: '/console/proposals' },
    { label: 'Agent tasks', href: '/console/credits' },
    ...ofAccount,
  ],
}

/** What the menu of a role shows, in order. */
export const menuFor = (role: Role): readonly Entry[] => MENUS[role]
