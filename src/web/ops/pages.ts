// /ops: the pages of operators.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { nowPages } from './now.ts'
import { queuePages } from './queues.ts'
import { tracePages } from './traces.ts'

export const opsPages = (deps: Deps) =>
  new Elysia({ name: 'ops' }).use(nowPages(deps)).use(tracePages(deps)).use(queuePages(deps))
