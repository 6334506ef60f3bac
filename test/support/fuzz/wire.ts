// Requests as bytes on a socket, whole or broken in ways that no HTTP client sends, and a parser of the responses.
import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'

import type { Random } from '../../../src/local/seed/random.ts'
import { CHUNK_SIZES, HOSTS } from './hostile.ts'

export interface WireRequest {
  bytes: Uint8Array
  /** The number of whole requests, and so of responses. 0 for a broken request, which may get any response or none. */
  requestCount: number
  /** The first lines of the requests, as sent: a broken byte may lead to another path. */
  lines: readonly RequestLine[]
}

export interface RequestLine {
  /** A response to HEAD has no body. */
  method: string
  /** Path and query. */
  target: string
}

export interface WireAnswer {
  status: number
  headers: Headers
  /** The raw status line and headers. */
  head: string
  body: string
}

export interface WireResult {
  answers: WireAnswer[]
  /** The bytes after the last whole response. */
  rest: string
  /** True when the time ran out while the connection was open. */
  isOpen: boolean
}

interface Parts {
  method: string
  target: string
  host: string
  headers: readonly [string, string][]
  body: Uint8Array | undefined
}

/** One valid HTTP/1.1 request. Header values are bytes (latin1). */
export function serialize({ method, target, host, headers, body }: Parts): Buffer {
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  const lines = [`${method} ${target} HTTP/1.1`]
  if (!names.has('host')) lines.push(`Host: ${host}`)
  for (const [name, value] of headers) lines.push(`${name}: ${value}`)
  if (body && !names.has('content-length')) lines.push(`Content-Length: ${body.length}`)
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)])
}

/** The methods of Bun's parser, which closes the connection on any other. */
const KNOWN_METHODS = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|CONNECT|PROPFIND|PURGE|QUERY)$/
/** Bun itself refuses longer heads and more fields. */
const MAX_HEAD_BYTES = 16_000
const MAX_FIELDS = 190

/** True when the request reaches the application. The runtime itself responds to invalid HTTP. */
export function isForApplication({ method, target, headers }: Parts): boolean {
  const length = headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, target.length)
  const isClean = headers.every(([, value]) => /^[\t -~\x80-\xff]*$/.test(value))
  const isFramed = !headers.some(([name]) => /^(content-length|transfer-encoding|host)$/i.test(name))
  return KNOWN_METHODS.test(method) && length < MAX_HEAD_BYTES && headers.length < MAX_FIELDS && isClean && isFramed
}

/** The bytes of a request that must get a response if it reaches the application. */
export const wholeRequest = (parts: Parts, bytes = serialize(parts)): WireRequest => ({
  bytes,
  requestCount: isForApplication(parts) ? 1 : 0,
  lines: [requestLine(bytes)],
})

/** The method and target at the start of `bytes`. A target may name a host before its path (RFC 9112 §3.2.2). */
export function requestLine(bytes: Uint8Array): RequestLine {
  const [method = '', target = ''] = (Buffer.from(bytes).toString('latin1').split('\r\n')[0] ?? '').split(' ')
  return { method, target: target.replace(/^http:\/\/[^/]*/, '') }
}

/** Breaks a whole request in a random way. */
export function breakRequest(random: Random, parts: Parts): WireRequest {
  const { method, target, host, headers } = parts
  const whole = serialize(parts)
  const head = whole.toString('latin1').split('\r\n\r\n')[0] ?? ''
  const broken = (content: Uint8Array | string): WireRequest => {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content
    return { bytes, requestCount: 0, lines: [requestLine(bytes)] }
  }
  const withLines = (...lines: string[]) => broken([...head.split('\r\n'), ...lines, '', ''].join('\r\n'))
  const get = serialize({ method: 'GET', target: '/healthz', host, headers: [], body: undefined })
  return random.weighted<() => WireRequest>([
    [() => broken(whole.subarray(0, random.integer(0, whole.length - 1))), 4],
    [() => broken(whole.toString('latin1').replaceAll('\r\n', random.pick(['\n', '\r', '\n\r', '\r\r\n']))), 1],
    [() => broken(withByte(random, whole)), 4],
    [
      () =>
        withLines(`Content-Length: ${random.pick(['5000', '-1', '1e3', '0x10', '', '9'.repeat(30), '1, 2', '+5'])}`),
      2,
    ],
    [() => withLines('Content-Length: 3', 'Transfer-Encoding: chunked', '', '0\r\n\r\nGET /healthz HTTP/1.1'), 1],
    [() => withLines('Transfer-Encoding: chunked', '', random.pick(CHUNK_SIZES), 'hello', '0'), 2],
    [
      () =>
        withLines(
          `Transfer-Encoding: ${random.pick(['gzip', 'chunked, chunked', 'xchunked', 'identity', '\x0bchunked'])}`,
        ),
      1,
    ],
    [() => withLines(`Host: ${random.pick(HOSTS)}`), 1],
    [() => broken(`${method} ${target} HTTP/1.1\r\nHost: ${random.pick(HOSTS)}\r\n\r\n`), 2],
    [() => broken(`${method} ${target} HTTP/1.1\r\n\r\n`), 1],
    [
      () =>
        broken(
          `${method} ${target}${random.pick(['', ' HTTP/1.0', ' HTTP/2.0', ' HTTP/9.9', ' HTTX/1.1', '\r\n'])}\r\n\r\n`,
        ),
      1,
    ],
    [() => broken(`${method} http://evil.example${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`), 1],
    [
      () =>
        broken(
          `${method} ${random.pick(['*', 'a', 'evil.example:443', '//', '?', '#', ' ', '\\', ''])} HTTP/1.1\r\nHost: h\r\n\r\n`,
        ),
      1,
    ],
    [() => broken('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), 1],
    [() => broken('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'), 1],
    [
      () =>
        withLines('Connection: Upgrade', `Upgrade: ${random.pick(['websocket', 'h2c', ''])}`, 'Sec-WebSocket-Key: x'),
      1,
    ],
    [() => withLines('Expect: 100-continue', `Expect: ${random.pick(['nothing', '200-ok'])}`), 1],
    [
      () =>
        withLines(
          random.pick([' folded: 1', 'no colon', ': empty', 'A b: 1', 'A : 1', 'A: \0', 'A: \x7f', 'Ä: 1', '(a): 1']),
        ),
      2,
    ],
    [() => withLines(...Array.from({ length: random.pick([50, 150, 1000]) }, (_, n) => `X-${n}: ${n}`)), 1],
    [() => withLines(`X-Long: ${'a'.repeat(random.pick([8000, 20_000, 200_000]))}`), 1],
    [() => broken(`GET /${'a'.repeat(random.pick([9000, 20_000, 200_000]))} HTTP/1.1\r\nHost: h\r\n\r\n`), 1],
    [() => pipeline(random, get, whole), 2],
    [() => chunked(parts), 3],
    [() => wholeRequest({ ...parts, headers: [...headers, ['Connection', 'close']] }), 1],
  ])()
}

function withByte(random: Random, whole: Uint8Array): Uint8Array {
  const bytes = Buffer.from(whole)
  for (let done = random.integer(1, 4); done > 0; done--)
    bytes[random.integer(0, bytes.length - 1)] = random.pick([0, 10, 13, 32, 58, 127, 255, random.integer(0, 255)])
  return bytes
}

/** Several requests at once, with as many responses in order. The last one may be refused and end the connection. */
function pipeline(random: Random, get: Buffer, last: Buffer): WireRequest {
  const count = random.integer(1, 10)
  const requests = [...Array.from({ length: count }, () => get), last]
  return { bytes: Buffer.concat(requests), requestCount: count, lines: requests.map(requestLine) }
}

/** The same valid request with a chunked body. */
function chunked(parts: Parts): WireRequest {
  const { body = Buffer.from('{}'), headers } = parts
  const kept = headers.filter(([name]) => !/^(content-length|transfer-encoding)$/i.test(name))
  const head = serialize({ ...parts, headers: [...kept, ['Transfer-Encoding', 'chunked']], body: undefined })
  const middle = Math.floor(body.length / 2)
  const pieces = [body.subarray(0, middle), body.subarray(middle)].flatMap((piece) =>
    piece.length > 0 ? [Buffer.from(`${piece.length.toString(16)};ext=1\r\n`), piece, Buffer.from('\r\n')] : [],
  )
  return wholeRequest(parts, Buffer.concat([head, ...pieces, Buffer.from('0\r\n\r\n')]))
}

/** Sends the bytes on a new connection and reads for at most `limitMs`. */
export function sendBytes(port: number, request: WireRequest, limitMs: number): Promise<WireResult> {
  const { promise, resolve } = Promise.withResolvers<WireResult>()
  const socket = connect(port, '127.0.0.1')
  let received = ''
  const finish = (isOpen: boolean) => {
    clearTimeout(timer)
    socket.destroy()
    resolve({ ...readAnswers(received, request.lines), isOpen })
  }
  const timer = setTimeout(() => finish(true), limitMs)
  socket.setEncoding('latin1')
  socket.on('data', (text: string) => {
    received += text
    if (request.requestCount > 0 && readAnswers(received, request.lines).answers.length >= request.requestCount)
      finish(false)
  })
  socket.on('error', () => finish(false))
  socket.on('close', () => finish(false))
  socket.write(request.bytes)
  return promise
}

/** The whole responses among the received bytes, and the remaining bytes (RFC 9112 §6.3). */
function readAnswers(received: string, lines: readonly RequestLine[]): Pick<WireResult, 'answers' | 'rest'> {
  const answers: WireAnswer[] = []
  let rest = received
  for (;;) {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) return { answers, rest }
    const head = rest.slice(0, end)
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1])
    if (!status) return { answers, rest }
    const headers = new Headers(head.split('\r\n').slice(1).map(splitHeader))
    const after = rest.slice(end + 4)
    const isBodiless = lines[answers.length]?.method === 'HEAD' || status < 200 || status === 204 || status === 304
    const body = isBodiless ? { body: '', size: 0 } : readBody(headers, after)
    if (!body) return { answers, rest }
    if (status >= 200) answers.push({ status, headers, head, body: decoded(headers, body.body) })
    rest = after.slice(body.size)
  }
}

const DECODERS: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
}

/** The body without its content coding. A body without bytes, as of HEAD and 304, has none. */
function decoded(headers: Headers, body: string): string {
  const coding = headers.get('content-encoding')
  if (coding === null || body === '') return body
  const decode = DECODERS[coding]
  if (!decode) throw new Error(`The server sent a body in the unknown coding ${coding}.`)
  return Buffer.from(decode(Buffer.from(body, 'latin1'))).toString('latin1')
}

/** The body at the start of `text` and its size in bytes; undefined while it is incomplete. */
function readBody(headers: Headers, text: string): { body: string; size: number } | undefined {
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(text)
  const size = Number(headers.get('content-length') ?? 0)
  return text.length < size ? undefined : { body: text.slice(0, size), size }
}

function readChunks(text: string): { body: string; size: number } | undefined {
  let body = ''
  for (let at = 0; ;) {
    const end = text.indexOf('\r\n', at)
    const size = Number.parseInt(text.slice(at, end), 16)
    if (end === -1 || text.length < end + 2 + size + 2) return undefined
    body += text.slice(end + 2, end + 2 + size)
    at = end + 2 + size + 2
    if (size === 0) return { body, size: at }
  }
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
}
