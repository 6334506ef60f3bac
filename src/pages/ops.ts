// /ops: the pages of operators.
import { Elysia } from 'elysia'

import type { Deps } from '../deps.ts'
import { nowPages } from './ops/now.ts'
import { queuePages } from './ops/queues.ts'
import { tracePages } from './ops/traces.ts'

export const opsPages = (deps: Deps) =>
  new Elysia({ name: 'ops' }).use(nowPages(deps)).use(tracePages(deps)).use(queuePages(deps))
