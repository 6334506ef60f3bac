// /problems: what each error means and what to do about it, for people and for programs, from the one table of errors.
import { Elysia } from 'elysia'

import { AppError, ERRORS, type ErrorCode } from '../../errors/app-error.ts'
import { prefersJson } from '../../http/accept.ts'
import { DOCUMENT, pageHeaders } from '../../http/headers.ts'
import { problemBody } from '../../http/problem.ts'
import { readyDocument } from '../../http/cached-document.ts'
import { type Html, html } from '../ui/html.ts'
import { PAGE_TYPE, page } from '../ui/layout.ts'

const PATH = '/problems'
const CODES = (Object.keys(ERRORS) as ErrorCode[]).toSorted((a, b) => ERRORS[a].status - ERRORS[b].status)
const EXAMPLE_REQUEST_ID = '4bf92f3577b34da6a3ce929d0e0e4736'

/** The index and a page per code, at the address that a problem's `type` is. */
export const problemPages = ({ baseUrl }: { baseUrl: string }) => {
  const index = inBothFormats(
    () => indexPage(),
    () => ({ problems: CODES.map((code) => described(baseUrl, code)) }),
  )
  const pages = new Map<string, Responder>(
    CODES.map((code) => [
      code,
      inBothFormats(
        () => problemPage(baseUrl, code),
        () => described(baseUrl, code),
      ),
    ]),
  )
  return new Elysia({ name: 'problem-pages' })
    .get(PATH, ({ request }) => index(request), DOCUMENT)
    .get(
      `${PATH}/:code`,
      ({ request, params }) => {
        const answer = pages.get(params.code)
        if (!answer) throw new AppError('not_found', `No error has this code. ${baseUrl}${PATH} lists all of them.`)
        return answer(request)
      },
      DOCUMENT,
    )
}

type Responder = (request: Request) => Response

/** The page, or JSON for whoever accepts JSON and no HTML. */
function inBothFormats(asPage: () => string, asValue: () => object): Responder {
  const vary = { vary: 'Accept' }
  const htmlForm = readyDocument(PAGE_TYPE, asPage, { ...pageHeaders(), ...vary })
  const jsonForm = readyDocument('application/json', () => JSON.stringify(asValue()), vary)
  return (request) => (prefersJson(request) ? jsonForm : htmlForm)(request)
}

const described = (baseUrl: string, code: ErrorCode) => {
  const { status, title, meaning, remedy } = ERRORS[code]
  return { type: `${baseUrl}${PATH}/${code}`, code, status, title, meaning, remedy, example: exampleOf(baseUrl, code) }
}

function exampleOf(baseUrl: string, code: ErrorCode) {
  const { detail, ...members } = ERRORS[code].example
  return problemBody(baseUrl, code, { detail, requestId: EXAMPLE_REQUEST_ID, members })
}

const indexPage = () =>
  page({
    title: 'Errors',
    description: 'Every error that Hearth answers with: what it means and what to do.',
    content: html`
      <h1>Errors</h1>
      <p class="lead">
        Every error is a problem document (<code>application/problem+json</code>, RFC 9457). Programs read its
        <code>code</code>, which never changes its meaning; people read its <code>detail</code>. Its <code>type</code>
        leads to one of these pages.
      </p>
      <ul class="list">
        ${CODES.map(
          (code) => html`
            <li>
              <a href="${PATH}/${code}">
                <span>${statusOf(code)} ${ERRORS[code].title}</span>
                <code>${code}</code>
              </a>
            </li>
          `,
        )}
      </ul>
    `,
  })

const problemPage = (baseUrl: string, code: ErrorCode) =>
  page({
    title: ERRORS[code].title,
    description: ERRORS[code].meaning,
    content: html`
      <h1>${ERRORS[code].title}</h1>
      <ul class="facts">
        <li>${statusOf(code)}</li>
        <li><code>${code}</code></li>
      </ul>
      <h2>What it means</h2>
      <p>${prose(ERRORS[code].meaning)}</p>
      <h2>What to do</h2>
      <p>${prose(ERRORS[code].remedy)}</p>
      <h2>An example</h2>
      <pre>${JSON.stringify(exampleOf(baseUrl, code), null, 2)}</pre>
      <p class="hint">
        The <code>requestId</code> names the request. Operators look up <a href="/ops/traces">what happened in it</a>.
      </p>
    `,
  })

/** The status, coloured by whose turn it is: the caller's, nobody's but time's, or ours. */
function statusOf(code: ErrorCode): Html {
  const status: number = ERRORS[code].status
  const whose = status === 429 || status === 503 ? 'retry' : status === 500 ? 'ours' : 'yours'
  return html`<span class="status" data-whose="${whose}">${status}</span>`
}

/** Text in which backquotes mark code. */
const prose = (text: string): Html[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
