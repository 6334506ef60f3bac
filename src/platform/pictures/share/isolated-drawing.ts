// Draws share pictures in one process of its own, at a low priority: no number of them delays what else a server does.
import os from 'node:os'
import { join } from 'node:path'

import { IsolatedProcess, IsolatedProcesses } from '../../isolation/isolated-process.ts'
import type { ShareCard } from './card.ts'

export interface IsolatedDrawing {
  /** Undefined when too many wait, and for a card that cannot be drawn. Throws when the system cannot start a process. */
  draw(card: ShareCard): Promise<Uint8Array | undefined>
  /** Ends the process, once it has drawn the pictures that it was asked for. */
  close(): void
}

/** A card with a photo takes 0.3 s. */
const CPU_LIMIT_MS = 5000
const WALL_LIMIT_MS = 20_000
const MAX_BYTES = 400 * 1024 * 1024
const RETIRED_BYTES = 200 * 1024 * 1024
/** Further requests get the neutral picture at once. */
const MAX_WAITING = 8
const PROGRAM = join(import.meta.dir, 'drawing-process.ts')

/** Starts the process for the first picture, and ends an idle one. Tests give another `program`. */
export function openIsolatedDrawing(program = PROGRAM): IsolatedDrawing {
  const limits = {
    wallMs: WALL_LIMIT_MS,
    bytes: MAX_BYTES,
    retiredBytes: RETIRED_BYTES,
    priority: os.constants.priority.PRIORITY_BELOW_NORMAL,
    isNoisy: true,
  }
  const processes = new IsolatedProcesses([new IsolatedProcess<ShareCard, Uint8Array>(program, limits)])
  let waiting = 0
  return {
    draw: async (card) => {
      if (waiting >= MAX_WAITING) return undefined
      waiting += 1
      try {
        const { ending } = await processes.run(card, CPU_LIMIT_MS)
        return 'result' in ending ? ending.result : undefined
      } finally {
        waiting -= 1
      }
    },
    close: () => processes.close(),
  }
}
