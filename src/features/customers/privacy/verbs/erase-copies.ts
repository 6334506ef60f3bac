// Erases records of a customer and every stored copy of them, found by the records' ids.
import { type Row, eraseRow, erasedColumns } from '../erased-row.ts'
import { type Root, clearResponses, copiesOf, deleteAbout, findRecordIds, recordIds } from '../queries/copies.ts'
import { type RowSource, lockRows, updateRows } from '../queries/rows.ts'
import type { TxCtx } from '../../../../ctx.ts'

/** Rows by table. */
export type Counts = Record<string, number>

/** Rows that are read at a time: one record may have thousands of events. */
const PAGE = 200

/**
 * Erases locked requests, bookings or reviews with the rows that depend on them. Returns the number of changed or deleted
 * rows by table.
 */
export async function eraseRecords(
  ctx: TxCtx,
  { root, ids, pseudonym }: { root: Root; ids: readonly string[]; pseudonym: string },
): Promise<Counts> {
  const found = await findRecordIds(ctx, { root, ids })
  const counts: Counts = { webhook_attempts: await clearResponses(ctx, found) }
  addCounts(counts, await deleteAbout(ctx, found))
  const erasing = { pseudonym, records: new Set(recordIds(found)) }
  for (const source of copiesOf(found)) addCounts(counts, { [source.table]: await eraseRows(ctx, source, erasing) })
  return counts
}

function addCounts(sum: Counts, more: Counts): void {
  for (const [table, count] of Object.entries(more)) sum[table] = (sum[table] ?? 0) + count
}

async function eraseRows(ctx: TxCtx, source: RowSource, erasing: Parameters<typeof eraseRow>[2]): Promise<number> {
  const columns = erasedColumns(source.table).map(([column]) => column)
  let count = 0
  let after: Row | undefined
  for (;;) {
    const rows = await lockRows(ctx, { ...source, after, limit: PAGE })
    const changed = rows.flatMap((row) => {
      const erased = eraseRow(source.table, row, erasing)
      return Bun.deepEquals(erased, row) ? [] : [erased]
    })
    if (changed.length > 0) await updateRows(ctx, { ...source, columns, rows: changed })
    count += changed.length
    after = rows.at(-1)
    if (rows.length < PAGE) return count
  }
}
