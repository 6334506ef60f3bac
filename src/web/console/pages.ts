// /console: the pages of those who are logged in.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { accountPages } from './account.ts'
import { bookingPages } from './bookings.ts'
import { creditPages } from './credits.ts'
import { deliveryPages } from './deliveries.ts'
import { keyPages } from './keys.ts'
import { leadPages } from './leads.ts'
import { loginPages } from './login.ts'
import { overviewPages } from './overview.ts'
import { passwordPages } from './password.ts'
import { proposalPages } from './proposals.ts'
import { reviewPages } from './reviews.ts'
import { usagePages } from './usage.ts'
import { userPages } from './users.ts'
import { webhookPages } from './webhooks.ts'

export const consolePages = (deps: Deps) =>
  new Elysia({ name: 'console' })
    .use(loginPages(deps))
    .use(passwordPages(deps))
    .use(overviewPages(deps))
    .use(accountPages(deps))
    .use(bookingPages(deps))
    .use(leadPages(deps))
    .use(proposalPages(deps))
    .use(creditPages(deps))
    .use(reviewPages(deps))
    .use(userPages(deps))
    .use(keyPages(deps))
    .use(webhookPages(deps))
    .use(deliveryPages(deps))
    .use(usagePages(deps))
