// `npm run images`: draws the icons and the image of link previews from hearth.svg in Chromium, after a change of it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { openBrowser } from './support/browser.ts'
import { ROOT } from './support/imports.ts'

const ASSETS = join(ROOT, 'src/web/ui/assets')
const LOGO = `data:image/svg+xml;base64,${readFileSync(join(ASSETS, 'hearth.svg')).toString('base64')}`

const icon = (size: number) =>
  `<body style="margin:0;display:grid;place-items:center;height:${size}px;background:#fffdfb">
    <img src="${LOGO}" width="${Math.round(size * 0.8)}">`

const preview = `<body style="margin:0;display:flex;flex-direction:column;justify-content:center;gap:36px;height:630px;
    padding:0 96px;box-sizing:border-box;background:#fffdfb;color:#26211d;font-family:'DejaVu Sans',system-ui,sans-serif">
  <div style="display:flex;align-items:center;gap:24px;font-size:60px;font-weight:700"><img src="${LOGO}" width="88">Hearth</div>
  <div style="font-size:72px;font-weight:700;line-height:1.15;letter-spacing:-2px">Find a pro<br>for your home</div>
  <div style="font-size:34px;color:#655c55">See prices, open times and reviews. Book in a minute.</div>`

const browser = await openBrowser()
const page = await browser.newPage()
const draw = async (content: string, width: number, height: number, transparent = false) => {
  await page.setViewportSize({ width, height })
  await page.setContent(content)
  return await page.screenshot({ omitBackground: transparent })
}
await Bun.write(join(ASSETS, 'icon-180.png'), await draw(icon(180), 180, 180))
await Bun.write(join(ASSETS, 'og.png'), await draw(preview, 1200, 630))
const small = await draw(`<body style="margin:0"><img src="${LOGO}" width="32" style="display:block">`, 32, 32, true)
await Bun.write(join(ASSETS, 'favicon.ico'), icoOf(small, 32))
await browser.close()

/** An .ico file with one PNG image: a directory of one entry, and the image behind its 22 bytes. */
function icoOf(png: Buffer, size: number): Buffer {
  const header = Buffer.alloc(22)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(1, 4)
  header.writeUInt8(size, 6)
  header.writeUInt8(size, 7)
  header.writeUInt16LE(1, 10)
  header.writeUInt16LE(32, 12)
  header.writeUInt32LE(png.length, 14)
  header.writeUInt32LE(header.length, 18)
  return Buffer.concat([header, png])
}
