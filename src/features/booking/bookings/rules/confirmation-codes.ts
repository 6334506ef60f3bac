// Confirmation codes, as people type them and read them out.

/**
 * A confirmation code as stored, from any case, spacing and hyphens. Crockford's base32 reads I and L as 1 and O as 0.
 */
export const normalizeCode = (code: string): string =>
  code
    .toUpperCase()
    .replace(/[\s-]/g, '')
    .replace(/^HTH(.*)$/, (_, rest: string) => `HTH-${rest.replace(/[IL]/g, '1').replaceAll('O', '0')}`)
