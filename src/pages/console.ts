// /console: the pages of those who are logged in.
import { Elysia } from 'elysia'

import type { Deps } from '../deps.ts'
import { loginPages } from './console/login.ts'
import { overviewPages } from './console/overview.ts'

export const consolePages = (deps: Deps) =>
  new Elysia({ name: 'console' }).use(loginPages(deps)).use(overviewPages(deps))
