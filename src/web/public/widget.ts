// /widget.js: the script that shows a pro's open times in any page of a widget key's origin.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { Elysia } from 'elysia'

import { DOCUMENT } from '../../http/headers.ts'
import { readyDocument } from '../../http/cached-document.ts'

const SOURCE = join(import.meta.dir, '../ui/assets/widget.js')

/** Served as it is written, as a function of its own: it leaves no names in the page. */
const wrapped = () => `(() => {\n${readFileSync(SOURCE, 'utf8')}})()\n`

export const widget = () => {
  const answer = readyDocument('text/javascript; charset=utf-8', wrapped, {
    // Other sites load it: that is what it is for.
    'cross-origin-resource-policy': 'cross-origin',
  })
  return new Elysia({ name: 'widget' }).get('/widget.js', ({ request }) => answer(request), DOCUMENT)
}
