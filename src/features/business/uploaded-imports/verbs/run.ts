// Reads uploaded files, one after the other: in a dry run, and to import it. A process that dies loses nothing: another one begins the
// file again, and finds what the first has imported unchanged.
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { StoreUnavailable } from '../../../../platform/store-error.ts'
import { firstCharacters, plainName } from '../../../../platform/text/plain.ts'
import { transition } from '../../../../transition.ts'
import type { ImportCounts, LineFault } from '../../imports/schemas.ts'
import { type Imported, importPros } from '../../imports/verbs/import-pros.ts'
import { claimImport, extendClaim, releaseImport, saveFailed, saveOutcome, saveProgress } from '../queries.sql.ts'
import { joinedCounts } from '../rules/joined-counts.ts'
import type { ShownLine, UploadOptions } from '../schemas.ts'
import { IMPORT } from '../states.ts'
import { RefusedFile } from './refused-file.ts'
import { contentKey, keptUntil, refusedKey } from './uploads.ts'

/** When the claim of a process that died ends. Each part of a file extends it. */
const CLAIM_MS = 120_000
/** How often a claim is extended while lines are refused only. */
const EXTENDED_EVERY_MS = 20_000
/** A file that took down so many processes without an end is given up. */
const MAX_CLAIMS = 4
/** Until a file is read again that could not be. */
const POSTPONED_MS = 30_000
/** The refused lines, and the columns that were not read, that a page shows. */
const MAX_SHOWN = 20
const MAX_SHOWN_TEXT = 200

export type ImportOutcome = 'checked' | 'done' | 'failed' | 'postponed' | 'taken over'

/** The claim ended meanwhile, and another process reads the file. */
class ClaimLost extends Error {
  override readonly name = 'ClaimLost'
}

interface Claimed {
  readonly id: string
  readonly by: string | null
  readonly status: 'uploaded' | 'running'
  readonly options: UploadOptions
  /** Of processes before this one that did not come to the end. */
  readonly counts: ImportCounts | null
  readonly claim: string
  /** Aborted when the process stops. */
  readonly signal: AbortSignal | undefined
}

/** Reads the file that is next, if no other one is being read. Returns undefined when no file is due. */
export async function readNextImport(
  ctx: Ctx,
  { signal }: { signal?: AbortSignal } = {},
): Promise<ImportOutcome | undefined> {
  const claim = ctx.ids.uuid()
  const now = ctx.clock.now()
  const found = await claimImport<{ options: UploadOptions; counts: ImportCounts | null }>(ctx, {
    claim,
    now,
    until: claimEnd(ctx),
  })
  if (!found) return undefined
  if (found.status !== 'uploaded' && found.status !== 'running')
    throw new Error(`An import that is ${found.status} was claimed.`)
  const job: Claimed = { ...found, status: found.status, claim, signal }
  if (found.claims > MAX_CLAIMS)
    return await fail(ctx, job, 'The import was begun several times, and did not come to its end. Try a smaller file.')
  try {
    return await read(ctx, job)
  } catch (error) {
    return await endAfter(ctx, job, error)
  }
}

async function endAfter(ctx: Ctx, job: Claimed, error: unknown): Promise<ImportOutcome> {
  if (error instanceof ClaimLost) return 'taken over'
  const problem = problemOfFile(error)
  if (problem !== undefined) return await fail(ctx, job, problem)
  const { id, claim, signal } = job
  const isInterrupted = signal?.aborted ?? false
  const isAway = error instanceof StoreUnavailable
  const at = new Date(ctx.clock.now().getTime() + (isInterrupted ? 0 : POSTPONED_MS))
  await releaseImport(ctx, { id, claim, at, uncounted: isInterrupted || isAway ? 1 : 0 })
  if (!isInterrupted && !isAway) throw error
  ctx.log.warn({ err: error, importId: id }, 'an import waits to be continued')
  return 'postponed'
}

/** What is wrong with the file as a whole. */
function problemOfFile(error: unknown): string | undefined {
  if (!(error instanceof AppError) || error.code !== 'validation_failed') return undefined
  const fault = error.errors?.find(({ path }) => path === 'file')
  return fault && `The file ${shown(fault.message)}.`
}

async function read(ctx: Ctx, job: Claimed): Promise<ImportOutcome> {
  const { id, by, status, options, claim, signal } = job
  const stored = await ctx.storage.get(contentKey(id))
  if (!stored) return await fail(ctx, job, 'The file is not there any more. Upload it again.')
  const refused = new RefusedFile(ctx.storage, refusedKey(id))
  const first: ShownLine[] = []
  let format: 'csv' | 'jsonl' | undefined
  let extendedMs = performance.now()
  const extend = async () => {
    if (performance.now() - extendedMs < EXTENDED_EVERY_MS) return
    extendedMs = performance.now()
    if (!(await extendClaim(ctx, { id, claim, until: claimEnd(ctx) }))) throw new ClaimLost()
  }
  try {
    const imported = await importPros(ctx, {
      ...options,
      file: stored.stream(),
      by,
      isDryRun: status === 'uploaded',
      onOpen: (table) => {
        format = table.format
        refused.open(table)
      },
      onRefused: async (line) => {
        signal?.throwIfAborted()
        if (first.length < MAX_SHOWN) first.push({ line: line.line, faults: line.faults.map(shownFault) })
        await refused.write(line)
        await extend()
      },
      inPart: async (tx, counts) => {
        signal?.throwIfAborted()
        extendedMs = performance.now()
        await save(tx, job, counts)
      },
    })
    await refused.close()
    return await finish(ctx, job, { imported, format, first })
  } finally {
    await refused.abandon()
  }
}

/** Fenced: a part of a process whose claim has ended is undone. */
async function save(tx: TxCtx, job: Claimed, counts: ImportCounts): Promise<void> {
  const saved = await saveProgress(tx, {
    id: job.id,
    claim: job.claim,
    until: claimEnd(tx),
    counts: JSON.stringify(countsOf(job, counts)),
  })
  if (!saved) throw new ClaimLost()
}

/** A dry run that begins again has changed nothing before. */
const countsOf = ({ status, counts: before }: Claimed, counts: ImportCounts): ImportCounts =>
  status === 'running' && before ? joinedCounts(before, counts) : counts

async function finish(
  ctx: Ctx,
  job: Claimed,
  {
    imported: { counts, unknownColumns, stopped },
    format,
    first,
  }: { imported: Imported; format: 'csv' | 'jsonl' | undefined; first: readonly ShownLine[] },
): Promise<ImportOutcome> {
  const { id, claim } = job
  const status = transition(IMPORT, 'import', job.status, job.status === 'uploaded' ? 'check' : 'finish')
  const findings = {
    unknownColumns: unknownColumns.slice(0, MAX_SHOWN).map(shown),
    refused: first.toSorted((one, other) => one.line - other.line),
    stopped: stopped === undefined ? null : shown(stopped),
  }
  await saveOutcome(ctx, {
    id,
    claim,
    status,
    ...(format && { format }),
    counts: JSON.stringify(countsOf(job, counts)),
    findings: JSON.stringify(findings),
    now: ctx.clock.now(),
    keptUntil: keptUntil(ctx),
  })
  return status === 'done' ? 'done' : 'checked'
}

async function fail(ctx: Ctx, { id, claim, status }: Claimed, problem: string): Promise<'failed'> {
  transition(IMPORT, 'import', status, 'fail')
  await saveFailed(ctx, { id, claim, problem, now: ctx.clock.now(), keptUntil: keptUntil(ctx) })
  return 'failed'
}

const claimEnd = ({ clock }: Pick<Ctx, 'clock'>): Date => new Date(clock.now().getTime() + CLAIM_MS)

/** What a file says is shown and stored as one line of bounded length: it may have any characters, and very long names. */
const shown = (text: string): string => firstCharacters(plainName(text).toWellFormed().trim(), MAX_SHOWN_TEXT)
const shownFault = ({ column, message }: LineFault): LineFault => ({
  column: column === undefined ? undefined : shown(column),
  message: shown(message),
})
