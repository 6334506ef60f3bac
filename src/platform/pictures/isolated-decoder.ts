// Decodes files in a process of its own, with limits of CPU time and memory: no file stops anything else.
import os from 'node:os'
import { join } from 'node:path'

import { IsolatedProcess, IsolatedProcesses, type KillReason } from '../isolation/isolated-process.ts'
import type { DecodeRequest, Decoded } from './decode.ts'
import type { BrandRequest, DecodedBrand } from './decode-brand.ts'

type Killed = { readonly kind: 'refused'; readonly reason: KillReason }
export type IsolatedDecoding = Decoded | Killed
export type IsolatedBrandDecoding = DecodedBrand | Killed

interface Isolated<Request, Result> {
  /** Throws when the system cannot start a process. */
  decode(request: Request): Promise<Result | Killed>
  /** Ends the process, once it has decoded the files that it was given. */
  close(): void
}
export type IsolatedDecoder = Isolated<DecodeRequest, Decoded>

/** The most expensive pictures of 50 megapixels take 8 s, and 12 megapixels of a phone 2 s. */
const CPU_LIMIT_MS = 25_000
/** The process has a low priority, and yields to everything else on its machine. */
const WALL_LIMIT_MS = 120_000
/** 50 megapixels take up to 480 MB. */
const MAX_BYTES = 700 * 1024 * 1024
const RETIRED_BYTES = 300 * 1024 * 1024
const programAt = (name: string) => join(import.meta.dir, name)

/** Starts the process when files come, and ends it when none does. Tests give another `program`. */
export const openIsolatedDecoder = (program = programAt('decoder-process.ts')): IsolatedDecoder => open(program)

/** The same for logos and icons. */
export const openBrandDecoder = (): Isolated<BrandRequest, DecodedBrand> => open(programAt('brand-process.ts'))

function open<Request, Result>(program: string): Isolated<Request, Result> {
  const limits = {
    wallMs: WALL_LIMIT_MS,
    bytes: MAX_BYTES,
    retiredBytes: RETIRED_BYTES,
    priority: os.constants.priority.PRIORITY_BELOW_NORMAL,
    isNoisy: true,
  }
  const processes = new IsolatedProcesses([new IsolatedProcess<Request, Result>(program, limits)])
  return {
    decode: async (request) => {
      const { ending } = await processes.run(request, CPU_LIMIT_MS)
      return 'result' in ending ? ending.result : { kind: 'refused', reason: ending.killedBecause }
    },
    close: () => processes.close(),
  }
}
