// What of a file of pros is refused, and with which words.
import { describe, expect, test } from 'bun:test'

import { seed } from '../../../../src/local/seed/seed.ts'
import { openTestApp } from '../../../support/app.ts'
import { SEEDED_AT, testSql } from '../../../support/database.ts'
import { opened } from '../../../support/fixture.ts'
import { type Content, HEAD, bytesOf, openImports, proFile } from '../../../support/pro-imports.ts'

const app = await opened(openTestApp('migrated'))
const sql = await opened(testSql(app.databaseUrl, 2), 'end')
await seed(sql, { pros: 0, seed: 1, now: new Date(SEEDED_AT) })
const { importFile, refusalOf } = openImports(app)

describe('a line', () => {
  const refusals: [string, string, string[]][] = [
    ['without an id', `${HEAD}\n,Oak,a1@x.example,43215,\n`, ['2: external_id is required']],
    [
      'without what a pro needs',
      `${HEAD}\nr1,,no,Nowhere Town,\n`,
      [
        '2: business must have 1 to 200 characters; email must be an e-mail address; place has “Nowhere Town”, which is no city of the catalog and no postal code',
      ],
    ],
    ['with an unknown service', `${HEAD}\nr2,Oak,r2@x.example,43215,plumbr zzz: 5\n`, ['2: services has the service']],
    [
      'with a wrong price',
      `${HEAD}\nr3,Oak,r3@x.example,43215,plumber: cheap\n`,
      ['2: services has the price “cheap”'],
    ],
    [
      'of an id that is there already',
      `${HEAD}\nr4,Oak,r4@x.example,43215,\nr4,Elm,r5@x.example,43215,\n`,
      ['3: external_id is the id of line 2 already'],
    ],
    [
      'of an address that is there already',
      `${HEAD}\nr6,Oak,r6@x.example,43215,\nr7,Elm,R6@x.example,43215,\n`,
      ['3: email is the address of line 2 already'],
    ],
    [
      'with too many values',
      `${HEAD}\nr8,Oak,r8@x.example,43215,,surplus\n`,
      ['2: has 6 values, and the first line names 5 columns'],
    ],
    [
      'in Latin-1',
      Buffer.from(`${HEAD}\nr9,Caf\u00e9,r9@x.example,43215,\n`, 'latin1') as unknown as string,
      ['2: business has characters that are not UTF-8: save the file as CSV in UTF-8'],
    ],
    ['with NUL', `${HEAD}\nr10,O\0ak,r10@x.example,43215,\n`, ['2: business has a character that no text has (NUL)']],
    [
      'far from every city',
      'id,business,email,lat,lng\nr11,Oak,r11@x.example,0,0\n',
      ['2: lat is far from every city of the catalog'],
    ],
    ['that is not JSON', '{"id":"r12"\n', ['1: is not JSON']],
    [
      'with other wrong values',
      'id,business,email,zip,radius,plan,hours,years,website,status\nr13,Oak,r13@x.example,43215,9999,gold,whenever,-1,java script:,gone\n',
      ['2: radius must be a whole number of miles from 1 to 500; plan must be a plan on offer'],
    ],
  ]
  test.each(refusals)('%s is refused by its number and column', async (_, content, expected) => {
    const { refused } = await importFile(content)
    expect(refused.map((text, at) => text.slice(0, expected[at]?.length))).toEqual(expected)
  })

  test('that is refused comes back in a file to correct, which is imported like any other', async () => {
    const content = `\uFEFF${HEAD}\nf1,"=cmd|' /C calc'!A0",no address,43215,"plumber: 5; electrician"\nf2,Good,f2@x.example,43215,\n`
    const { errors, counts } = await importFile(content)
    expect(counts).toMatchObject({ created: 1, refused: 1 })
    expect(errors.split('\r\n')).toEqual([
      `${HEAD},import_line,import_errors`,
      `f1,'=cmd|' /C calc'!A0,no address,43215,plumber: 5; electrician,2,email must be an e-mail address`,
      '',
    ])
    const corrected = errors.replace('no address', 'f1@x.example')
    expect((await importFile(corrected)).counts).toMatchObject({ created: 1, refused: 0 })
    const [pro] = await sql<
      { name: string }[]
    >`select business_name as name from professionals where external_id = 'f1'`
    expect(pro?.name).toBe(`=cmd|' /C calc'!A0`)
  })
})

describe('a file', () => {
  async function* endless(chunk: string, bytes: number) {
    yield Buffer.from(`${HEAD}\n`)
    for (let sent = 0; sent < bytes; sent += chunk.length) yield Buffer.from(chunk)
  }
  const refusals: [string, Content, string][] = [
    ['that is empty', '\n \n', 'file is empty'],
    ['without pros', `${HEAD}\n`, 'file has no line of a pro'],
    ['in UTF-16', Buffer.from(`\uFEFF${HEAD}\n`, 'utf16le'), 'file is UTF-16: save it as CSV in UTF-8'],
    [
      'in UTF-16 without a mark',
      Buffer.from(HEAD, 'utf16le'),
      'file is no text, or it is UTF-16: save it as CSV in UTF-8',
    ],
    ['of 10,000 columns', `external_id${',x'.repeat(9999)}\n`, 'file has 10000 columns: it may have up to 200'],
    ['with a column twice', 'id,name,name\n', 'file has the column name twice: remove one'],
    [
      'with two names of one column',
      'id,name,company\n1,a,b\n',
      'file has the columns name and company, which mean the same: remove one',
    ],
    [
      'without an id',
      'business,email\nOak,oak@x.example\n',
      'file has no column external_id: give each pro an id of your own, by which the next import finds it again',
    ],
    ['that is a list of JSON', '[{"id":"1"}]', 'file is a list of JSON: write one object in each line'],
    ['whose first line never ends', endless('"x', 300_000), 'file has more than 65536 characters in line'],
  ]
  test.each(refusals)('%s is refused with clear words', async (_, content, expected) => {
    expect((await refusalOf(content)).slice(0, expected.length)).toBe(expected)
  })

  test('with a quotation mark that is never closed is imported up to it, and pauses no pro', async () => {
    const { counts, stopped } = await importFile(endlessAfter(proFile('before-a-quote')), { pausesMissing: true })
    expect(counts).toMatchObject({ created: 1, paused: 0 })
    expect(stopped).toContain('look for a quotation mark that is not closed')
  })

  test('of hundreds of megabytes without the end of a line is refused without being held in memory', async () => {
    let read = 0
    async function* counted() {
      for await (const chunk of endless('x'.repeat(65_536), 1_000_000_000)) {
        read += chunk.length
        yield chunk
      }
    }
    expect(await refusalOf(counted())).toContain('has more than 65536 characters in line')
    expect(read).toBeLessThan(5_000_000)
    expect(await refusalOf(bytesOf(Buffer.alloc(200_000, '{')))).toContain('has more than 65536 characters in line 1')
  })

  async function* endlessAfter(head: string) {
    yield Buffer.from(head)
    yield Buffer.from('open,"')
    for (let sent = 0; sent < 10; sent++) yield Buffer.alloc(65_536, 'x')
  }
})
