// What an account is: a developer, a pro, or a client who manages properties.

export type AccountKind = 'developer' | 'pro' | 'client'
