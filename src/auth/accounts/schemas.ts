// The owners of API keys: developers, pros, clients who manage properties, and operators; each may have a test account beside its own. Customers have the access of apps that they connect.

export type AccountKind = 'developer' | 'pro' | 'client' | 'customer' | 'operator'

export interface Account {
  id: string
  kind: AccountKind
  email: string
  /** The account whose test mode this is: a test account, or that of one of its test pros. Null for all others. */
  testOf: string | null
}
