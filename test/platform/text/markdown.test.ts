// Markdown of operators: what it may say as elements, and that nothing in it is more than text.
import { expect, test } from 'bun:test'
import { h } from 'preact'

import { Markdown } from '../../../src/platform/text/markdown.tsx'
import { renderMarkup } from '../../../src/platform/text/markup.tsx'

const htmlOf = (text: string, below: 2 | 3 = 2) => renderMarkup(h(Markdown, { text, below }))

test.each([
  ['a **b** *c* ~~d~~ `e`', '<p>a <strong>b</strong> <em>c</em> <s>d</s> <code>e</code></p>'],
  ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
  ['3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
  ['> a', '<blockquote><p>a</p></blockquote>'],
  ['a  \nb\nc', '<p>a<br/>b\nc</p>'],
  ['    a < b', '<pre><code>a &lt; b\n</code></pre>'],
  ['---', '<hr/>'],
  [
    '|a|b|\n|-|-|\n|1|2|',
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
  ],
  ['[a](https://a.example/b?c=1&d=2)', '<p><a href="https://a.example/b?c=1&amp;d=2">a</a></p>'],
  ['![a](https://a.example/b.png)', '<p>!<a href="https://a.example/b.png">a</a></p>'],
  ['<https://a.example>', '<p><a href="https://a.example">https://a.example</a></p>'],
  [
    '[a](/privacy) [b](mailto:a@b.example) [c](tel:+1416)',
    '<p><a href="/privacy">a</a> <a href="mailto:a@b.example">b</a> <a href="tel:+1416">c</a></p>',
  ],
])('%j is %s', (text, html) => {
  expect(htmlOf(text)).toBe(html)
})

test('headings begin below those of the page, leave no level out, and can be linked to', () => {
  expect(htmlOf('[Paying](#paying-us)\n\n# A\n\n#### Paying us\n\n# A')).toBe(
    '<p><a href="#text-paying-us">Paying</a></p><h2 id="text-a">A</h2><h3 id="text-paying-us">Paying us</h3><h2 id="text-a-1">A</h2>',
  )
  expect(htmlOf('## A\n\n### B', 3)).toBe('<h3 id="text-a">A</h3><h4 id="text-b">B</h4>')
})

/** Each tries to bring an element, an attribute, an address or a picture of its own. */
const ATTACKS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<b onclick="alert(1)">a</b>',
  '<!-- --><style>*{display:none}</style>',
  '<a href="javascript:alert(1)">a</a>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '</div></main><form action="https://evil.example">',
  '![a](https://a.example/a.png)',
  '![a][b]\n\n[b]: https://a.example/a.png',
  '[a](javascript:alert(1))',
  '[a](JaVaScRiPt:alert(1))',
  '[a](javascript&colon;alert(1))',
  '[a](javascript&#58;alert(1))',
  '[a](java&Tab;script:alert(1))',
  '[a](\u0001javascript:alert(1))',
  '[a](vbscript:a)',
  '[a](data:text/html,%3Cscript%3Ealert(1))',
  '[a](file:///etc/passwd)',
  '[a](//evil.example)',
  '[a](/\\evil.example)',
  '[a](\\\\evil.example)',
  '<javascript:alert(1)>',
  '[a][b]\n\n[b]: javascript:alert(1)',
  '[a](https://a.example "onmouseover=alert(1) \\"")',
  '[a](https://a.example/"onmouseover="alert(1))',
  '[a](#"><script>alert(1)</script>)',
  '# <script>alert(1)</script>',
  '# "onclick="alert(1)',
  '`<script>alert(1)</script>`',
  '```"><script>\n<script>alert(1)</script>\n```',
  '|<script>|\n|-|\n|<img src=x onerror=alert(1)>|',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '1. <svg/onload=alert(1)>',
  '__proto__ [a](constructor:b) {{a}} ${a}',
]

test.each(ATTACKS.map((text) => [text] as const))('%j brings nothing of its own', (text) => {
  const elements: string[] = []
  const rewriter = new HTMLRewriter().on('*', {
    element: ({ tagName, attributes }) => {
      elements.push(tagName)
      for (const [name, value] of attributes) {
        expect([tagName, name]).toBeOneOf([
          ['a', 'href'],
          ['ol', 'start'],
          ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((heading) => [heading, 'id']),
        ])
        if (name === 'href') expect(new URL(value, 'https://here.example').href).toMatch(/^https:\/\/(here|a)\.example/)
      }
    },
  })
  rewriter.transform(htmlOf(text))
  const known = 'p h2 ol ul li a code pre em strong table thead tbody tr th td'.split(' ')
  expect(elements.filter((name) => !known.includes(name))).toEqual([])
})

test.each([
  '>',
  '- ',
  '1. ',
  '*',
  '**a ',
  '[',
  '![',
  '[](',
  '`',
  '<',
  '|a',
  '# a\n',
  '* a\n',
  '*a_ ',
  '&#',
  '\\',
  '[a]: b\n',
])('the longest text of %j is read at once', (part) => {
  const started = performance.now()
  expect(htmlOf(part.repeat(60_000 / part.length)).length).toBeGreaterThan(0)
  expect(performance.now() - started).toBeLessThan(3000)
})
