// The scopes of API keys and the console's presets.

/** The scopes of spec §5, in the order of their display. */
export const SCOPES = {
  'services:read': 'Read the service catalog',
  'pros:read': 'Search and read pros',
  'pricing:read': 'Read pricing statistics',
  'availability:read': 'Read open times',
  'reviews:read': 'Read reviews',
  'bookings:write': 'Create bookings',
  'rfqs:write': 'Create and read quote requests',
  'reviews:write': 'Submit reviews',
  'widget:public': 'Public reads from a page of one origin',
  'widget:book': 'Bookings from a page of one origin',
  'mcp:read': 'Read through the agent servers',
  'mcp:write': 'Write through the agent servers',
  'pro:read': 'Read a pro’s own data',
  'pro:write': 'Change a pro’s own data',
  'packages:read': 'Read offer packages',
  'packages:book': 'Book offer packages',
  'webhooks:manage': 'Manage webhooks',
  'webhook:sign': 'Verify webhook signatures',
  'platform:read': 'Read what operators see of the marketplace',
  'platform:write': 'Change the marketplace as operators do',
} as const

export type Scope = keyof typeof SCOPES

/** Keys with these scopes are visible in public pages, so they are bound to an origin. */
export const isWidgetScope = (scope: Scope): boolean => scope.startsWith('widget:')

/** Keys with these scopes act for a pro. */
export const isProScope = (scope: Scope): boolean => scope.startsWith('pro:')

/** Keys with these scopes act for an operator. */
export const isPlatformScope = (scope: Scope): boolean => scope.startsWith('platform:')

/** The least privileges for each use (design §3). */
export const PRESETS = {
  widget: ['widget:public', 'widget:book'],
  'agent-tools': ['mcp:read', 'mcp:write'],
  'full-server': [
    'services:read',
    'pros:read',
    'pricing:read',
    'availability:read',
    'reviews:read',
    'bookings:write',
    'rfqs:write',
    'reviews:write',
    'packages:read',
    'packages:book',
  ],
  'webhook-receiver': ['webhooks:manage', 'webhook:sign'],
  'pro-dashboard': ['pro:read', 'pro:write'],
  platform: ['platform:read', 'platform:write'],
} as const satisfies Record<string, readonly Scope[]>

export type Preset = keyof typeof PRESETS
