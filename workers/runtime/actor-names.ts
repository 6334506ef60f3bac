// The actors of `hearth work`, in the order in which they are started. Each is a file of this folder.

export const ROSTER = [
  'relay-outbox',
  'deliver-webhooks',
  'refresh-pricing',
  'meter-agent-tasks',
  'run-agent-tasks',
  'sweep-expired',
] as const
export type ActorName = (typeof ROSTER)[number]
