// The logs, traces and problem documents of a whole test run. `npm test` runs this file after all others.
import { expect, test } from 'bun:test'

import { EMITTED_VARIABLE, findSecrets, missingKinds } from '../support/emitted.ts'
import '../support/stores.ts'

const folder = process.env[EMITTED_VARIABLE] ?? ''

test('no secret or personal data is in logs, traces and problem documents', () => {
  expect(findSecrets(folder).slice(0, 20)).toEqual([])
})

test('a run of all tests emits logs, traces and problem documents to search', () => {
  const isWholeRun = process.env['HEARTH_TEST_WHOLE_RUN'] === 'true'
  expect(isWholeRun ? missingKinds(folder) : []).toEqual([])
})
