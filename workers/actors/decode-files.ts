// Decodes the files that people send, and reads those of pros that operators import. PostgreSQL holds what is due, and each process
// claims one file at a time.
import { readNextImport } from '../../src/features/business/uploaded-imports/verbs/run.ts'
import { removeOutdated } from '../../src/features/business/uploaded-imports/verbs/uploads.ts'
import {
  DECODING_ACTOR,
  closeDecoder,
  decodeNextFile,
  decodingBacklog,
} from '../../src/features/files/files/verbs/decode.ts'
import { defineActor, moreOrNothing } from '../runtime/actor.ts'
import { registerGauges } from '../runtime/actor-metrics.ts'
import { runActor } from '../runtime/process.ts'

/** Files of imports that are removed in a batch. */
const OUTDATED = 20

const decoded = { ready: 0, refused: 0, cleared: 0, postponed: 0 }

export const decodeFiles = defineActor({
  name: DECODING_ACTOR,
  open: (context) => {
    registerGauges(context, () => decodingBacklog(context.ctx), {
      waiting: ['hearth_files_waiting', 'Files that were received and wait to be decoded'],
      oldestSeconds: ['hearth_files_lag_seconds', 'How long the first of them has waited'],
    })
    for (const outcome of ['ready', 'refused', 'cleared', 'postponed'] as const)
      context.metrics.counter(
        'hearth_files_decoded_total',
        'Files that this process decoded, by outcome',
        () => decoded[outcome],
        { outcome },
      )
  },
  close: ({ ctx }) => Promise.resolve(closeDecoder(ctx)),
  periodic: [
    {
      name: 'decode',
      everyMs: 10_000,
      wakeOn: 'files_received',
      due: 'files',
      run: async ({ ctx, log }) => {
        const outcome = await decodeNextFile(ctx)
        if (outcome === undefined) return 'nothing'
        decoded[outcome]++
        log.debug({ outcome }, 'decoded a file')
        return true
      },
    },
    {
      name: 'imports',
      everyMs: 1000,
      due: 'imports',
      run: async ({ ctx, log, signal }) => {
        const outcome = await readNextImport(ctx, { signal })
        if (outcome === undefined) return moreOrNothing(await removeOutdated(ctx, { limit: OUTDATED }), OUTDATED)
        log.info({ outcome }, 'read a file of pros')
        return true
      },
    },
  ],
})

if (import.meta.main) await runActor(decodeFiles)
