// The pages that anyone may open.
import { Elysia } from 'elysia'

import type { Deps } from '../deps.ts'
import { bookingPages } from './public/booking.ts'
import { homePages } from './public/home.ts'
import { myBookingPages } from './public/my-booking.ts'
import { packagePages } from './public/package.ts'
import { profilePages } from './public/profile.ts'
import { quoteRequestPages } from './public/quote-request.ts'
import { sitemaps } from './public/sitemap.ts'
import { widget } from './public/widget.ts'

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
