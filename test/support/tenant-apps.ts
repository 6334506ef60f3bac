// The apps that the people of a tenant connect.
import type { SignedIn } from '../../src/auth/oauth/verbs/consent.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import type { TestApp } from './app.ts'
import { connect, signedInPro, someCustomer } from './connected-app.ts'

/** The token of an app that the customer let book, ask and review. */
export async function customerToken(app: TestApp, email: string): Promise<string> {
  const scope = 'bookings:write rfqs:write reviews:write'
  const person = await someCustomer(app, email)
  return (await connect(app, { resource: 'rest', person, scope })).access_token
}

/** The pro's user and the customer each connect an app. Returns the ids of the grants. */
export async function connectApps(
  app: TestApp,
  sql: Sql,
  { professionalId, customerEmail }: { professionalId: string; customerEmail: string },
) {
  const [user] = await sql<{ id: string; email: string }[]>`
    select u.id, u.email from users u join professionals p on p.account_id = u.account_id where p.id = ${professionalId}`
  const grantOf = async (resource: 'pro-agent' | 'customer-agent', person: SignedIn) => {
    const { clientId } = await connect(app, { resource, person })
    const [grant] = await sql<{ id: string }[]>`select key_id as id from oauth_grants where client_id = ${clientId}`
    return grant?.id ?? ''
  }
  const pro = await signedInPro(app, { professionalId, userId: user?.id ?? '', email: user?.email ?? '' })
  return {
    proApp: await grantOf('pro-agent', pro),
    customerApp: await grantOf('customer-agent', await someCustomer(app, customerEmail)),
  }
}
