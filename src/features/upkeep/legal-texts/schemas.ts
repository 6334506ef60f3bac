// Terms, privacy policy and imprint of a marketplace, in the words of its operators.
import { Text } from '../../../platform/schema/types.ts'

export const LEGAL_KINDS = ['terms', 'privacy', 'imprint'] as const
export type LegalKind = (typeof LEGAL_KINDS)[number]

/** In Markdown; an empty one ends the text. */
export const LegalContent = Text(60_000)

export interface LegalVersion {
  readonly version: number
  /** From when it is in force. */
  readonly at: string
  /** Ends the text. */
  readonly isEmpty: boolean
}

/** The newest version of a text. */
export interface LegalText extends LegalVersion {
  readonly content: string
  /** Those before, the newest first. */
  readonly former: readonly LegalVersion[]
}

/** A kind of which there was never a text is missing. */
export type LegalTexts = Readonly<Partial<Record<LegalKind, LegalText>>>

/** The text in force, if there is one. */
export function inForce(texts: LegalTexts, kind: LegalKind): LegalText | undefined {
  const text = texts[kind]
  return text?.isEmpty === false ? text : undefined
}

/** The version that was in force at an instant, if there was one. */
export function inForceAt(texts: LegalTexts, kind: LegalKind, instant: string): LegalVersion | undefined {
  const text = texts[kind]
  const found = text && [text, ...text.former].find(({ at }) => Date.parse(at) <= Date.parse(instant))
  return found?.isEmpty === false ? found : undefined
}
