// Fixtures for a whole test file.
import { afterAll } from 'bun:test'

import { withDeadline } from '../../src/platform/clock/deadlines.ts'

const OPEN_LIMIT_MS = 300_000
const CLOSE_LIMIT_MS = 120_000
const closing: (() => unknown)[] = []

/** Waits for a fixture of a test file. It is closed after the file's tests, the last opened first. */
export async function opened<Fixture extends Record<Close, () => unknown>, Close extends PropertyKey = 'close'>(
  opening: Fixture | Promise<Fixture>,
  close = 'close' as Close,
): Promise<Fixture> {
  const fixture = await withDeadline(Promise.resolve(opening), OPEN_LIMIT_MS, () => {
    return new Error(`The fixture did not open in ${OPEN_LIMIT_MS / 1000} seconds.`)
  })
  if (closing.length === 0) afterAll(closeAll, CLOSE_LIMIT_MS)
  closing.push(() => fixture[close]())
  return fixture
}

async function closeAll() {
  for (let close = closing.pop(); close; close = closing.pop()) await close()
}
