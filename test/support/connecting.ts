// An app on a person's device that connects by OAuth: the storage of the official clients, its listener, and its document.
import type { OAuthDiscoveryState } from '@modelcontextprotocol/client'
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import type { Page } from 'playwright-core'

import type { TestApp } from './app.ts'
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from './certificate.ts'
import { codeFor } from './customers.ts'
import { PASSWORD } from './visitor.ts'

/** The listener to which the browser is sent back. */
export interface Callback {
  readonly url: string
  /** The parameters of the next answer. */
  answer(): Promise<URLSearchParams>
  stop(): Promise<void>
}

export function openCallback(port = 0): Callback {
  let arrived = Promise.withResolvers<URLSearchParams>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port,
    routes: {
      '/callback': (request) => {
        arrived.resolve(new URL(request.url).searchParams)
        return new Response('You can close this page.')
      },
    },
    fetch: () => new Response(null, { status: 404 }),
  })
  return {
    url: `http://127.0.0.1:${server.port}/callback`,
    answer: async () => {
      const parameters = await arrived.promise
      arrived = Promise.withResolvers()
      return parameters
    },
    stop: () => server.stop(true),
  }
}

/** The host of the app's metadata document, by HTTPS with a certificate for 127.0.0.1. */
export function openMetadataHost(
  name: string,
  callback: Pick<Callback, 'url'>,
): { clientId: string; stop: () => Promise<void> } {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    tls: { cert: LOOPBACK_CERTIFICATE, key: LOOPBACK_KEY },
    fetch: ({ url }): Response => Response.json({ client_id: url, ...metadataOf(name, callback) }),
  })
  const clientId = `https://127.0.0.1:${server.port}/app/metadata.json`
  return { clientId, stop: () => server.stop(true) }
}

const metadataOf = (name: string, callback: Pick<Callback, 'url'>): OAuthClientMetadata => ({
  client_name: name,
  redirect_uris: [callback.url],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
})

/** What an app keeps: the provider of both generations of the official client. */
export class AppStorage {
  readonly redirectUrl: string
  readonly clientMetadata: OAuthClientMetadata
  readonly clientMetadataUrl?: string
  /** The address that the person's browser is to open. */
  asked: URL | undefined
  registered: OAuthClientInformationMixed | undefined
  held: OAuthTokens | undefined
  #discovered: OAuthDiscoveryState | undefined
  #verifier = ''

  constructor(name: string, callback: Callback, metadataUrl?: string) {
    this.redirectUrl = callback.url
    this.clientMetadata = metadataOf(name, callback)
    if (metadataUrl !== undefined) this.clientMetadataUrl = metadataUrl
  }

  clientInformation() {
    return this.registered
  }

  saveClientInformation(registered: OAuthClientInformationMixed) {
    this.registered = registered
  }

  tokens() {
    return this.held
  }

  saveTokens(tokens: OAuthTokens) {
    this.held = tokens
  }

  redirectToAuthorization(url: URL) {
    this.asked = url
  }

  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier
  }

  codeVerifier() {
    return this.#verifier
  }

  saveDiscoveryState(discovered: OAuthDiscoveryState) {
    this.#discovered = discovered
  }

  discoveryState() {
    return this.#discovered
  }

  invalidateCredentials(what: string) {
    if (what === 'all' || what === 'tokens') this.held = undefined
  }

  /** The address, which is forgotten. */
  takeAsked(): URL {
    const { asked } = this
    if (!asked) throw new Error('The app asked for nothing.')
    this.asked = undefined
    return asked
  }
}

/** A person in front of a browser. They sign in where they have to. */
export interface PersonAtBrowser {
  app: TestApp
  page: Page
  email: string
}

/** Opens the app's request, and signs in unless the browser has a session: then the page is that of consent. */
export async function openRequest({ app, page, email }: PersonAtBrowser, asked: URL): Promise<void> {
  await page.goto(asked.href)
  const { pathname } = new URL(page.url())
  if (pathname === '/oauth/consent') return
  await page.getByLabel('E-mail address').fill(email)
  if (pathname === '/console/login') {
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
  } else {
    await page.getByRole('button', { name: 'Send me a code' }).click()
    await page.getByLabel('Code').fill(await codeFor(app, email))
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  await page.getByRole('button', { name: 'Deny' }).waitFor()
}

/** Decides about the request on the page. Returns the answer that the app gets. */
export async function decide(
  { page }: PersonAtBrowser,
  callback: Callback,
  decision: 'Allow' | 'Deny',
): Promise<URLSearchParams> {
  const [answer] = await Promise.all([callback.answer(), page.getByRole('button', { name: decision }).click()])
  await page.getByText('You can close this page.').waitFor()
  return answer
}

/** Opens the request and allows it. */
export async function allow(person: PersonAtBrowser, callback: Callback, asked: URL): Promise<URLSearchParams> {
  await openRequest(person, asked)
  return await decide(person, callback, 'Allow')
}

/** Runs a program that prints its request's address, and lets a person agree to it. */
export async function runWithPerson(
  args: readonly string[],
  { agree, env = {} }: { agree: (asked: URL) => Promise<void>; env?: Record<string, string> },
): Promise<{ code: number; output: string }> {
  const child = Bun.spawn([...args], {
    env: { ...process.env, ...env },
    // mcp-remote stops where its input ends.
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let output = ''
  let agreed: Promise<void> | undefined
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    for await (const chunk of stream) {
      output += decoder.decode(chunk, { stream: true })
      const asked = /http:\S+\/oauth\/authorize\?\S+(?=\s)/.exec(output)?.[0]
      if (asked !== undefined) agreed ??= agree(new URL(asked))
    }
  }
  await Promise.all([read(child.stdout), read(child.stderr)])
  await agreed
  return { code: await child.exited, output }
}
