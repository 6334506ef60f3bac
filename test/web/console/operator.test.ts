// An operator in the console, in a real browser: log-in, reviews, agent tasks. Also guarantees for all roles: keyboard use,
// use without scripts, and no framing.
import { afterEach, expect, test } from 'bun:test'

import type { Page } from 'playwright-core'

import { approveReview, submitReview } from '../../../src/features/reviews/reviews/verbs/reviews.ts'
import { watchPage } from '../../support/browser.ts'
import { checkPage, useConsole } from '../../support/console.ts'
import { createAuthor, newReview } from '../../support/reviews.ts'
import { PASSWORD, createTestUser } from '../../support/visitor.ts'
import { ctxOf } from '../../../src/ctx.ts'

const HOSTILE = `</p><img src=x onerror="alert(1)"><script>alert(2)</script>`

const world = await useConsole()
const { app, pro } = world
const author = await createAuthor(app)
await app.deps.write.run('clearReviews', (sql) => sql`delete from reviews where status = 'pending'`)
const bad = newReview(pro.id, { rating: 1, title: HOSTILE, content: `Bad. ${HOSTILE}` })
const content = 'They came when they said.\n\nThe gate closes again.'
const good = newReview(pro.id, { rating: 4, title: 'On time and tidy', content })
for (const review of [bad, good]) await submitReview(ctxOf(app.deps, { ...author, isProven: true }), review)
const watched = await world.logIn('operator')
afterEach(() => expect([watched.outside, watched.errors]).toEqual([[], []]))

const openPage = (name: string) =>
  watched.page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name }).click()

test('a wrong password is reported, the right one opens the console, and logging out closes it', async () => {
  const visited = await watchPage(world.browser)
  const { page, errors } = visited
  await page.goto(`${world.url}/console`)
  await checkPage(visited, 'console-login')
  await page.getByLabel('E-mail address').fill(await createTestUser(world.app, 'operator'))
  await page.getByLabel('Password').fill('not this one')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('alert').waitFor()
  // The browser logs a 401 response as an error.
  expect(errors.splice(0)).toEqual([expect.stringContaining('401') as string])
  await checkPage(visited, 'console-login-refused')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await page.context().close()
})

test('an operator finds reviews, and decides about all chosen ones without scripts', async () => {
  const { app, pro } = world
  const author = await createAuthor(app)
  const content = 'Buy watches at example.com'
  for (const rating of [1, 2, 3])
    await submitReview(
      ctxOf(app.deps, { ...author, isProven: true }),
      newReview(pro.id, { rating, content, title: `Watch ${rating}` }),
    )
  const { page } = watched
  const entries = page.locator('.entry')
  await page.goto(`${world.url}/console/reviews?q=WATCHES&sort=rating_low`)
  await page.getByText('3 reviews found').waitFor()
  expect(await entries.locator('h2').allTextContents()).toEqual(['Watch 1', 'Watch 2', 'Watch 3'])
  await page.getByLabel('Rating').selectOption('3')
  await page.getByRole('main').getByRole('button', { name: 'Search' }).click()
  await page.getByText('1 review found').waitFor()
  await page.goBack()
  await checkPage(watched, 'console-reviews-bulk')
  await page.getByRole('link', { name: 'Choose all on this page' }).click()
  await entries.nth(2).getByRole('checkbox').uncheck()
  await page.locator('.bulk summary').click()
  await page.getByRole('button', { name: 'Reject them' }).click()
  await page.getByText('must say why').waitFor()
  expect(watched.errors.splice(0)).toEqual([expect.stringContaining('400') as string])
  // What was chosen stays chosen.
  expect(await page.locator('.bulk :focus').innerText()).toBe('Please correct: One reason for all of them')
  expect(await entries.getByRole('checkbox', { checked: true }).count()).toBe(2)
  expect(await entries.locator('h2').allTextContents()).toEqual(['Watch 1', 'Watch 2', 'Watch 3'])
  await page.getByLabel('One reason for all of them').fill('It is an advertisement.')
  await page.getByRole('button', { name: 'Reject them' }).click()
  await page.getByText('2 reviews rejected.').waitFor()
  // The list keeps its filters and order.
  expect(await entries.locator('h2').allTextContents()).toEqual(['Watch 3'])
  // Another moderator decides meanwhile.
  await approveReview(ctxOf(app.deps), { id: (await page.locator('[name="ids"]').getAttribute('value')) ?? '' })
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Publish the chosen' }).click()
  await page.getByText('0 reviews published. 1 review left as it is').waitFor()
  await page.goto(`${world.url}/console`)
})

test('an operator publishes reviews and rejects them with a reason', async () => {
  const { page } = watched
  await checkPage(watched, 'console-overview-operator')
  await page.getByRole('link', { name: '2 reviews to moderate' }).click()
  expect(await page.locator('main img, main script').count()).toBe(0)
  await checkPage(watched, 'console-reviews')
  const entry = (text: string) => page.getByRole('listitem').filter({ hasText: text })
  await entry('On time and tidy').getByRole('button', { name: 'Publish' }).click()
  await page.getByText('is published').waitFor()
  await entry('Bad.').locator('summary').click()
  await entry('Bad.').getByLabel('Reason').fill('It has markup in it.')
  await entry('Bad.').getByRole('button', { name: 'Reject review' }).click()
  await page.getByText('All reviews have been moderated').waitFor()
  await checkPage(watched, 'console-reviews-none')
  await page.getByRole('link', { name: 'Rejected' }).click()
  await page.getByText('Rejected: It has markup in it.').waitFor()
})

test('an operator takes a published review down with a reason', async () => {
  const { page } = watched
  await page.goto(`${world.url}/console/reviews?status=approved&pro=${pro.slug}&q=On+time+and+tidy`)
  const entry = page.locator('.entry')
  await entry.locator('summary').click()
  await checkPage(watched, 'console-reviews-take-down')
  await entry.getByLabel('Reason').fill('It names a neighbour.')
  await entry.getByRole('button', { name: 'Take review down' }).click()
  await page.getByText('The review is taken down').waitFor()
  expect(await entry.count()).toBe(0)
})

async function addTasks(page: Page, tasks: string, reference: string): Promise<void> {
  await page.locator('summary', { hasText: 'Add tasks' }).click()
  await page.getByLabel('Tasks', { exact: true }).fill(tasks)
  await page.getByLabel('Reference').fill(reference)
  await page.getByRole('button', { name: 'Add tasks' }).click()
}

test('an operator looks up a pro’s agent tasks and adds each purchase once', async () => {
  const { page } = watched
  await openPage('Agent credits')
  await checkPage(watched, 'console-credits-none')
  await page.getByLabel('Pro, by id').fill(world.pro.slug)
  await page.getByRole('button', { name: 'Look up' }).click()
  for (const message of ['Added 250 tasks', 'already used']) {
    await addTasks(page, '250', 'invoice 1')
    await page.getByText(message).waitFor()
  }
  expect(watched.errors.splice(0)).toEqual([expect.stringContaining('400') as string])
  expect(await page.locator('.figures').innerText()).toContain('250')
  await checkPage(watched, 'console-credits')
  await page.getByLabel('Pro, by id').fill(HOSTILE)
  await page.getByRole('button', { name: 'Look up' }).click()
  await page.getByText('Pro not found').waitFor()
  expect(await page.locator('main img').count()).toBe(0)
})

test('the console can be used with the keyboard only', async () => {
  const { page, errors } = await watchPage(world.browser)
  await page.goto(`${world.url}/console/credits?pro=${world.pro.slug}`)
  const pressKeys = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  await page.getByLabel('E-mail address').focus()
  await page.keyboard.type(await createTestUser(world.app, 'operator'))
  await pressKeys('Tab')
  await page.keyboard.type(PASSWORD)
  await pressKeys('Enter')
  await page.getByRole('heading', { name: 'Agent credits' }).waitFor()
  await page.waitForLoadState()
  // Skip the menu, then tab through the search, its button and the disclosure.
  await pressKeys('Tab', 'Enter')
  await page.waitForURL('**#content')
  await pressKeys('Tab', 'Tab', 'Tab', 'Enter')
  await page.getByLabel('Tasks', { exact: true }).waitFor()
  await pressKeys('Tab')
  await page.keyboard.type('3')
  await pressKeys('Tab')
  await page.keyboard.type('invoice 3')
  await pressKeys('Enter')
  await page.getByText('Added 3 tasks').waitFor()
  expect(errors).toEqual([])
  await page.context().close()
})

test('pages and forms work without scripts', async () => {
  const context = await world.browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${world.url}/console/login`)
  await page.getByLabel('E-mail address').fill(await createTestUser(world.app, 'operator'))
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('link', { name: 'Agent credits' }).click()
  await page.getByLabel('Pro, by id').fill(world.pro.slug)
  await page.getByRole('button', { name: 'Look up' }).click()
  await addTasks(page, '1', 'invoice 2')
  await page.getByText('Added 1 task').waitFor()
  await page.getByRole('link', { name: 'Reviews' }).click()
  await page.getByRole('link', { name: 'Rejected' }).click()
  await page.getByText('On time and tidy').waitFor()
  await context.close()
})

test('changing the password needs the current one and logs the user out elsewhere', async () => {
  const email = await createTestUser(world.app, 'operator')
  const logInAgain = async () => {
    const visited = await watchPage(world.browser)
    await visited.page.goto(`${world.url}/console/account`)
    await visited.page.getByLabel('E-mail address').fill(email)
    await visited.page.getByLabel('Password').fill(PASSWORD)
    await visited.page.getByRole('button', { name: 'Log in' }).click()
    await visited.page.getByRole('heading', { name: 'Change your password' }).waitFor()
    return visited
  }
  const [here, elsewhere] = [await logInAgain(), await logInAgain()]
  const change = async (current: string, next: string) => {
    // The form that changes the address asks for the password, too.
    const form = here.page.locator('form', { has: here.page.getByRole('button', { name: 'Change password' }) })
    await form.getByLabel('Current password').fill(current)
    await form.getByLabel('New password').fill(next)
    await here.page.getByRole('button', { name: 'Change password' }).click()
  }
  await change('not this one', 'another long password')
  await here.page.getByText('Is not your password').waitFor()
  expect(await here.page.locator(':focus').innerText()).toBe('Please correct: Current password')
  await change(PASSWORD, 'short')
  await here.page.getByText('Must be text from 12').waitFor()
  here.errors.splice(0)
  await checkPage(here, 'console-account')
  await change(PASSWORD, 'another long password')
  await here.page.getByText('Your password was changed').waitFor()
  await elsewhere.page.reload()
  await elsewhere.page.getByRole('heading', { name: 'Log in' }).waitFor()
  for (const { page } of [here, elsewhere]) await page.context().close()
})

test('missing pages and pages of other roles show an error page', async () => {
  const { page, errors } = watched
  await page.goto(`${world.url}/console/nowhere`)
  await page.getByRole('heading', { name: 'Not found' }).waitFor()
  await page.goto(`${world.url}/console/bookings`)
  await page.getByRole('heading', { name: 'Not available to your role' }).waitFor()
  expect(errors.splice(0).length).toBe(2)
  await checkPage(watched, 'console-not-for-you')
})

test('other sites cannot frame the console', async () => {
  const { page } = await watchPage(world.browser)
  const refusal = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
  await page.setContent(`<iframe src="${world.url}/console/login"></iframe>`)
  expect((await refusal).text()).toContain(`'none'`)
  await page.context().close()
})

test('the page check detects cut-off content and low contrast', async () => {
  const visited = await watchPage(world.browser)
  await visited.page.goto(`${world.url}/problems`)
  const breakPage = (html: string) =>
    visited.page.evaluate(`document.querySelector('main').insertAdjacentHTML('beforeend', ${JSON.stringify(html)})`)
  await breakPage('<input type="text">')
  // `rejects` would run the browser's messages inside this call, out of order.
  expect(await checkPage(visited, 'spoilt').catch(String)).toContain('label')
  await visited.page.reload()
  await breakPage('<p><img src="/assets/hearth.svg" alt="" width="900" height="9"></p>')
  expect(await checkPage(visited, 'spoilt').catch(String)).toContain('width="900"')
  await visited.page.context().close()
})
