// An import of pros from a file: what it is asked to do, and what it did.
import type { BusinessHours } from '../../calendar/schedule/schemas.ts'
import type { PriceType } from '../../catalog/entries/schemas.ts'
import type { PlanId } from '../plans/schemas.ts'
import type { Column } from './rules/columns.ts'

/** What a line says, by column: the texts of the file. */
export type Given = Partial<Record<Column, string>>

/** One thing that is wrong with a line. Without a column it is about the line as a whole. */
export interface LineFault {
  readonly column: string | undefined
  readonly message: string
}

export interface RefusedLine {
  readonly line: number
  readonly values: Readonly<Record<string, string>>
  readonly faults: readonly LineFault[]
}

/** How many pros of the file an import, or its preview, created, changed and so on. */
export interface ImportCounts {
  created: number
  changed: number
  unchanged: number
  /** Missing in the file, and paused. */
  paused: number
  /** Back in the file after a pause, and found again. Also counted as changed. */
  resumed: number
  refused: number
  /** Those who will be sent a link to their page. */
  invited: number
  /** Created or moved, and coming to no place of the marketplace's area. */
  outsideArea: number
}

export interface ImportOptions {
  /** The user who imports; null for the command line. */
  readonly by: string | null
  /** Says what the import would do, and writes nothing. */
  readonly isDryRun: boolean
  /** Pauses the pros of former imports who are not in the file. */
  readonly pausesMissing: boolean
  /** New pros without a status of their own begin so. */
  readonly status: 'active' | 'paused'
  /** Sends the pros of the file who have no log-in yet a link to their page, so many in a minute; null: sends no links. */
  readonly invitesPerMinute: number | null
}

export interface ImportedOffer {
  readonly serviceId: string
  readonly priceType: PriceType
  readonly unit: string | null
  readonly base: number | null
  readonly min: number | null
  readonly max: number | null
  readonly durationMinutes: number
}

/** What is read of the columns of a line. An absent field is to stay as it is. */
export interface ProFields {
  businessName?: string
  email?: string
  phone?: string | null
  website?: string | null
  description?: string | null
  yearsOfExperience?: number | null
  acceptsEmergency?: boolean
  place?: { readonly cityId: number; readonly latitude: number; readonly longitude: number; readonly citySlug: string }
  radius?: number
  plan?: PlanId
  hours?: BusinessHours
  status?: 'active' | 'paused'
  services?: { readonly offered: readonly ImportedOffer[]; readonly removed: readonly string[] }
}
