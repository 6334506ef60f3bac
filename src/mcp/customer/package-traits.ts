// What the tools of packages have in common: two flags, and the key's own scope.
export const packageTraits = {
  access: 'read',
  flags: ['FEATURE_CUSTOMER_MCP_PACKAGES', 'FEATURE_OFFER_PACKAGES'],
  scopes: ['packages:read'],
} as const
