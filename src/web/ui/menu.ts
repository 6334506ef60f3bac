// The console's menu by role.
import type { Role } from '../../auth/users/schemas.ts'

interface Entry {
  label: string
  href: string
}

const overview: Entry = { label: 'Overview', href: '/console' }

const accountEntries: readonly Entry[] = [
  { label: 'API keys', href: '/console/keys' },
  { label: 'Webhooks', href: '/console/webhooks' },
  { label: 'Usage', href: '/console/usage' },
]

const MENUS: Record<Role, readonly Entry[]> = {
  operator: [
    overview,
    { label: 'Reviews', href: '/console/reviews' },
    { label: 'Payments', href: '/console/payments' },
    { label: 'Agent credits', href: '/console/credits' },
    { label: 'Messages', href: '/console/mail' },
    { label: 'Users', href: '/console/users' },
    { label: 'Operations', href: '/ops' },
    { label: 'Traces', href: '/ops/traces' },
    { label: 'Queues', href: '/ops/queues' },
  ],
  developer: [overview, ...accountEntries],
  pro: [
    overview,
    { label: 'Bookings', href: '/console/bookings' },
    { label: 'Booking settings', href: '/console/settings' },
    { label: 'Calendars', href: '/console/calendars' },
    { label: 'Leads', href: '/console/leads' },
    { label: 'Proposals', href: '/console/proposals' },
    { label: 'Agent tasks', href: '/console/credits' },
    { label: 'Connected apps', href: '/console/apps' },
    ...accountEntries,
  ],
}

export const menuFor = (role: Role): readonly Entry[] => MENUS[role]
