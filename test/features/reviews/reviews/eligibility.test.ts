// Who may review which work, case by case. review-rules.test.ts shows the same by the API.
import { expect, test } from 'bun:test'

import { AppError } from '../../../../src/errors/app-error.ts'
import {
  type ReviewedWork,
  checkAuthor,
  checkBooking,
  checkJob,
} from '../../../../src/features/reviews/reviews/rules/eligibility.ts'

const NOW = new Date('2026-03-07T15:00:00Z')
const BEFORE = '2026-03-07T15:00:00.000Z'
const AHEAD = '2026-03-07T15:00:00.001Z'

/** The code of the refusal; undefined without one. */
function refusalOf(check: () => void): string | undefined {
  try {
    check()
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
  return undefined
}

const BOOKINGS: readonly [ReviewedWork | undefined, string | undefined][] = [
  [{ status: 'completed', endsAt: AHEAD }, undefined],
  [{ status: 'confirmed', endsAt: BEFORE }, undefined],
  [{ status: 'confirmed', endsAt: AHEAD }, 'review_too_early'],
  [{ status: 'pending', endsAt: AHEAD }, 'review_too_early'],
  [{ status: 'pending', endsAt: BEFORE }, 'no_visit_to_review'],
  [{ status: 'no_show', endsAt: BEFORE }, 'no_visit_to_review'],
  [{ status: 'cancelled', endsAt: AHEAD }, 'no_visit_to_review'],
  [undefined, 'validation_failed'],
]
test('a booking is reviewed after the visit, and not at all where none took place', () => {
  for (const [booking, refusal] of BOOKINGS)
    expect([booking, refusalOf(() => checkBooking(booking, NOW))]).toEqual([booking, refusal])
})

const JOBS: readonly [ReviewedWork | undefined, string | undefined][] = [
  [{ status: 'completed', endsAt: null }, undefined],
  [{ status: 'scheduled', endsAt: null }, 'review_too_early'],
  [{ status: 'in_progress', endsAt: null }, 'review_too_early'],
  [{ status: 'cancelled', endsAt: null }, 'no_visit_to_review'],
  [undefined, 'validation_failed'],
]
test('a job is reviewed once it is completed', () => {
  for (const [job, refusal] of JOBS) expect([job, refusalOf(() => checkJob(job))]).toEqual([job, refusal])
})

test('a business does not review itself', () => {
  expect(refusalOf(() => checkAuthor({ isOwn: true }))).toBe('own_business')
  expect(refusalOf(() => checkAuthor({ isOwn: false }))).toBeUndefined()
})
