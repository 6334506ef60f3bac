// The options of curl that the panel's requests use (-s, -f, -H, -d, -F), for machines without curl.
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fail: { type: 'boolean', short: 'f' },
    silent: { type: 'boolean', short: 's' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    data: { type: 'string', short: 'd' },
    form: { type: 'string', short: 'F', multiple: true, default: [] },
  },
})
const headers = values.header.map((line): [string, string] => {
  const colon = line.indexOf(':')
  return [line.slice(0, colon), line.slice(colon + 1).trim()]
})
/** `name=text`, or `name=@path` of a file. */
function formOf(lines: readonly string[]): FormData {
  const form = new FormData()
  for (const line of lines) {
    const [name = '', value = ''] = line.split(/=(.*)/s)
    if (value.startsWith('@')) form.append(name, Bun.file(value.slice(1)))
    else form.append(name, value)
  }
  return form
}
const body = values.form.length > 0 ? formOf(values.form) : (values.data ?? null)
const response = await fetch(positionals[0] ?? '', {
  method: body === null ? 'GET' : 'POST',
  headers,
  body,
})
process.stdout.write(await response.text())
if (values.fail && !response.ok) process.exitCode = 22
