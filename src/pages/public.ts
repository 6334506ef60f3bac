// The pages that anyone may open.
import { Elysia } from 'elysia'

import type { Deps } from '../deps.ts'
import { homePages } from './public/home.ts'
import { profilePages } from './public/profile.ts'
import { sitemaps } from './public/sitemap.ts'

export const publicPages = (deps: Deps) =>
  new Elysia({ name: 'public-pages' }).use(homePages(deps)).use(profilePages(deps)).use(sitemaps(deps))
