// Local time for people: programs use the instants beside it. The database computes it: `local_time` in sql/functions/time_zones.sql.
import { Type } from '@sinclair/typebox'

const EXAMPLE = 'Tuesday, June 2, 2:15 PM Central Time'

/** The start of a visit. */
export const LocalTime = {
  timeZone: Type.String({ description: 'IANA time zone of the pro', examples: ['America/Chicago'] }),
  localTime: Type.String({ description: 'The start as people at the visit say it', examples: [EXAMPLE] }),
}

/** An instant in words. */
export const inWords = (description: string) => Type.String({ description, examples: [EXAMPLE] })
