// The client of the AI SDK: connects to the server, lists its tools and calls one. Arguments: the package, the URL, a key.
const [path, url, key] = process.argv.slice(2)
const { createMCPClient } = await import(path)
const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` }
const client = await createMCPClient({ transport: { type: 'http', url, headers } })
const { search_pros: search } = await client.tools()
const { structuredContent } = await search.execute({ service: 'plumber' }, { toolCallId: '1', messages: [] })
console.log(`professionals: ${structuredContent.professionals.length}`)
await client.close()
