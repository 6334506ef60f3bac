// Every message in a browser: at the widths of a phone and of a mail program, light and dark. Saves screenshots.
import { describe, expect, test } from 'bun:test'

import type { MessageData, MessageKind } from '../../../../src/features/messages/messages/kinds.ts'
import { MESSAGE_KINDS } from '../../../../src/features/messages/messages/kind-facts.ts'
import { UNNAMED } from '../../../../src/features/upkeep/marketplace/schemas.ts'
import { renderMessage } from '../../../../src/features/messages/messages/templates/render.ts'
import { SAMPLES } from '../../../../src/features/messages/messages/templates/samples.ts'
import { openBrowser, watchPage } from '../../../support/browser.ts'
import { cutOff, axeFaults } from '../../../support/page-faults.ts'
import { opened } from '../../../support/fixture.ts'

const options = {
  site: UNNAMED,
  baseUrl: 'https://hearth.example',
  from: 'hello@hearth.example',
  to: 'maria@example.com',
  unsubscribeUrl: 'https://hearth.example/unsubscribe/u1',
}
const browser = await opened(openBrowser())
const watched = await watchPage(browser)

/** Shows the message and returns what does not fit or cannot be read. */
async function faultsOf(html: string, width: number, colorScheme: 'light' | 'dark'): Promise<string[]> {
  const { page } = watched
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme })
  await page.setContent(html)
  const scrolls = await page.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  )
  // A message is a part of the mail program's page, which has the landmarks.
  const faults = await axeFaults(page, { without: ['region'] })
  return [...(scrolls ? ['scrolls to the side'] : []), ...(await cutOff(page)), ...faults]
}

describe.each(Object.keys(MESSAGE_KINDS) as MessageKind[])('the message %s', (kind) => {
  const { html } = renderMessage(kind, SAMPLES[kind], options)

  test('fits 390 and 700 pixels and passes axe-core, light and dark', async () => {
    for (const width of [390, 700])
      for (const colorScheme of ['light', 'dark'] as const) {
        expect([width, colorScheme, await faultsOf(html, width, colorScheme)]).toEqual([width, colorScheme, []])
        await watched.screenshot(`message-${kind}-${width}-${colorScheme}`)
      }
    expect([watched.outside, watched.errors]).toEqual([[], []])
  })
})

test('a message with words that do not end fits a phone', async () => {
  const data = structuredClone(SAMPLES['new-booking']) as unknown as {
    booking: Record<string, unknown>
    consoleUrl: string
  }
  const long = 'W'.repeat(2000)
  Object.assign(data.booking, {
    title: long,
    notes: long,
    customer: { name: long, email: `${long}@a.example`, phone: long },
  })
  const { html } = renderMessage('new-booking', data as unknown as MessageData['new-booking'], options)
  expect(await faultsOf(html, 390, 'light')).toEqual([])
})
