// The look of a marketplace of one's own: its colour, and its mark. Addresses have what is drawn, so that browsers may keep it for ever.
import { Elysia } from 'elysia'
import { LRUCache } from 'lru-cache'

import type { Ctx } from '../../ctx.ts'
import { type Deps, oncePerDeps } from '../../deps.ts'
import { BRAND_PATH, brandPath, parseBrandFile } from '../../features/upkeep/brand-pictures/rules/addresses.ts'
import { readBrandPicture } from '../../features/upkeep/brand-pictures/verbs.ts'
import { type Marketplace, UNNAMED } from '../../features/upkeep/marketplace/schemas.ts'
import { guard } from '../../http/guard.ts'
import { assetRoute } from '../../http/headers.ts'
import { unknownPath } from '../../http/problem.ts'
import { PublicBody } from '../../http/public-body.ts'
import { publicText } from '../../http/json.ts'
import { compressOnce } from '../../http/content-coding.ts'
import { queryOf } from '../../http/request-target.ts'
import { darkOf } from '../../platform/style/accent.ts'
import { A_LETTER, letterMarkPath } from '../../platform/style/letter.ts'
import { accentOf, letterText, markOf } from '../../platform/style/mark.ts'
import { assetUrl } from './assets.ts'

type Face = Pick<Marketplace, 'name' | 'accent' | 'icon'>

/** The sheet of the marketplace's colour, if it has one. */
export const accentUrl = ({ accent }: Face): string | undefined =>
  accent === null ? undefined : `/assets/accent.css?v=${accent.slice(1)}`

/** The mark beside the name: the icon, or else a drawing. */
export const markUrl = (site: Face): string =>
  site.icon
    ? brandPath({ ...site.icon, size: 'tab' })
    : site.name === UNNAMED.name
      ? assetUrl('hearth.svg')
      : letterMarkPath(site.name, accentOf(site))

/** In print, what can be acted on is as black as the rest. */
const sheetOf = (accent: string): string =>
  `:root{--color-accent:light-dark(${accent},${darkOf(accent)})}@media print{:root{--color-accent:#000}}\n`

export const faceAssets = (deps: Deps) =>
  new Elysia({ name: 'face-assets' })
    .use(guard(deps))
    .get(
      '/assets/accent.css',
      ({ request }) => {
        const [, hex] = /^([\da-f]{6})$/.exec(queryOf(request.url).get('v') ?? '') ?? []
        if (hex === undefined) throw unknownPath(request)
        return text(request, 'text/css; charset=utf-8', sheetOf(`#${hex}`))
      },
      assetRoute(),
    )
    .get(
      '/assets/mark.svg',
      ({ request }) => {
        const [, hex, letter = ''] = /^([\da-f]{6})-(.{1,2})$/u.exec(queryOf(request.url).get('v') ?? '') ?? []
        if (hex === undefined || !(A_LETTER.test(letter) || letter === '•')) throw unknownPath(request)
        return text(request, 'image/svg+xml', markOf(`#${hex}`, letterText(letter)))
      },
      assetRoute(),
    )
    .get(
      `${BRAND_PATH}/:file`,
      async function getBrandFile({ ctx, params, request }) {
        const body = await brandBody(ctx, params.file)
        if (!body) throw unknownPath(request)
        return body.respond(request)
      },
      assetRoute(),
    )

/** What operators sent can do nothing in a browser, wherever it is opened; mail programs and other sites show it. */
const HARMLESS = {
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
}

/** Per process: those in use, and what was in use before. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024

const keptOf = oncePerDeps(
  () => new LRUCache<string, PublicBody>({ maxSize: MAX_KEPT_BYTES, sizeCalculation: ({ size }) => size }),
)

async function brandBody(ctx: Ctx, file: string): Promise<PublicBody | undefined> {
  const kept = keptOf(ctx)
  const address = parseBrandFile(file)
  if (!address || kept.has(file)) return kept.get(file)
  const body = new PublicBody(await readBrandPicture(ctx, address), 'image/png', HARMLESS)
  kept.set(file, body)
  return body
}

const text = (request: Request, type: string, content: string): Response =>
  publicText(request, content, { headers: { 'content-type': type }, compress: compressOnce })
