// People of the console, pros and customers press buttons: no page of theirs shows a command of a shell.
import { expect, test } from 'bun:test'

import { COMMAND } from '../../support/commands-on-pages.ts'
import { readSources } from '../../support/imports.ts'

/** Pages that show commands, and why. */
const SHOWING: Readonly<Record<string, string>> = {
  'src/web/console/quickstart.tsx': 'a page for developers, beside requests for their shell',
}

test('no page shows a command of a shell, but where developers work in one', () => {
  const found = readSources(['src/web']).filter(({ text }) => COMMAND.test(text))
  expect(found.map(({ path }) => path).toSorted()).toEqual(Object.keys(SHOWING).toSorted())
})
