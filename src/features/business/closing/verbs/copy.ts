// A pro's copy of everything that belongs to them, as the text of a JSON file, a page at a time.
import type { Ctx } from '../../../../ctx.ts'
import { COPIED_TABLES, copyRowsOf, findLeaver } from '../queries.ts'

/** Rows that are read at a time. */
const PAGE = 200
const FIRST = '(0,0)'

/** The pro's rows by table, without secrets. The whole is never in memory. */
export async function* copyPro(
  ctx: Ctx,
  { professionalId }: { professionalId: string },
): AsyncGenerator<string, void, undefined> {
  const leaver = await findLeaver(ctx, { professionalId })
  const head = { format: 'hearth-pro-export', version: 1, exportedAt: ctx.clock.now().toISOString(), professionalId }
  yield JSON.stringify(head, null, 2).slice(0, -2)
  for (const table of COPIED_TABLES) {
    yield `,\n  "${table}": [`
    let [after, isFirst] = [FIRST, true]
    for (;;) {
      const rows = await copyRowsOf(ctx, { table, leaver, after, limit: PAGE })
      if (rows.length > 0)
        yield `${isFirst ? '' : ','}\n    ${rows.map(({ row }) => JSON.stringify(row)).join(',\n    ')}`
      isFirst &&= rows.length === 0
      after = rows.at(-1)?.place ?? after
      if (rows.length < PAGE) break
    }
    yield isFirst ? ']' : '\n  ]'
  }
  yield '\n}\n'
}
