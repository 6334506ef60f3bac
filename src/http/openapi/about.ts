// The document's introduction and the descriptions of its tags.

export const INFO = {
  version: '1.0.0',
  summary: 'Find a home-services pro nearby, verified or not yet, see prices and open times, book or ask for a quote.',
  description: `
**Keys.** Send a key as \`Authorization: Bearer <API_KEY>\`. Public reads need none. A key that is malformed, unknown,
revoked or expired is answered 401 everywhere, a key without the scope 403.

**Test mode.** A key \`hearth_test_…\` finds three test pros of its own account and no others. Everything works as with a live
key, but no visit takes place, no e-mail is sent, and payments are made in the sandbox. Webhooks that are made with it receive
its events only, with \`"mode": "test"\`; reviews are published at once. The quickstart in the console makes a test key.

**Apps that people connect** get access tokens by OAuth 2.1 instead: \`resource_metadata\` in the \`WWW-Authenticate\` of a 401
says where to begin. A token works like a key of the person who granted it, for one server and the granted scopes.

**Errors** are problem documents (RFC 9457, \`application/problem+json\`). Programs read \`code\`, people \`detail\`.
Fields and parameters that break their schema are 400, and so are unknown fields of a body.

**Safe retries.** Every POST that creates or changes something takes an \`Idempotency-Key\`: the same key and body within
24 hours give the same answer again and change nothing.

**Limits.** Without a key an address may send 100 requests a minute; a key has limits by the hour, and by minute and day
for each kind of scope, and all keys of an account together have five times those limits. \`RateLimit-Policy\` and
\`RateLimit\` of every answer say which and what is left; past it the answer is 429 with \`Retry-After\`.

**Time.** Instants are ISO 8601 with an offset; dates and clock times are those of the pro’s own time zone.
`.trim(),
  license: { name: 'MIT', identifier: 'MIT' },
}

/** The groups of operations in the order in which the reference shows them. */
export const TAGS: Record<string, string> = {
  Catalog: 'The services on offer, by category, and the cities with active pros.',
  Pros: 'Search for pros and read what is known of one.',
  Pricing: 'What a service costs, from real listings, quotes and projects.',
  Availability: 'Open times: business hours less blocks, bookings and lead time.',
  Bookings: 'Book a time, find, move or cancel a booking.',
  'Quote requests': 'Ask a pro for a quote, and see what came of it.',
  Reviews: 'Read reviews of a pro and submit one.',
  Files: 'Upload pictures and documents, and see whether they are ready.',
  Packages: 'Fixed-price offers.',
  Properties: 'For clients: the homes they look after.',
  'Pro bookings': 'For pros: their own bookings.',
  'Pro leads and quotes': 'For pros: incoming requests, and the quotes they send.',
  'Pro reviews': 'For pros: what customers say, and what to answer.',
  'Pro jobs': 'For pros: agreed work, from its start to its end.',
  'Pro proposals': 'For pros: changes that their agent proposes, to confirm or dismiss.',
  'Pro settings': 'For pros: availability, profile, services and team.',
  'Pro analytics': 'For pros: how business goes.',
  Sandbox: 'In test mode, and where no payment provider is configured: complete a payment without money.',
  Webhooks: 'Endpoints that are told of events, their deliveries, and replays.',
  'Agent servers': 'Tools for AI agents: JSON-RPC 2.0 over HTTP.',
  'Platform pros': 'For operators: the pros of the marketplace, what customers find of them, and what was checked.',
  'Platform marketplace': 'For operators: what the marketplace says of itself, what holds in it, and its opening.',
  'Platform places': 'For operators: where the marketplace serves, and the places that they add.',
  'Platform catalog': 'For operators: categories and services, in the order in which people see them.',
}

/** What parameters of these names say everywhere, unless a route says more. */
export const PARAMETERS: Readonly<Record<string, string>> = {
  limit: 'At most this many results',
  offset: 'How many results to skip',
  status: 'Only those in this state',
  kind: 'Only those of this kind',
  sort: 'The order of the results',
  date: 'A day of the pro’s time zone, YYYY-MM-DD',
  days: 'How many days',
  clientSecret: 'The secret of the payment, as the answer that started it says',
  state: 'Only those in this state',
  professionalId: 'The id of the pro',
  serviceId: 'The id of the service',
}

/** What the ids in paths are of, by the part of the path before them. */
export const RESOURCES: Readonly<Record<string, string>> = {
  bookings: 'booking',
  'blocked-customers': 'block',
  calendars: 'calendar',
  team: 'member of the team',
  availability: 'block',
  proposals: 'proposal',
  properties: 'property',
  rfqs: 'request',
  leads: 'request',
  quotes: 'quote',
  jobs: 'job',
  files: 'file',
  reviews: 'review',
  webhooks: 'webhook endpoint',
}
