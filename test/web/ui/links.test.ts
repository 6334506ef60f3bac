// Links to addresses and numbers that strangers typed in: they reach that address or number and nothing else.
import { expect, test } from 'bun:test'

import type { VNode } from 'preact'

import { renderMarkup } from '../../../src/platform/text/markup.tsx'
import { EmailLink, PhoneLink } from '../../../src/web/ui/links.tsx'
import { readSources } from '../../support/imports.ts'

const hrefOf = (link: VNode) => /href="([^"]*)"/.exec(renderMarkup(link))?.[1]?.replaceAll('&amp;', '&')

test.each([
  'plain@test.example',
  'a?cc=x@test.example',
  'a?cc=x%40y.example&body=Pay%20me&subject=%0AHi@test.example',
  'first+second,third;fourth@test.example',
  `o'brien#1/2%@test.example`,
  '日本@test.example',
])('the link to %s names it as the only recipient', (address) => {
  const url = new URL(hrefOf(EmailLink({ address })) ?? '')
  expect([url.protocol, url.search, url.hash]).toEqual(['mailto:', '', ''])
  expect(decodeURIComponent(url.pathname)).toBe(address)
  expect(url.pathname).toMatch(/^[\w.!*'()~%-]+@[\w.-]+$/)
})

test.each([
  ['+1 (512) 555-0142', 'tel:+15125550142'],
  ['512.555.0142', 'tel:5125550142'],
  ['512-555-0142 ext. 12', 'tel:5125550142;ext=12'],
  ['512-555-0142x12', 'tel:5125550142;ext=12'],
  ['512-555-0142;phone-context=+7', 'tel:51255501427'],
  ['512?body=1', 'tel:5121'],
  ['ask for Ann', undefined],
])('the phone number %s is called as %s', (phone, href) => {
  expect(hrefOf(PhoneLink({ phone }))).toBe(href)
})

test('every link to an address or number is made by these two functions', () => {
  const makers = readSources(['src']).filter(({ text }) => /mailto:|["'`]tel:/.test(text))
  // Markdown names the kinds of links that it lets through; operators write the links.
  expect(makers.map(({ path }) => path)).toEqual(['src/platform/text/markdown.tsx', 'src/web/ui/links.tsx'])
})
