// A business has a bounded number of log-ins: what lists and locks them reads them all.
import { expect, test } from 'bun:test'

import { MAX_LOGINS } from '../../../../src/auth/users/verbs/member-logins.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import { endLogin, giveLogin } from '../../../../src/features/business/members/verbs/logins.ts'
import { openBookingFixture } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { newMember, personOf } from '../../../support/team.ts'

const fixture = await opened(openBookingFixture())
const { app, sql } = fixture

test(`a business has at most ${MAX_LOGINS} log-ins, of which those that ended do not count`, async () => {
  const pro = await fixture.pro()
  const [owner, worker] = [await personOf(fixture, pro, 'owner'), await personOf(fixture, pro, 'worker')]
  await sql`
    insert into members (id, professional_id, name, email, role, created_at)
    select gen_random_uuid(), ${pro.id}, 'Crew', 'crew-' || n || '@many.test.example', 'crew', now()
    from generate_series(1, ${MAX_LOGINS - 2}) n`
  await sql`
    insert into users (id, email, password_hash, role, account_id, pro_role, member_id, created_at)
    select gen_random_uuid(), 'login-' || m.email, '$argon2id$many', 'pro', p.account_id, 'worker', m.id, now()
    from members m join professionals p on p.id = m.professional_id
    where m.professional_id = ${pro.id} and m.email like '%@many.test.example'`
  const [by] = await sql<{ userId: string; accountId: string }[]>`
    select id as user_id, account_id from users where email = ${owner.email}`
  const ctx = ctxOf(app.deps, { professionalId: pro.id, userId: by?.userId ?? '', accountId: by?.accountId ?? '' })
  const id = await newMember(fixture, pro, 'One more')
  const give = () => giveLogin(ctx, { id, email: `${crypto.randomUUID()}@users.test.example`, proRole: 'worker' })
  expect(give()).rejects.toMatchObject({ code: 'invalid_transition' })
  await endLogin(ctx, { id: worker.memberId })
  expect(await give()).toMatchObject({ token: expect.any(String) as string })
})
