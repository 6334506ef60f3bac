// Logs: JSON lines on standard output, each with the trace it belongs to. Never a key, an e-mail address or a phone number.
import { trace } from '@opentelemetry/api'
import pino from 'pino'

import { errorForLog } from './log-errors.ts'

export type Log = pino.Logger

/**
 * A fault that nobody caught ends the process, as it would anyway, but through the log: the runtime's own report quotes the
 * error with everything that hangs on it, PostgreSQL's rows included.
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
