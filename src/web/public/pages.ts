// The pages that anyone may open.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { bookingPages } from './booking.ts'
import { homePages } from './home.ts'
import { myBookingPages } from './my-booking.ts'
import { packagePages } from './package.ts'
import { profilePages } from './profile.ts'
import { quoteRequestPages } from './quote-request.ts'
import { sitemaps } from './sitemap.ts'
import { widget } from './widget.ts'

export const publicPages = (deps: Deps) =>
  new Elysia({ name: 'public-pages' })
    .use(homePages(deps))
    .use(profilePages(deps))
    .use(packagePages(deps))
    .use(bookingPages(deps))
    .use(myBookingPages(deps))
    .use(quoteRequestPages(deps))
    .use(sitemaps(deps))
    .use(widget())
