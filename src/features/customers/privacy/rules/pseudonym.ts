// The address that all records of an erased customer get.

/** A domain that cannot exist (RFC 2606). */
const DOMAIN = '@erased.invalid'

export const pseudonymOf = (id: string): string => `erased-${id}${DOMAIN}`

export const isPseudonym = (email: string): boolean => email.endsWith(DOMAIN)
