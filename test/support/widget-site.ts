// The widget on a page of another site: what a person reads there of a service and of its first open time.
import type { Page } from 'playwright-core'

import { createKey } from '../../src/auth/keys/verbs/keys.ts'
import { PRESETS } from '../../src/auth/scopes.ts'
import { ctxOf } from '../../src/ctx.ts'
import { watchPage } from './browser.ts'
import type { ConsoleFixture } from './console.ts'

export interface WidgetSite {
  /** Opens the widget and chooses the first time. Returns all its text, with single spaces. */
  read: (slug: string, serviceId: string) => Promise<string>
  stop: () => Promise<void>
}

/** Serves a page with the widget, whose key counts for this page only. */
export async function openWidgetSite({ app, url, browser }: ConsoleFixture): Promise<WidgetSite> {
  let key = ''
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => {
      const { searchParams: asked } = new URL(request.url)
      const script = `<script src="${url}/widget.js" data-key="${key}" data-pro="${asked.get('pro')}" data-service="${asked.get('service')}"></script>`
      return new Response(`<!doctype html><html lang="en"><title>A shop</title><main>${script}</main>`, {
        headers: { 'content-type': 'text/html' },
      })
    },
  })
  const owner = { ownerEmail: 'widget-site@test.example', name: 'widget', scopes: PRESETS.widget }
  key = (await createKey(ctxOf(app.deps), { ...owner, origin: server.url.origin, rateMultiplier: 100 })).secret
  const { page } = await watchPage(browser)
  return {
    read: async (slug, serviceId) => {
      const query = new URLSearchParams({ pro: slug, service: serviceId })
      await page.goto(`${server.url.origin}/?${query.toString()}`)
      await page.getByRole('group', { name: 'Times' }).getByRole('button').first().click()
      await page.getByLabel('Your name').waitFor()
      return await textOf(page)
    },
    stop: async () => {
      await page.context().close()
      await server.stop(true)
    },
  }
}

const textOf = async (page: Page): Promise<string> =>
  (await page.locator('section').innerText()).replaceAll(/\s+/g, ' ')
