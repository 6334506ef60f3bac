// What a marketplace of Canada says: no word of the United States is on its pages, in its messages and documents.
import { describe, expect, test } from 'bun:test'

import { PRESETS } from '../../../src/auth/scopes.ts'
import { MESSAGE_KINDS, type MessageKind } from '../../../src/features/messages/messages/kinds.ts'
import { renderMessage } from '../../../src/features/messages/messages/templates/render.ts'
import { SAMPLES } from '../../../src/features/messages/messages/templates/samples.ts'
import { localizedValue, regionOf } from '../../../src/platform/text/region.ts'
import { CUSTOMER_SERVER, PRO_SERVER, PUBLIC_SERVER, rpc } from '../../support/agents.ts'
import { opened } from '../../support/fixture.ts'
import { SITE } from '../../support/site.ts'
import { openToronto } from '../../support/toronto.ts'
import { Visitor } from '../../support/visitor.ts'

const toronto = await opened(openToronto())
const { app, pro } = toronto

describe('the words of the United States', () => {
  /** The API's distances are miles in every country, and its descriptions say so. */
  const AMERICAN = /\b(?:ZIP|USD|US|TX|Texas|Austin)\b|\b\d+ miles\b/
  const faultsIn = (texts: readonly (readonly [string, string])[]) =>
    texts.flatMap(([name, text]) => {
      const found = AMERICAN.exec(text)
      return found ? [`${name}: ${text.slice(Math.max(0, found.index - 40), found.index + 40)}`] : []
    })

  test('are on no page for customers, and in no document for programs', async () => {
    const visitor = new Visitor(app)
    const documents = '/ /about /for-pros /terms /privacy /llms.txt /openapi.json /api-docs /plumbers/toronto-on'.split(
      ' ',
    )
    const cards = ['', 'customer-', 'public-'].map((server) => `/.well-known/mcp/${server}server-card.json`)
    const searches = ['/?service=plumber&place=M5V', '/?service=plumber&place=Nowhere']
    const ofPro = ['', '/book', '/quote'].map((page) => `/pros/${pro.slug}${page}`)
    const paths = documents.concat(cards, searches, ofPro)
    const texts: (readonly [string, string])[] = []
    for (const path of paths) texts.push([path, (await visitor.get(path)).text])
    expect(faultsIn(texts)).toEqual([])
    expect(texts.filter(([, text]) => text.length < 100).map(([path]) => path)).toEqual([])
  })

  test('are in no description of a tool, prompt or resource and no instruction of an agent server', async () => {
    const [agent, customer] = [
      await app.key([...PRESETS['agent-tools']], pro.email),
      await app.key([...PRESETS['agent-tools']]),
    ]
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const texts: (readonly [string, string])[] = []
    for (const [server, key] of [
      [PUBLIC_SERVER, ''],
      [CUSTOMER_SERVER, customer],
      [PRO_SERVER, agent],
    ] as const)
      for (const method of ['initialize', 'tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
        const { reply } = await rpc(app, server, key, method, method === 'initialize' ? hello : {})
        texts.push([`${server} ${method}`, JSON.stringify(reply)])
      }
    expect(faultsIn(texts)).toEqual([])
  })

  test('are in no message', () => {
    const region = regionOf({ country: 'CA' })
    const options = {
      site: { ...SITE, country: 'CA' as const },
      baseUrl: toronto.url,
      from: 'a@b.example',
      to: 'c@d.example',
    }
    const texts = (Object.keys(MESSAGE_KINDS) as MessageKind[]).map((kind) => {
      const { subject, text, html, attachments } = renderMessage(kind, localizedValue(region, SAMPLES[kind]), options)
      return [kind, [subject, text, html, ...attachments.map(({ content }) => content)].join('\n')] as const
    })
    expect(faultsIn(texts)).toEqual([])
    for (const [kind, text] of texts) expect([kind, text]).toEqual([kind, expect.not.stringMatching(/US\$|CA\$/)])
  })
})
