// What files are for: who may upload them, who sees them, and whether a document may be one.
import type { Scope } from '../../../../auth/scopes.ts'

export const PURPOSES = [
  'pro_logo',
  'pro_cover',
  'pro_gallery',
  'member',
  'request',
  'review',
  'job',
  'package',
  'marketplace',
  'verification',
] as const
export type Purpose = (typeof PURPOSES)[number]

interface PurposeRule {
  /** Any one of these uploads it. */
  readonly scopes: readonly Scope[]
  /** The file belongs to a pro. */
  readonly ofPro: boolean
  /** Served to signed links only. A photo of a review becomes public with its review. */
  readonly private: boolean
  readonly mayBeDocument: boolean
}

const ofPro = { scopes: ['pro:write'], ofPro: true, private: false, mayBeDocument: false } as const

export const PURPOSE_RULES: Readonly<Record<Purpose, PurposeRule>> = {
  pro_logo: ofPro,
  pro_cover: ofPro,
  pro_gallery: ofPro,
  member: ofPro,
  package: ofPro,
  job: { ...ofPro, private: true },
  verification: { ...ofPro, private: true, mayBeDocument: true },
  request: { scopes: ['rfqs:write', 'widget:book'], ofPro: false, private: true, mayBeDocument: false },
  review: { scopes: ['reviews:write'], ofPro: false, private: true, mayBeDocument: false },
  // No key uploads pictures of the marketplace yet: its operators do, with the scope of their keys.
  marketplace: { scopes: [], ofPro: false, private: false, mayBeDocument: false },
}

/** Every scope that uploads something. */
export const UPLOAD_SCOPES: readonly Scope[] = [
  ...new Set(Object.values(PURPOSE_RULES).flatMap(({ scopes }) => scopes)),
]
