// The actors of `hearth work`, in the order in which they start. Each is a file of `workers/actors`.

export const ACTOR_NAMES = [
  'relay-outbox',
  'deliver-webhooks',
  'send-messages',
  'refresh-pricing',
  'meter-agent-tasks',
  'run-agent-tasks',
  'sync-calendars',
  'decode-files',
  'sweep-expired',
] as const
export type ActorName = (typeof ACTOR_NAMES)[number]

export const isActorName = (name: string): name is ActorName => ACTOR_NAMES.some((known) => known === name)

/** The number of processes per actor: one, unless `configured` (WORKERS_<NAME>) says otherwise. */
export const processCounts = (names: readonly string[], configured: ReadonlyMap<string, number>) =>
  names.map((name) => ({ name, processes: configured.get(name) ?? 1 }))
