// The tools of the customer server, in the order of tools/list.
import type { Tool } from '../tool.ts'
import { searchPros } from './search-pros.ts'

export const customerTools: readonly Tool[] = [searchPros]
