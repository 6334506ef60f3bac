// How many files an account may upload and keep. A pro's files are those of the pro's account.

export const QUOTA = {
  /** In any 24 hours, whatever became of them. */
  perDay: 200,
  kept: 2000,
} as const

/** What an account has, and whether one more is too many. */
export function exceededQuota({ today, kept }: { today: number; kept: number }): string | undefined {
  if (today >= QUOTA.perDay) return `An account may upload ${QUOTA.perDay} files in 24 hours.`
  if (kept >= QUOTA.kept) return `An account may keep ${QUOTA.kept} files. Remove some that you do not need.`
  return undefined
}
