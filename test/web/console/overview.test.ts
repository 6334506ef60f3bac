// The first page of the console, and its menu on a phone.
import { expect, test } from 'bun:test'

import { checkPage, useConsole } from '../../support/console.ts'

const world = await useConsole()

/** The pro's bookings by day: each of the last 60 days has one, and each of the last 30 one more. */
const addBookings = () => world.app.sql`
  insert into pro_days (professional_id, day, kind, service_id, status, total, cents)
  select p.id, (${world.app.deps.clock.now().toISOString()}::timestamptz at time zone p.time_zone)::date - n, 'booking', null, 'completed',
    case when n < 30 then 2 else 1 end, 0
  from professionals p, generate_series(0, 59) n where p.id = ${world.pro.id}`

test('a pro sees how the last 30 days went beside the 30 before, once something has happened', async () => {
  const visit = await world.logIn('pro')
  const { page } = visit
  await world.app.sql`delete from pro_days where professional_id = ${world.pro.id}`
  await page.reload()
  expect(await page.getByRole('heading', { name: 'The last 30 days' }).count()).toBe(0)
  await addBookings()
  await page.reload()
  const trend = page.getByRole('link', { name: '60 new bookings 30 in the 30 days before' })
  expect(await trend.locator('rect').count()).toBe(30)
  await checkPage(visit, 'today-with-trends')
})

test('an operator sees how the last 30 days of all real pros went beside the 30 before, once something has happened', async () => {
  await world.app.sql`delete from pro_days`
  const visit = await world.logIn('operator')
  const { page } = visit
  expect(await page.getByRole('heading', { name: 'The last 30 days' }).count()).toBe(0)
  await addBookings()
  // Bookings of a test pro are none of the marketplace.
  const made = await world.app.sql`
    with test_pro as (
      update professionals set active = false, test_account_id = account_id
      where id = (select id from professionals where id <> ${world.pro.id} limit 1) returning id)
    insert into pro_days (professional_id, day, kind, service_id, status, total, cents)
    select id, ${world.app.deps.clock.now().toISOString()}::timestamptz::date, 'booking', null, 'completed', 7, 0
    from test_pro returning 1`
  expect(made).toHaveLength(1)
  await page.reload()
  expect(await page.getByText('new bookings', { exact: true }).count()).toBe(1)
  expect(await page.locator('.trend').first().innerText()).toMatch(/^60\s+new bookings\s+30 in the 30 days before$/)
  expect(await page.locator('.trend').first().locator('rect').count()).toBe(30)
  await checkPage(visit, 'operator-overview-with-trends')
})

test('on a phone the main pages are one tap away, and all others two, wherever the page is scrolled', async () => {
  for (const role of ['pro', 'operator', 'developer'] as const) {
    const { page } = await world.logIn(role)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    const dock = page.getByRole('navigation', { name: 'Main pages' })
    for (const target of await dock.locator('> :not(.menu-open)').all()) {
      const box = await target.boundingBox()
      expect(box?.height).toBeGreaterThanOrEqual(44)
      expect(box?.width).toBeGreaterThanOrEqual(44)
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(844)
    }
    expect(await dock.getByRole('link').count()).toBe(4)
    const menu = page.getByRole('navigation', { name: 'Console' })
    expect(await menu.isVisible()).toBe(false)
    await page.locator('.menu-button').click()
    const last = menu.getByRole('link').last()
    await last.click({ trial: true })
    await page.setViewportSize({ width: 1280, height: 900 })
    expect([await dock.isVisible(), await menu.isVisible()]).toEqual([false, true])
  }
})
