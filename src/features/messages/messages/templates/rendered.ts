// A rendered message, and what rendering needs besides the data of its kind.
import type { Marketplace } from '../../../upkeep/marketplace/schemas.ts'

/** The marketplace, as its messages name it. */
export type Site = Pick<Marketplace, 'name' | 'email' | 'phone' | 'address' | 'accent' | 'legal' | 'logo' | 'icon'>

/** What every rendering needs besides the data. */
export interface RenderOptions {
  /** `BASE_URL`. Its host is part of the .ics's UID, `booking-<id>@<host>`. */
  readonly baseUrl: string
  /** Who sends it: the name stands at its top, how to reach the sender at its end. */
  readonly site: Site
  /** The address that messages come from, without a name: the ORGANIZER of the .ics. */
  readonly from: string
  /** The recipient: the ATTENDEE of the .ics. */
  readonly to: string
  /** Shown at the end of a message that is not essential. */
  readonly unsubscribeUrl?: string | undefined
}

/**
 * A file. A booking's .ics has the type `text/calendar; charset=utf-8; method=REQUEST` (or CANCEL). Gmail and Outlook show it as
 * an invitation if it is an alternative of the text as well as an attachment: nodemailer's `icalEvent`.
 */
export interface Attachment {
  readonly filename: string
  readonly contentType: string
  readonly content: string
}

/** A message ready to be sent: `renderMessage(kind, data, options)` in templates/render.ts, and samples in templates/samples.ts. */
export interface RenderedMessage {
  /** One line without control characters. */
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments: readonly Attachment[]
}
