// The results of a customer's copy and erasure.

/** What must end before a customer can be erased, because someone relies on the customer's data. */
export interface OpenWork {
  /** Confirmation codes of bookings whose visit is not over. */
  bookings: string[]
  /** Ids of jobs that are neither completed nor cancelled. */
  jobs: string[]
  /** Confirmation codes, or ids of quotes, of payments that are being refunded. */
  refunds: string[]
  /** Ids of open runs of pros' agents that work with the customer's data. */
  runs: string[]
}

/** An erasure: what was done, or why nothing was done. */
export type ErasureResult =
  | {
      outcome: 'erased'
      pseudonym: string
      /** Rows changed or deleted, by table. */
      counts: Record<string, number>
    }
  | { outcome: 'open_work'; open: OpenWork }
  | { outcome: 'unknown'; erasedBefore: { pseudonym: string; erasedAt: string } | undefined }

/** Everything that is stored about a customer. Changes of its shape change `version`. */
export interface CustomerExport {
  format: 'hearth-customer-export'
  version: 2
  exportedAt: string
  email: string
  /** Null for a customer who never signed in. */
  account: {
    createdAt: string
    sessions: { createdAt: string; expiresAt: string }[]
    connectedApps: {
      name: string
      scopes: string[]
      createdAt: string
      lastUsedAt: string | null
      endedAt: string | null
    }[]
  } | null
  bookings: unknown[]
  quoteRequests: unknown[]
  jobs: unknown[]
  reviews: unknown[]
  payments: unknown[]
  /** Pros with whom the customer cannot book. */
  blocks: unknown[]
  /** What pros' agents prepared about the customer's requests, bookings and jobs. */
  preparedWork: unknown[]
  /** The e-mails to the customer, and whether the customer ended those that are not essential. */
  messages: { sent: unknown[]; suppressed: unknown[] }
  /** Where else pros' notes and conversations with their agents name the customer. The texts may name others, too. */
  mentions: { where: string; professional: string; times: number }[]
  /** What happened, with the data as it was then, and to whom it was sent. */
  events: unknown[]
}
