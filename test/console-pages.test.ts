// The console in a real browser, by role: every page works, is readable by all and fits a phone.
import { describe, expect, test } from 'bun:test'

import { ROLES } from '../src/features/users/model.ts'
import { watchPage } from './support/browser.ts'
import { checkPage, useConsole } from './support/console.ts'
import { makeUser } from './support/visitor.ts'

const world = useConsole()

describe('logging in', () => {
  test('a wrong password is told, a right one opens the console, and logging out closes it', async () => {
    const watched = await watchPage(world.browser)
    const { page, errors } = watched
    await page.goto(`${world.url}/console`)
    await checkPage(watched, 'login')
    await page.getByLabel('E-mail address').fill(await makeUser(world.app, 'operator'))
    await page.getByLabel('Password').fill('not this one')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    // The browser notes an answer of 401 as an error.
    expect(errors.splice(0)).toEqual([expect.stringContaining('401') as string])
    await checkPage(watched, 'login-refused')
    await page.getByLabel('Password').fill('a good long password')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    await page.context().close()
  })
})

test.each(ROLES)('the overview of a %s', async (role) => {
  const watched = await world.logIn(role)
  await checkPage(watched, `overview-${role}`)
  await watched.page.context().close()
})
