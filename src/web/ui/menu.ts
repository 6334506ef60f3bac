// The console's menu by role.
import type { Role } from '../../auth/users/schemas.ts'

interface Entry {
  label: string
  href: string
}

/** Entries under one label. The first group has none. */
export interface MenuGroup {
  label: string | null
  entries: readonly Entry[]
}

const overview: Entry = { label: 'Overview', href: '/console' }

const accountEntries: readonly Entry[] = [
  { label: 'API keys', href: '/console/keys' },
  { label: 'Webhooks', href: '/console/webhooks' },
  { label: 'Usage', href: '/console/usage' },
  { label: 'Test mode', href: '/console/test-mode' },
]

const unlabelled = (entries: readonly Entry[]): MenuGroup => ({ label: null, entries })

const MENUS: Record<Role, readonly MenuGroup[]> = {
  operator: [
    unlabelled([
      overview,
      { label: 'Reviews', href: '/console/reviews' },
      { label: 'Payments', href: '/console/payments' },
      { label: 'Disowned', href: '/console/disowned' },
      { label: 'Verification', href: '/console/verification' },
      { label: 'Agent credits', href: '/console/credits' },
      { label: 'Messages', href: '/console/mail' },
      { label: 'Users', href: '/console/users' },
      { label: 'Operations', href: '/ops' },
      { label: 'Traces', href: '/ops/traces' },
      { label: 'Queues', href: '/ops/queues' },
    ]),
  ],
  developer: [unlabelled([overview, { label: 'Quickstart', href: '/console/quickstart' }, ...accountEntries])],
  pro: [
    unlabelled([
      { label: 'Today', href: '/console' },
      { label: 'Calendar', href: '/console/calendar' },
      { label: 'Bookings', href: '/console/bookings' },
      { label: 'Leads', href: '/console/leads' },
      { label: 'Jobs', href: '/console/jobs' },
      { label: 'Search', href: '/console/search' },
    ]),
    {
      label: 'Your business',
      entries: [
        { label: 'Services and prices', href: '/console/services' },
        { label: 'Booking settings', href: '/console/settings' },
        { label: 'Team', href: '/console/team' },
        { label: 'Profile', href: '/console/profile' },
        { label: 'Pictures', href: '/console/pictures' },
        { label: 'Reviews', href: '/console/my-reviews' },
        { label: 'Verification', href: '/console/my-verification' },
        { label: 'Connected calendars', href: '/console/calendars' },
      ],
    },
    {
      label: 'Assistants',
      entries: [
        { label: 'Proposals', href: '/console/proposals' },
        { label: 'Agent tasks', href: '/console/credits' },
        { label: 'Connected apps', href: '/console/apps' },
      ],
    },
    { label: 'For developers', entries: [{ label: 'Integrations', href: '/console/developers' }, ...accountEntries] },
  ],
}

/** Whether the page shows test mode while it is on: all pages of developers, and of pros those for developers. */
export const followsTestMode = (role: Role, path: string): boolean =>
  role === 'developer' || DEVELOPER_PATHS.some((start) => path === start || path.startsWith(`${start}/`))

const DEVELOPER_PATHS = ['/console/developers', '/console/quickstart', ...accountEntries.map(({ href }) => href)]

export const menuFor = (role: Role): readonly MenuGroup[] => MENUS[role]
