// Decodes files in a process of its own, with limits of CPU time and memory: no file stops anything else.
import os from 'node:os'
import { join } from 'node:path'

import { IsolatedProcess, IsolatedProcesses, type KillReason } from '../isolation/isolated-process.ts'
import type { DecodeRequest, Decoded, RefusalOfContent } from './decode.ts'

export type IsolatedDecoding =
  | Exclude<Decoded, { kind: 'refused' }>
  | { readonly kind: 'refused'; readonly reason: RefusalOfContent | KillReason }

export interface IsolatedDecoder {
  /** Throws when the system cannot start a process. */
  decode(request: DecodeRequest): Promise<IsolatedDecoding>
  /** Ends the process, once it has decoded the files that it was given. */
  close(): void
}

/** The most expensive pictures of 50 megapixels take 8 s, and 12 megapixels of a phone 2 s. */
const CPU_LIMIT_MS = 25_000
/** The process has a low priority, and yields to everything else on its machine. */
const WALL_LIMIT_MS = 120_000
/** 50 megapixels take up to 480 MB. */
const MAX_BYTES = 700 * 1024 * 1024
const RETIRED_BYTES = 300 * 1024 * 1024
const PROGRAM = join(import.meta.dir, 'decoder-process.ts')

/** Starts the process when files come, and ends it when none does. Tests give another `program`. */
export function openIsolatedDecoder(program = PROGRAM): IsolatedDecoder {
  const limits = {
    wallMs: WALL_LIMIT_MS,
    bytes: MAX_BYTES,
    retiredBytes: RETIRED_BYTES,
    priority: os.constants.priority.PRIORITY_BELOW_NORMAL,
    isNoisy: true,
  }
  const processes = new IsolatedProcesses([new IsolatedProcess<DecodeRequest, Decoded>(program, limits)])
  return {
    decode: async (request) => {
      const { ending } = await processes.run(request, CPU_LIMIT_MS)
      return 'result' in ending ? ending.result : { kind: 'refused', reason: ending.killedBecause }
    },
    close: () => processes.close(),
  }
}
