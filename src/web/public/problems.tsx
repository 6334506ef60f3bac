/** @jsxImportSource preact */
// /problems: what each error means and what to do, from the table of errors, as HTML and as JSON.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import type { Marketplace } from '../../features/upkeep/marketplace/schemas.ts'
import { siteDocument } from '../ui/site.tsx'
import { AppError, ERRORS, type ErrorCode } from '../../errors/app-error.ts'
import { prefersJson } from '../../http/accept.ts'
import { pageHeaders } from '../../http/headers.ts'
import { problemBody } from '../../http/problem.ts'
import { localizedValue, regionOf } from '../../platform/text/region.ts'
import type { VNode } from 'preact'
import { PAGE_TYPE, developerPage } from '../ui/layout.tsx'
import { BackLink } from '../ui/headings.tsx'

const PATH = '/problems'
const CODES = (Object.keys(ERRORS) as ErrorCode[]).toSorted((a, b) => ERRORS[a].status - ERRORS[b].status)
const EXAMPLE_REQUEST_ID = '4bf92f3577b34da6a3ce929d0e0e4736'

/** The index, and a page per code at the URL of a problem's `type`. */
export const problemPages = (deps: Deps) => {
  const { baseUrl } = deps.config
  const index = inBothFormats(deps, {
    asPage: indexPage,
    asValue: (site) => ({ problems: CODES.map((code) => described(site, { baseUrl, code })) }),
  })
  const pages = new Map<string, Responder>(
    CODES.map((code) => [
      code,
      inBothFormats(deps, {
        asPage: (site) => problemPage(site, { baseUrl, code }),
        asValue: (site) => described(site, { baseUrl, code }),
      }),
    ]),
  )
  return new Elysia({ name: 'problem-pages' })
    .get(PATH, ({ request }) => index(request))
    .get(`${PATH}/:code`, ({ request, params }) => {
      const answer = pages.get(params.code)
      if (!answer)
        throw new AppError('not_found', `There is no error with this code. ${baseUrl}${PATH} lists all of them.`)
      return answer(request)
    })
}

type Responder = (request: Request) => Response | Promise<Response>

/** Responds with the page, or with JSON to clients that prefer it. */
function inBothFormats(
  deps: Deps,
  { asPage, asValue }: { asPage: (site: Marketplace) => string; asValue: (site: Marketplace) => object },
): Responder {
  const vary = { vary: 'Accept' }
  const htmlForm = siteDocument(deps, { type: PAGE_TYPE, make: asPage, headers: { ...pageHeaders(), ...vary } })
  const make = (site: Marketplace) => JSON.stringify(asValue(site))
  const jsonForm = siteDocument(deps, { type: 'application/json', make, headers: vary })
  return (request) => (prefersJson(request) ? jsonForm : htmlForm)(request)
}

interface Described {
  baseUrl: string
  code: ErrorCode
}

/** What is said of an error, in the words of the region. */
const described = (site: Marketplace, { baseUrl, code }: Described) => {
  const { status, title, meaning, remedy } = ERRORS[code]
  const type = `${baseUrl}${PATH}/${code}`
  const says = { type, code, status, title, meaning, remedy, example: exampleOf(baseUrl, code) }
  return localizedValue(regionOf(site), says)
}

function exampleOf(baseUrl: string, code: ErrorCode) {
  const { detail, ...members } = ERRORS[code].example
  return problemBody(baseUrl, code, { detail, requestId: EXAMPLE_REQUEST_ID, members })
}

const indexPage = (site: Marketplace) =>
  developerPage(site, {
    title: 'Errors',
    description: 'Every error of the API: what it means and what to do.',
    content: (
      <>
        <h1>Errors</h1>
        <p class="lead">
          Every error is a problem document (<code>application/problem+json</code>, RFC 9457). Its <code>code</code> is
          stable, for programs; its <code>detail</code> is a text for people; its <code>type</code> is the URL of one of
          these pages.
        </p>
        <ul class="list">
          {CODES.map((code) => (
            <li>
              <a href={`${PATH}/${code}`}>
                {' '}
                <span>
                  {statusOf(code)} {ERRORS[code].title}
                </span>{' '}
                <code>{code}</code>{' '}
              </a>
            </li>
          ))}
        </ul>
      </>
    ),
  })

const problemPage = (site: Marketplace, { baseUrl, code }: Described) => {
  const { title, meaning, remedy, example } = described(site, { baseUrl, code })
  return developerPage(site, {
    title,
    description: meaning,
    content: (
      <>
        <BackLink href={PATH}>All errors</BackLink>
        <h1>{title}</h1>
        <ul class="facts">
          <li>{statusOf(code)}</li>
          <li>
            <code>{code}</code>
          </li>
        </ul>
        <h2>What it means</h2>
        <p>{prose(meaning)}</p>
        <h2>What to do</h2>
        <p>{prose(remedy)}</p>
        <h2>Example</h2>
        <pre>{JSON.stringify(example, null, 2)}</pre>
        <p class="hint">
          The <code>requestId</code> identifies the request. Send it with your question: operators find the trace of the
          request by it.
        </p>
        <p>
          <a href={PATH}>All errors</a> · <a href="/api-docs">API reference</a>
        </p>
      </>
    ),
  })
}

/** The status, coloured by who has to act: the caller, the caller after a while, or the server. */
function statusOf(code: ErrorCode): VNode {
  const status: number = ERRORS[code].status
  const owner = status === 429 || status === 503 ? 'retry' : status === 500 ? 'hearth' : 'caller'
  return (
    <span class="status" data-owner={owner}>
      {status}
    </span>
  )
}

/** Text with code in backquotes. */
const prose = (text: string): VNode[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : <>{part}</>))
