// A customer's copy as a test reads it.
import type { Deps } from '../../src/deps.ts'
import type { CustomerExport } from '../../src/features/customers/privacy/schemas.ts'
import { exportCustomer } from '../../src/features/customers/privacy/verbs/export-customer.ts'
import { ctxOf } from '../../src/ctx.ts'

/** The parsed file, and how long its longest part was. */
export async function readCopy(deps: Deps, email: string): Promise<{ copy: CustomerExport; longestPart: number }> {
  const parts = await Array.fromAsync(exportCustomer(ctxOf(deps), { email }))
  const copy = JSON.parse(parts.join('')) as CustomerExport
  return { copy, longestPart: Math.max(...parts.map(({ length }) => length)) }
}
