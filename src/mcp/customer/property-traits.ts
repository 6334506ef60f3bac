// What the tools of properties have in common: for clients alone, and never by a widget's key, since anyone reads a page.
export const propertyTraits = {
  access: 'read',
  flags: ['FEATURE_CUSTOMER_MCP_PACKAGES', 'FEATURE_OFFER_PACKAGES', 'FEATURE_CLIENT_PROPERTIES'],
  scopes: ['mcp:read'],
  owner: 'client',
} as const
