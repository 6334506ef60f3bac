// The hold of an unpaid time, for the widget in other people's pages: hence without imports.

/** How long an unpaid time is held. A clock that is far from Hearth's says nothing about it. */
export function heldText(until: string, nowMs: number): string {
  const minutes = Math.round((Date.parse(until) - nowMs) / 60_000)
  if (!(minutes >= 1 && minutes <= 24 * 60)) return 'Pay soon: the time is held for you for a short while only.'
  return `Pay within ${minutes} minute${minutes === 1 ? '' : 's'}: until then the time is held for you.`
}
