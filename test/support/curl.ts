// The options of curl that the panel's requests use (-s, -f, -H, -d), for machines without curl.
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fail: { type: 'boolean', short: 'f' },
    silent: { type: 'boolean', short: 's' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    data: { type: 'string', short: 'd' },
  },
})
const headers = values.header.map((line): [string, string] => {
  const colon = line.indexOf(':')
  return [line.slice(0, colon), line.slice(colon + 1).trim()]
})
const response = await fetch(positionals[0] ?? '', {
  method: values.data === undefined ? 'GET' : 'POST',
  headers,
  body: values.data ?? null,
})
process.stdout.write(await response.text())
if (values.fail && !response.ok) process.exitCode = 22
