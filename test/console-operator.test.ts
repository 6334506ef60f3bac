// What an operator does in the console, in a real browser: reviews are moderated, agent tasks added.
import { afterEach, beforeAll, expect, test } from 'bun:test'

import { submitReview } from '../src/features/reviews/service.ts'
import { type WatchedPage, watchPage } from './support/browser.ts'
import { checkPage, useConsole } from './support/console.ts'
import { makeAuthor, newReview } from './support/reviews.ts'

const HOSTILE = `</p><img src=x onerror="alert(1)"><script>alert(2)</script>`

const world = useConsole()
let watched: WatchedPage

beforeAll(async () => {
  const { app, pro } = world
  const author = await makeAuthor(app)
  await app.deps.write.run('clearReviews', (sql) => sql`delete from reviews where status = 'pending'`)
  await submitReview(app.deps, author, newReview(pro.id, { rating: 1, title: HOSTILE, content: `Bad. ${HOSTILE}` }))
  const title = 'On time and tidy'
  await submitReview(
    app.deps,
    author,
    newReview(pro.id, { rating: 4, title, content: 'They came when they said.\n\nThe gate closes again.' }),
  )
  watched = await world.logIn('operator')
})
afterEach(() => expect([watched.outside, watched.errors]).toEqual([[], []]))

const go = (name: string) =>
  watched.page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name }).click()

test('reviews are read, published and rejected with a reason', async () => {
  const { page } = watched
  await checkPage(watched, 'overview-operator')
  await page.getByRole('link', { name: '2 reviews to be read' }).click()
  expect(await page.locator('main img, main script').count()).toBe(0)
  await checkPage(watched, 'reviews')
  const entry = (text: string) => page.getByRole('listitem').filter({ hasText: text })
  await entry('On time and tidy').getByRole('button', { name: 'Publish' }).click()
  await page.getByText('Published: it counts for').waitFor()
  await entry('Bad.').locator('summary').click()
  await entry('Bad.').getByLabel('Why').fill('It has markup in it.')
  await entry('Bad.').getByRole('button', { name: 'Reject the review' }).click()
  await page.getByText('Every review has been read').waitFor()
  await checkPage(watched, 'reviews-none')
  await page.getByRole('link', { name: 'Rejected' }).click()
  await page.getByText('Rejected: It has markup in it.').waitFor()
})

test('a pro’s agent tasks are looked up, and some are added, each purchase once', async () => {
  const { page } = watched
  await go('Agent credits')
  await checkPage(watched, 'credits-none')
  await page.getByLabel('Pro, by id').fill(world.pro.slug)
  await page.getByRole('button', { name: 'Look up' }).click()
  for (const said of ['Added 250 tasks', 'counted before']) {
    await page.locator('summary', { hasText: 'Add tasks' }).click()
    await page.getByLabel('Tasks', { exact: true }).fill('250')
    await page.getByLabel('Reference').fill('invoice 1')
    await page.getByRole('button', { name: 'Add the tasks' }).click()
    await page.getByText(said).waitFor()
  }
  expect(await page.locator('.figures').innerText()).toContain('250')
  await checkPage(watched, 'credits')
  await page.getByLabel('Pro, by id').fill(HOSTILE)
  await page.getByRole('button', { name: 'Look up' }).click()
  await page.getByText('No such pro').waitFor()
  expect(await page.locator('main img').count()).toBe(0)
})

test('with scripts off every page can be read, and forms work', async () => {
  const context = await world.browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${world.url}/console/login`)
  await page
    .getByLabel('E-mail address')
    .fill(await (await import('./support/visitor.ts')).makeUser(world.app, 'operator'))
  await page.getByLabel('Password').fill('a good long password')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('link', { name: 'Agent credits' }).click()
  await page.getByLabel('Pro, by id').fill(world.pro.slug)
  await page.getByRole('button', { name: 'Look up' }).click()
  await page.locator('summary', { hasText: 'Add tasks' }).click()
  await page.getByLabel('Tasks', { exact: true }).fill('1')
  await page.getByLabel('Reference').fill('invoice 2')
  await page.getByRole('button', { name: 'Add the tasks' }).click()
  await page.getByText('Added 1 task').waitFor()
  await page.getByRole('link', { name: 'Reviews' }).click()
  await page.getByRole('link', { name: 'Published' }).click()
  await page.getByText('On time and tidy').waitFor()
  await context.close()
})

test('in a frame of another page nothing is shown', async () => {
  const framed = await watchPage(world.browser)
  await framed.page.goto(`${world.url}/problems`)
  await framed.page.setContent(`<iframe src="${world.url}/console/login"></iframe>`)
  const refusal = framed.page.waitForEvent('console', (message) => message.text().includes('frame'))
  await framed.page.reload()
  await framed.page.setContent(`<iframe src="${world.url}/console/login"></iframe>`)
  expect((await refusal).text()).toContain('frame')
  await framed.page.context().close()
})
