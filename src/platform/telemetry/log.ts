// Logs: JSON lines on standard output with the id of the active trace, without keys, e-mail addresses or phone numbers.
import { trace } from '@opentelemetry/api'
import pino from 'pino'

import { errorForLog } from './log-errors.ts'

export type Log = pino.Logger

/**
 * Logs uncaught errors and ends the process. The runtime's own report would print the error with all its fields, including
 * rows of PostgreSQL.
 */
export function logCrashes(log: Log): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, 'crashed')
      process.exit(1)
    })
}

/** A logger that adds the active trace's id to each line. */
export const openLog = (level: string, destination?: pino.DestinationStream): Log =>
  pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: errorForLog },
      mixin: () => {
        const context = trace.getActiveSpan()?.spanContext()
        return context ? { traceId: context.traceId } : {}
      },
    },
    destination ?? pino.destination({ fd: 1, sync: true }),
  )
