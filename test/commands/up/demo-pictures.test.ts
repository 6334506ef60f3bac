// Demo pros that people see first have pictures, which are drawn on this machine.
import { expect, test } from 'bun:test'

import { drawArtwork } from '../../../src/commands/up/demo-artwork.ts'
import { createDemoPictures } from '../../../src/commands/up/demo-pictures.ts'
import { ctxOf } from '../../../src/ctx.ts'
import type { PublicPictures } from '../../../src/features/files/pictures/schemas.ts'
import { systemClock } from '../../../src/platform/clock/clock.ts'
import { openTestApp } from '../../support/app.ts'
import { opened } from '../../support/fixture.ts'
import { findPros } from '../../support/reviews.ts'
import { decodeAll } from '../../support/uploads.ts'

const app = await opened(openTestApp('seeded', { clock: systemClock }))
const [pro] = await findPros(app, 1)
if (!pro) throw new Error('The seed has no pros.')

test('the demo pro has a logo, a cover and a gallery, and nine plumbers a logo and a cover, once they are decoded', async () => {
  await createDemoPictures(ctxOf(app.deps), pro)
  const outcomes = await decodeAll(app)
  expect([outcomes.length, new Set(outcomes)]).toEqual([23, new Set(['ready'])])
  const { logo, cover, gallery } = (await (await app.send(`/api/v1/pros/${pro.id}/pictures`)).json()) as PublicPictures
  expect([logo?.width, logo?.height, cover?.width, cover?.height]).toEqual([240, 240, 1200, 400])
  expect(gallery.map(({ caption, width }) => [caption, width])).toEqual([
    ['Arcs', 900],
    ['Circles', 900],
    ['Waves', 900],
  ])
  const [shown] = await app.sql<{ pros: number; pictures: number }[]>`
    select count(distinct professional_id)::int as pros, count(distinct placeholder)::int as pictures from files
    where status = 'ready' and unused_since is null`
  expect([shown?.pros, (shown?.pictures ?? 0) > 20]).toEqual([10, true])
}, 60_000)

test('a picture is the same on every machine, and another one for another pro or number', () => {
  const draw = (palette: number, number: number) => drawArtwork({ kind: 'tiles', palette, number })
  expect(draw(1, 2)).toBe(draw(1, 2))
  expect(new Set([draw(1, 2), draw(1, 3), draw(2, 2)]).size).toBe(3)
  for (const kind of ['cover', 'tiles', 'logo'] as const)
    expect(drawArtwork({ kind, palette: 7, number: 1 })).toMatch(
      /^<svg xmlns="[^"]+" width="\d+" height="\d+">(<[^<>]+>)+<\/svg>$/,
    )
})
