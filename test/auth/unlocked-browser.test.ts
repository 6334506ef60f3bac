// A browser that a person left unlocked: each form that asks for the password again limits how often it may be guessed there.
import { expect, test } from 'bun:test'

import { openTestApp } from '../support/app.ts'
import { opened } from '../support/fixture.ts'
import { findPros } from '../support/reviews.ts'
import { PASSWORD, createTestUser, visitorFromNewAddress } from '../support/visitor.ts'

/** Of one person in one browser, within a quarter of an hour. */
const ATTEMPTS = 10

const app = await opened(openTestApp('seeded'))
const [pro] = await findPros(app, 1)

const FORMS: readonly [path: string, fields: (password: string) => Record<string, string>][] = [
  ['/console/account/password', (current) => ({ current, next: 'another long password' })],
  ['/console/account/email', (current) => ({ current, email: 'another@users.test.example' })],
  ['/console/account/second-factor', (password) => ({ action: 'begin', password })],
  ['/console/account/second-factor', (password) => ({ action: 'codes', password, code: '000000' })],
  ['/console/account/second-factor', (password) => ({ action: 'remove', password, code: '000000' })],
  ['/console/users/:id/second-factor', (password) => ({ password })],
  ['/console/closing', (password) => ({ password, name: 'Oak Works' })],
]

test.each(FORMS)('at %s the password is not guessed', async (path, fields) => {
  const role = path === '/console/closing' ? 'pro' : 'operator'
  const email = await createTestUser(app, role, role === 'pro' ? { pro: pro?.id ?? '' } : {})
  const [user] = await app.sql<{ id: string }[]>`select id from users where email = ${email}`
  const browser = visitorFromNewAddress(app)
  await browser.logIn(email)
  const send = (password: string) => browser.post(path.replace(':id', user?.id ?? ''), fields(password))
  for (let n = 1; n <= ATTEMPTS; n++) expect((await send('wrong password')).status).not.toBe(429)
  expect((await send(PASSWORD)).status).toBe(429)
})
