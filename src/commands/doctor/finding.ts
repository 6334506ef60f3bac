// The result of one check of the doctor.

export interface Finding {
  subject: string
  message: string
  /** Present when the check failed: how to fix it. */
  remedy?: string
}

export const ok = (subject: string, message: string): Finding => ({ subject, message })
export const fault = (subject: string, message: string, remedy: string): Finding => ({ subject, message, remedy })

/** The first line of an error's message. */
export const firstLineOf = (error: unknown): string =>
  (error instanceof Error ? error.message || error.name : String(error)).split('\n')[0] ?? ''
