// The owners of API keys: developers, pros, and clients who manage properties. Customers have the access of apps that they connect.

export type AccountKind = 'developer' | 'pro' | 'client' | 'customer'

export interface Account {
  id: string
  kind: AccountKind
  email: string
}
