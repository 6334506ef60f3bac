// Imports pros from a file, in parts: each part is one transaction, so that searches find all of a pro or nothing of it.
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { AppError, invalidField } from '../../../../errors/app-error.ts'
import { type Table, TableFault, type TableLine } from '../../../../platform/text/tables/lines.ts'
import { openTable } from '../../../../platform/text/tables/open-table.ts'
import { getCatalogNames } from '../../../catalog/services/verbs/names.ts'
import { isServed } from '../../../upkeep/marketplace/rules/area.ts'
import { getMarketplace } from '../../../upkeep/marketplace/verbs.ts'
import { listPlansOnOffer } from '../../plans/verbs.ts'
import { changeProStatus } from '../../pros/verbs.ts'
import { DEFAULT_RADIUS_MILES } from '../../../search/pros/schemas.ts'
import { type ColumnNames, columnsOf, nameOfColumn } from '../rules/columns.ts'
import { MAX_INVITES_PER_MINUTE } from '../rules/pace.ts'
import { faultsOfText } from '../rules/values.ts'
import type { Given, ImportCounts, ImportOptions, LineFault, RefusedLine } from '../schemas.ts'
import { insertInvitations, lockImports, saveMissing, selectImportedAfter } from '../queries.sql.ts'
import { Places } from './places.ts'
import {
  type GivenLine,
  type KnownPro,
  type Plan,
  type Reading,
  changedColumns,
  finderOf,
  planLines,
} from './plan-lines.ts'
import { changePros, createPros } from './write-plans.ts'

/** The pros of one transaction. A search waits for none of them. */
const PART = 250
/** The ids of a file are kept while it is read. */
const MAX_LINES = 500_000
/** Before all others. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const MINUTE_MS = 60_000
const GONE = 'The last import of pros has no line for this page any more.'

export interface Import extends ImportOptions {
  readonly file: AsyncIterable<Uint8Array>
  /** Called once, before any line is read. */
  readonly onOpen?: (table: Pick<Table, 'format' | 'columns' | 'delimiter'>) => void
  /** Called for each line that is refused, in the order of the file but for lines of one part. */
  readonly onRefused: (line: RefusedLine) => void | Promise<void>
  /** Called in the transaction of each part, with the counts up to it. What it throws undoes the part, and ends the import. */
  readonly inPart?: (ctx: TxCtx, counts: ImportCounts) => Promise<void>
}

export interface Imported {
  readonly counts: ImportCounts
  /** Columns that the program does not know, and read over. */
  readonly unknownColumns: readonly string[]
  /** Why the file was read up to a line only. What came before it is imported. */
  readonly stopped: string | undefined
}

/**
 * Imports a file of pros. A line whose external id is known changes what it says otherwise than at its last import, and nothing else.
 * Throws validation_failed for a file that cannot be read, or that lacks a column.
 */
export async function importPros(ctx: Ctx, input: Import): Promise<Imported> {
  const { invitesPerMinute } = input
  if (
    invitesPerMinute !== null &&
    !(Number.isInteger(invitesPerMinute) && invitesPerMinute >= 1 && invitesPerMinute <= MAX_INVITES_PER_MINUTE)
  )
    throw invalidField('invitePerMinute', `must be a whole number from 1 to ${MAX_INVITES_PER_MINUTE}`)
  const run = new ImportRun(ctx, input, await readingOf(ctx))
  let stopped: string | undefined
  try {
    const table = await openTable(input.file)
    checkColumns(table)
    input.onOpen?.(table)
    for await (const line of table.lines) await run.take(line)
    await run.flush()
  } catch (error) {
    if (!(error instanceof TableFault)) throw error
    // Of a file that cannot be opened, nothing was read.
    if (run.lines === 0) throw invalidField('file', error.message)
    await run.flush()
    stopped = `The file was not read from line ${error.line} on: it ${error.message}.`
  }
  if (run.lines === 0) throw invalidField('file', 'has no line of a pro')
  if (input.pausesMissing && stopped === undefined) await run.pauseMissing()
  return { counts: run.counts, unknownColumns: [...run.unknown], stopped }
}

async function readingOf(ctx: Ctx): Promise<Reading> {
  const names = await getCatalogNames(ctx)
  const places = new Places(names)
  const plans = (await listPlansOnOffer(ctx)).map(({ id }) => id)
  return { places, services: finderOf(places), terms: { region: names.region, plans } }
}

/** Without an id, no line could be found again. */
function checkColumns({ format, columns }: Table): void {
  if (format !== 'csv') return
  const { known, twice } = columnsOf(columns)
  const [first] = twice
  if (first) throw new TableFault(1, `has the columns ${first[0]} and ${first[1]}, which mean the same: remove one`)
  if (!known.has('externalId'))
    throw new TableFault(
      1,
      `has no column ${nameOfColumn('externalId')}: give each pro an id of your own, by which the next import finds it again`,
    )
}

class ImportRun {
  counts: ImportCounts = {
    created: 0,
    changed: 0,
    unchanged: 0,
    paused: 0,
    resumed: 0,
    refused: 0,
    invited: 0,
    outsideArea: 0,
  }
  readonly unknown = new Set<string>()
  /** The line of each id and address. */
  readonly #ids = new Map<string, number>()
  readonly #emails = new Map<string, number>()
  #part: GivenLine[] = []
  lines = 0

  constructor(
    readonly ctx: Ctx,
    readonly input: Import,
    readonly reading: Reading,
  ) {}

  async take({ line, values, fault }: TableLine): Promise<void> {
    if (++this.lines > MAX_LINES)
      throw new TableFault(
        line,
        `has more than ${MAX_LINES} lines of pros: import those from line ${line} on as another file`,
      )
    const columns = columnsOf(Object.keys(values))
    for (const name of columns.unknown) if (this.unknown.size < 100) this.unknown.add(name)
    const given = givenOf(values, columns)
    const faults: LineFault[] =
      fault === undefined ? this.#faultsOf(line, given, columns) : [{ column: undefined, message: fault }]
    // A refused line says, too, that its pro is not missing.
    if (given.externalId && !this.#ids.has(given.externalId)) this.#ids.set(given.externalId, line)
    if (faults.length > 0) return await this.#refuse({ line, values, faults })
    this.#part.push({ line, values, externalId: given.externalId ?? '', given })
    if (this.#part.length >= PART) await this.flush()
  }

  #faultsOf(line: number, given: Given, { twice }: ColumnNames): LineFault[] {
    const faults = faultsOfText(given)
    for (const [one, other] of twice) faults.push({ column: other, message: `means the same as ${one}` })
    const first = this.#ids.get(given.externalId ?? '')
    if (first !== undefined)
      faults.push({ column: nameOfColumn('externalId'), message: `is the id of line ${first} already` })
    const email = given.email?.toLowerCase()
    const other = email ? this.#emails.get(email) : undefined
    if (other !== undefined)
      faults.push({ column: nameOfColumn('email'), message: `is the address of line ${other} already` })
    else if (email) this.#emails.set(email, line)
    return faults
  }

  /** Imports what was read since the last part. */
  async flush(): Promise<void> {
    const lines = this.#part
    if (lines.length === 0) return
    this.#part = []
    const { refused, counts } = await this.ctx.transaction('importPros', async (ctx) => {
      await lockImports(ctx)
      const { plans, refused } = await planLines(ctx, { lines, reading: this.reading })
      const created = plans.filter(({ pro }) => pro === undefined)
      const known = plans.filter((plan): plan is Plan & { pro: KnownPro } => plan.pro !== undefined)
      const changed = known.filter(({ pro, line }) => pro.isMissing || changedColumns(line, pro.given).length > 0)
      const { area } = await getMarketplace(ctx)
      const isOutside = ({ fields, pro }: Plan) =>
        fields.place !== undefined &&
        !isServed(area, fields.place, fields.radius ?? pro?.radius ?? DEFAULT_RADIUS_MILES)
      const counts = this.#with({
        created: created.length,
        changed: changed.length,
        unchanged: known.length - changed.length,
        outsideArea: plans.filter(isOutside).length,
        ...(this.input.isDryRun ? {} : await this.#write(ctx, { created, known, changed })),
      })
      await this.input.inPart?.(ctx, counts)
      return { refused, counts }
    })
    this.counts = counts
    for (const { line, faults } of refused) await this.#refuse({ line: line.line, values: line.values, faults })
  }

  /** Returns what else is counted. */
  async #write(
    ctx: TxCtx,
    {
      created,
      known,
      changed,
    }: Record<'known' | 'changed', readonly (Plan & { pro: KnownPro })[]> & { created: Plan[] },
  ): Promise<Partial<ImportCounts>> {
    const { by, status } = this.input
    const ids = await createPros(ctx, { plans: created, by, status })
    const resumed = await changePros(ctx, { plans: changed, by })
    return { resumed, invited: await this.#invite(ctx, [...known.map(({ pro }) => pro.id), ...ids]) }
  }

  /** The counts up to now with those of a part. */
  #with(part: Partial<ImportCounts>): ImportCounts {
    const counts = { ...this.counts }
    for (const [name, count] of Object.entries(part)) counts[name as keyof ImportCounts] += count
    return counts
  }

  async #invite(ctx: Parameters<typeof insertInvitations>[0] & Pick<Ctx, 'clock'>, ids: string[]): Promise<number> {
    const { invitesPerMinute, by } = this.input
    if (invitesPerMinute === null) return 0
    const row = await insertInvitations(ctx, { ids, by, now: ctx.clock.now(), gapMs: MINUTE_MS / invitesPerMinute })
    return row?.invited ?? 0
  }

  async #refuse(line: RefusedLine): Promise<void> {
    this.counts.refused++
    await this.input.onRefused(line)
  }

  /** Pauses the active pros of former imports whose ids are not in the file, one by one: each is told. */
  async pauseMissing(): Promise<void> {
    const { ctx, input } = this
    for (let after: string | undefined = FIRST_ID; after !== undefined;) {
      const found: { id: string; externalId: string; status: string }[] = await selectImportedAfter(ctx, {
        after,
        limit: 1000,
      })
      for (const { id, externalId, status } of found) {
        if (status !== 'active' || this.#ids.has(externalId)) continue
        if (input.isDryRun) this.counts = this.#with({ paused: 1 })
        else await this.#pause(id)
      }
      after = found.at(-1)?.id
    }
  }

  /** A pro who was paused meanwhile stays as they are. */
  async #pause(professionalId: string): Promise<void> {
    const counts = this.#with({ paused: 1 })
    try {
      await this.ctx.transaction('pauseMissingPro', async (ctx) => {
        await changeProStatus(ctx, { professionalId, action: 'pause', by: this.input.by, operatorReason: GONE })
        await saveMissing(ctx, { id: professionalId })
        await this.input.inPart?.(ctx, counts)
      })
      this.counts = counts
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'invalid_transition')) throw error
    }
  }
}

/** The texts of the known columns, without spaces around them. */
const givenOf = (values: Readonly<Record<string, string>>, { known }: ColumnNames): Given =>
  Object.fromEntries(Array.from(known, ([column, name]) => [column, (values[name] ?? '').trim()]))
