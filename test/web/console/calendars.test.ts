// A pro imports calendars in the console, in a real browser: added, seen, failing, read again, removed.
import { expect, test } from 'bun:test'

import { icsOf, openCalendarHost, readAllDue } from '../../support/calendar-host.ts'
import { checkPage, useConsole } from '../../support/console.ts'
import { opened } from '../../support/fixture.ts'

const HOSTILE = `<img src=x onerror="alert(1)"> & <b>bold</b>`

const world = await useConsole({ env: { CALENDAR_ALLOW_PRIVATE: 'true' } })
const host = await opened(openCalendarHost(), 'stop')
const watched = await world.logIn('pro')

const text = async () => (await watched.page.textContent('main')) ?? ''

test('a calendar is added, shows its state and the time that it blocks, and is removed', async () => {
  const { page } = watched
  const { app } = world
  const now = app.deps.clock.now().getTime()
  const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString()
  await page.goto(`${world.url}/console/calendars`)
  await checkPage(watched, 'console-calendars-none')
  await page.fill('input[name=name]', HOSTILE)
  await page.fill('input[name=url]', 'ftp://calendars.test.example/x')
  await page.click('text=Add calendar')
  await page.waitForSelector('[aria-invalid=true]')
  // The browser reports the status 400 of the form.
  expect(watched.errors.splice(0)).toHaveLength(1)
  await page.fill('input[name=url]', host.url('private-abc/basic.ics'))
  await page.click('text=Add calendar')
  await page.waitForSelector('text=Not read yet')
  expect(await page.content()).not.toContain('private-abc')

  host.answer = () => new Response(icsOf({ from: at(24), to: at(26) }, { from: at(48), to: at(49) }))
  expect(await readAllDue(app.deps)).toEqual(['changed'])
  await page.reload()
  await checkPage(watched, 'console-calendars')
  for (const part of ['Working', '2 events', HOSTILE, 'Blocked in the next 30 days'])
    expect(await text()).toContain(part)

  await page.click('text=Read now')
  await page.waitForSelector('text=was read a moment ago')
  await page.click('summary:has-text("Remove")')
  await page.click('text=Remove calendar')
  await page.waitForSelector('text=No calendars')
  expect([watched.outside, watched.errors]).toEqual([[], []])
})

test('a failing calendar says why, and that its busy time still counts', async () => {
  const { page } = watched
  await page.goto(`${world.url}/console/calendars`)
  await page.fill('input[name=name]', 'Family')
  await page.fill('input[name=url]', host.url('gone.ics'))
  await page.click('text=Add calendar')
  await page.waitForSelector('text=Not read yet')
  host.answer = () => new Response('gone', { status: 404 })
  expect(await readAllDue(world.app.deps)).toEqual(['failed'])
  await page.reload()
  expect(await text()).toContain('No calendar has this address any more (404)')
  await checkPage(watched, 'console-calendars-failing')
})
