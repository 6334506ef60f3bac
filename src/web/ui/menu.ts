// The console's menu by role.
import { mayOpen } from '../../auth/users/rules/permissions.ts'
import type { Role, SessionUser } from '../../auth/users/schemas.ts'
import type { Marketplace } from '../../features/upkeep/marketplace/schemas.ts'
import { GUIDE_PATH } from './guide-steps.ts'
import type { IconName } from './icons.tsx'

export interface MenuEntry {
  label: string
  href: string
  icon: IconName
  /** Stands at the bottom of a phone's screen, too. */
  isMain?: true
}

/** Entries under one label. The first group has none. */
export interface MenuGroup {
  label: string | null
  entries: readonly MenuEntry[]
}

const overview: MenuEntry = { label: 'Overview', href: '/console', icon: 'home', isMain: true }

const keys: MenuEntry = { label: 'API keys', href: '/console/keys', icon: 'key' }
const webhooks: MenuEntry = { label: 'Webhooks', href: '/console/webhooks', icon: 'bolt' }
const accountEntries: readonly MenuEntry[] = [
  { label: 'Usage', href: '/console/usage', icon: 'chart-bar' },
  { label: 'Test mode', href: '/console/test-mode', icon: 'beaker' },
]

const MENUS: Record<Role, readonly MenuGroup[]> = {
  operator: [
    {
      label: null,
      entries: [
        overview,
        { label: 'Search', href: '/console/search', icon: 'magnifying-glass' },
        { label: 'Growth', href: '/console/growth', icon: 'chart-bar' },
      ],
    },
    {
      label: 'People',
      entries: [
        { label: 'Reviews', href: '/console/reviews', icon: 'star', isMain: true },
        { label: 'Applications', href: '/console/applications', icon: 'inbox' },
        { label: 'Verification', href: '/console/verification', icon: 'check-badge' },
        { label: 'Disowned', href: '/console/disowned', icon: 'hand-raised' },
        { label: 'Users', href: '/console/users', icon: 'users' },
      ],
    },
    {
      label: 'Money',
      entries: [
        { label: 'Payments', href: '/console/payments', icon: 'credit-card', isMain: true },
        { label: 'Agent credits', href: '/console/credits', icon: 'cpu-chip' },
        { label: 'Plans', href: '/console/plans', icon: 'tag' },
      ],
    },
    {
      label: 'System',
      entries: [
        { label: 'Messages', href: '/console/mail', icon: 'envelope', isMain: true },
        { label: 'What is stuck', href: '/console/stuck', icon: 'bug-ant' },
        { label: 'Marketplace', href: '/console/marketplace', icon: 'identification' },
        { label: 'Catalog', href: '/console/catalog', icon: 'briefcase' },
        { label: 'Area', href: '/console/area', icon: 'map' },
        { label: 'Platform keys', href: '/console/platform-keys', icon: 'key' },
        { label: 'Log of acts', href: '/console/log', icon: 'book-open' },
        { label: 'Operations', href: '/ops', icon: 'signal' },
        { label: 'Traces', href: '/ops/traces', icon: 'magnifying-glass' },
        { label: 'Queues', href: '/ops/queues', icon: 'queue-list' },
      ],
    },
  ],
  developer: [
    {
      label: null,
      entries: [
        overview,
        { label: 'Quickstart', href: '/console/quickstart', icon: 'book-open', isMain: true },
        { ...keys, isMain: true },
        { ...webhooks, isMain: true },
        ...accountEntries,
      ],
    },
  ],
  pro: [
    {
      label: null,
      entries: [
        { label: 'Today', href: '/console', icon: 'home', isMain: true },
        { label: 'Calendar', href: '/console/calendar', icon: 'calendar-days', isMain: true },
        { label: 'Bookings', href: '/console/bookings', icon: 'clipboard-document-list', isMain: true },
        { label: 'Leads', href: '/console/leads', icon: 'inbox', isMain: true },
        { label: 'Jobs', href: '/console/jobs', icon: 'briefcase' },
        { label: 'Search', href: '/console/search', icon: 'magnifying-glass' },
      ],
    },
    {
      label: 'Your business',
      entries: [
        { label: 'Services and prices', href: '/console/services', icon: 'tag' },
        { label: 'Booking settings', href: '/console/settings', icon: 'cog-6-tooth' },
        { label: 'Team', href: '/console/team', icon: 'user-group' },
        { label: 'Profile', href: '/console/profile', icon: 'identification' },
        { label: 'Pictures', href: '/console/pictures', icon: 'photo' },
        { label: 'Reviews', href: '/console/my-reviews', icon: 'star' },
        { label: 'Verification', href: '/console/my-verification', icon: 'check-badge' },
        { label: 'Connected calendars', href: '/console/calendars', icon: 'arrow-path' },
      ],
    },
    {
      label: 'Assistants',
      entries: [
        { label: 'Proposals', href: '/console/proposals', icon: 'light-bulb' },
        { label: 'Agent tasks', href: '/console/credits', icon: 'cpu-chip' },
        { label: 'Connected apps', href: '/console/apps', icon: 'puzzle-piece' },
      ],
    },
    {
      label: 'For developers',
      entries: [
        { label: 'Integrations', href: '/console/developers', icon: 'code-bracket' },
        keys,
        webhooks,
        ...accountEntries,
      ],
    },
  ],
}

/** Whether the page shows test mode while it is on: all pages of developers, and of pros those for developers. */
export const followsTestMode = (role: Role, path: string): boolean =>
  role === 'developer' || DEVELOPER_PATHS.some((start) => path === start || path.startsWith(`${start}/`))

const DEVELOPER_PATHS = [
  '/console/developers',
  '/console/quickstart',
  ...[keys, webhooks, ...accountEntries].map(({ href }) => href),
]

const guide: MenuEntry = { label: 'Guide', href: GUIDE_PATH, icon: 'map' }

/** Only the pages that the user's role allows. Operators find the guide first until the marketplace is open. */
export function menuFor(
  user: Pick<SessionUser, 'role' | 'operatorRole' | 'proRole'>,
  { isOpen }: Pick<Marketplace, 'isOpen'>,
): readonly MenuGroup[] {
  const { role } = user
  return MENUS[role]
    .map(({ label, entries }) => ({
      label,
      entries: [...(role !== 'operator' || isOpen || label !== null ? [] : [guide]), ...entries].filter(({ href }) =>
        mayOpen(user, href),
      ),
    }))
    .filter(({ entries }) => entries.length > 0)
}
