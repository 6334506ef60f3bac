// The owners of API keys: developers, pros, and clients who manage properties.

export type AccountKind = 'developer' | 'pro' | 'client'

export interface Account {
  id: string
  kind: AccountKind
  email: string
}
