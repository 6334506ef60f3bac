// /console: the pages of those who are logged in.
import { Elysia } from 'elysia'

import type { Deps } from '../deps.ts'
import { accountPages } from './console/account.ts'
import { bookingPages } from './console/bookings.ts'
import { creditPages } from './console/credits.ts'
import { deliveryPages } from './console/deliveries.ts'
import { keyPages } from './console/keys.ts'
import { leadPages } from './console/leads.ts'
import { loginPages } from './console/login.ts'
import { overviewPages } from './console/overview.ts'
import { passwordPages } from './console/password.ts'
import { proposalPages } from './console/proposals.ts'
import { reviewPages } from './console/reviews.ts'
import { usagePages } from './console/usage.ts'
import { userPages } from './console/users.ts'
import { webhookPages } from './console/webhooks.ts'

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
