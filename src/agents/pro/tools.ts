// The tools of the pro server, in the order of tools/list.
import type { ProCaller } from '../../http/pro-caller.ts'
import type { Tool } from '../tool.ts'
import { listLeads } from './list-leads.ts'

export const proTools: readonly Tool<ProCaller>[] = [listLeads]
