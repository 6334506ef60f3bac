// `hearth mcp customer` and `hearth mcp pro`: MCP servers over standard input and output, for clients that only support
// stdio. Only protocol messages go to standard output.
import { readAgentTarget } from '../../config.ts'
import { readDemo } from '../up/demo.ts'
import { UsageError } from '../failure.ts'
import { commandEnvironment } from '../command-deps.ts'
import { forward } from './forward.ts'
import { localFolder } from '../up/settings.ts'

const CUSTOMER_PATH = '/api/mcp/customer'
const PRO_PATH = '/api/mcp'

/** The customer server of HEARTH_URL with HEARTH_API_KEY, or of the stack that `npm start` runs in this folder. */
export async function runMcpCustomer(): Promise<void> {
  const { url, apiKey } = readAgentTarget()
  const demo = url && apiKey ? undefined : readDemo(localFolder(commandEnvironment()))
  await run(CUSTOMER_PATH, url ?? demo?.baseUrl, apiKey ?? (url ? undefined : demo?.keys.agentCustomer))
}

/** The pro server of HEARTH_URL with HEARTH_API_KEY. */
export async function runMcpPro(): Promise<void> {
  const { url, apiKey } = readAgentTarget()
  await run(PRO_PATH, url, apiKey)
}

async function run(path: string, url: string | undefined, apiKey: string | undefined): Promise<void> {
  if (!url) throw new UsageError('Set HEARTH_URL to the address of a Hearth server, such as https://hearth.example.')
  if (!apiKey) throw new UsageError('Set HEARTH_API_KEY to an API key for agents.')
  await forward({ url: url.endsWith(path) ? url : url + path, apiKey, input: process.stdin, output: process.stdout })
}
