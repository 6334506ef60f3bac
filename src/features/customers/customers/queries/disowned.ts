// SQL of what customers said was not them, for operators.
import type { Disowned } from './makers.ts'
import type { Ctx } from '../../../../ctx.ts'
import * as statements from './disowned.sql.ts'

/** What was disowned. What retention has deleted meanwhile is null. */
export interface DisownedRow {
  id: string
  kind: Disowned['kind']
  disownedAt: string
  businessName: string
  slug: string
  /** The address whose owner disowned it. */
  email: string | null
  madeAt: string | null
  status: string | null
  /** The account that made it, and how. */
  account: string | null
  accountKind: string | null
  source: string | null
}

/** The latest first, and the total. */
export async function selectDisowned(
  ctx: Ctx,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; rows: DisownedRow[] }> {
  const page = await statements.selectDisowned<{ rows: DisownedRow[] }>(ctx, { limit, offset })
  return page ?? { total: 0, rows: [] }
}
