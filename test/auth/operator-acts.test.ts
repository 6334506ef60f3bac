// Whatever an operator does on a page stands in the audit log, or in that of the users, with the operator as its author.
import { expect, test } from 'bun:test'

import { OPERATOR_ROUTES } from '../../src/auth/users/rules/operator-roles.ts'
import { IN_TEXAS, filledIn } from '../support/crawl/answers.ts'
import { opened } from '../support/fixture.ts'
import type { Scene } from '../support/operator-scene-makers.ts'
import { OPERATOR_SCENES } from '../support/operator-scenes.ts'
import { pagePartsOf } from '../support/page-parts.ts'
import { openRefundFixture } from '../support/refund-fixture.ts'
import { type PageResponse, createTestUser, visitorFromNewAddress } from '../support/visitor.ts'

/** Forms that change nothing of anyone else's. */
const NO_ACTS: Readonly<Record<string, string>> = {
  'POST /console/guide/mail': 'sends a test mail to the operator',
  'POST /console/marketplace/pictures':
    'sent with files: brand-pictures.test.ts; it saves by the verb of /console/marketplace',
  'POST /console/pros/import':
    'sent with a file: uploaded-imports.test.ts; it changes nothing before the import is started on the page of the file',
}
const ACTS = Object.entries(OPERATOR_ROUTES).flatMap(([route, area]) =>
  route.startsWith('POST /console/') && !area.startsWith('own') && !(route in NO_ACTS) ? [route] : [],
)
/** A page may show what would happen before it is done. */
const MOST_STEPS = 3

const open = await opened(openRefundFixture())
const { app, sql } = open.world
const email = await createTestUser(app, 'operator')
const operator = visitorFromNewAddress(app)
await operator.logIn(email)

const countActs = async (): Promise<number> => {
  const [row] = await sql<{ n: number }[]>`
    select (select count(*)::int from operator_actions where by_user_id = u.id)
      + (select count(*)::int from user_changes where by_user_id = u.id) as n
    from users u where u.email = ${email}`
  return row?.n ?? 0
}

/** Sends the form as a person does who looks at each step. */
async function act({ page, action = page, fields = {} }: Scene): Promise<PageResponse> {
  let shown = await operator.get(page)
  for (let step = 0; step < MOST_STEPS && shown.status === 200; step++) {
    const form = pagePartsOf(shown.text, page).forms.find(
      (it) => it.method === 'post' && it.action.split('?')[0] === action,
    )
    const sent = form && filledIn(form, { isFilledIn: true, home: IN_TEXAS })
    if (!sent) throw new Error(`${page} has no form for ${action} that can be sent.`)
    shown = await operator.postRaw(form.action, { ...sent, ...fields })
  }
  return shown
}

/** What a refused form says is wrong. */
const problemsIn = (text: string): string =>
  [...text.matchAll(/(?:class="fault"|role="alert")[^>]*>(.*?)<\/(?:p|div)>/gs)]
    .map(([, said = '']) => said.replaceAll(/<[^>]+>/g, ' '))
    .join('; ')

test('each act of operators has its scene here', () => {
  expect(ACTS.filter((route) => !(route in OPERATOR_SCENES))).toEqual([])
  expect(Object.keys(OPERATOR_SCENES).filter((route) => !ACTS.includes(route))).toEqual([])
})

test.each(Object.entries(OPERATOR_SCENES))('%s is in the log, by the operator', async (_route, make) => {
  const scene = await make(open)
  const before = await countActs()
  const { status, text } = await act(scene)
  expect({ status, problem: status === 303 ? '' : problemsIn(text) }).toEqual({
    status: 303,
    problem: '',
  })
  expect(await countActs()).toBeGreaterThan(before)
})

test('the log of acts shows who did what to whom, by operator and by kind', async () => {
  const { text } = await operator.get('/console/log')
  for (const said of ['Legal text published', 'Marketplace changed', email]) expect(text).toContain(said)
  const ofReviews = (await operator.get(`/console/log?kind=review&q=${encodeURIComponent(email.toUpperCase())}`)).text
  expect([ofReviews.includes('Review published'), ofReviews.includes('Marketplace changed</td>')]).toEqual([
    true,
    false,
  ])
  const ofOthers = await operator.get('/console/log?q=another%40users.test.example')
  expect(ofOthers.text).toContain('No such act')
  const done = await sql<{ kind: string }[]>`select distinct split_part(action, '.', 1) as kind from operator_actions`
  for (const { kind } of done)
    expect([kind, (await operator.get(`/console/log?kind=${kind}`)).status]).toEqual([kind, 200])
})
