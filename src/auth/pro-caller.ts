// The caller of a pro's route.
import type { Caller } from './caller.ts'

/** A caller who is a pro. */
export type ProCaller = Caller & { readonly professionalId: string }

/** The pro who calls a route whose access is `proKey`: the gate let nobody else in. */
export function proOf(caller: Caller | undefined): ProCaller {
  if (!caller || caller.professionalId === null) throw new Error('proOf is for routes whose access is a pro’s key.')
  return { ...caller, professionalId: caller.professionalId }
}
