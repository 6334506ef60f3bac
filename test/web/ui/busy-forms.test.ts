// A form that was sent: it is not sent again by a second press, and the back button gives it back.
import { expect, test } from 'bun:test'

import { watchPage } from '../../support/browser.ts'
import { useConsole } from '../../support/console.ts'

const world = await useConsole()

test('a double click sends a form once, the button says that it works, and after going back it can be sent again', async () => {
  const { page, errors } = await watchPage(world.browser)
  await page.goto(`${world.url}/my/sign-in`)
  const [arrived, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const sent: string[] = []
  await page.route('**/my/sign-in', async (route) => {
    if (route.request().method() === 'POST') {
      sent.push(route.request().postData() ?? '')
      arrived.resolve()
      await held.promise
    }
    await route.continue()
  })
  // Locators wait for the next page, so the page notes by itself what becomes busy.
  await page.evaluate(`new MutationObserver((changes) => {
    sessionStorage.setItem('busy', changes.map(({ target }) => target.nodeName).join())
  }).observe(document, { subtree: true, attributeFilter: ['aria-busy'] })`)
  const button = page.getByRole('button', { name: /^Send me a code/ })
  await page.getByLabel('E-mail address').fill('busy@test.example')
  await button.dblclick()
  await arrived.promise
  // Enter sends a form, too.
  await page.keyboard.press('Enter')
  held.resolve()
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
  expect(sent.length).toBe(1)
  expect(await page.evaluate(`sessionStorage.getItem('busy')`)).toBe('FORM,BUTTON')

  await page.goBack()
  await button.waitFor()
  expect(await page.locator('[aria-busy]').count()).toBe(0)
  await page.getByLabel('E-mail address').fill('busy@test.example')
  await button.click()
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
  expect(sent.length).toBe(2)
  expect(errors).toEqual([])
  await page.context().close()
}, 60_000)

test('a page that the browser kept as it was left has no busy form', async () => {
  const { page } = await watchPage(world.browser)
  await page.goto(`${world.url}/my/sign-in`)
  // Listeners of the window run after those of the document: the form becomes busy, and is not sent.
  const busy = await page.evaluate(`(() => {
    const count = () => document.querySelectorAll('[aria-busy]').length
    const form = document.querySelector('form[method=post]')
    addEventListener('submit', (event) => event.preventDefault())
    form.querySelector('[name=email]').value = 'busy@test.example'
    form.requestSubmit(form.querySelector('button'))
    const sent = count()
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    return [sent, count()]
  })()`)
  expect(busy).toEqual([2, 0])
  await page.context().close()
}, 60_000)
