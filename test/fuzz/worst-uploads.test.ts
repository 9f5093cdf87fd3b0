import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DASHBOARD_PATH } from '#faces/dashboard/frame/paths.ts'
import { pages } from '#faces/dashboard/routes.ts'
import { fillPath } from '#machinery/web/link.ts'
import { readSitePage } from '#test/support/people/site-forms.ts'
import { type Body, startWatchedSite } from '#test/support/people/watched-site.ts'
import { worstPictures, worstTables } from '#test/support/worst-files.ts'

const KIBIBYTE = 1024
const MEBIBYTE = 1024 * KIBIBYTE

/** Makes a form with a file of any content. */
function multipart(content: Buffer | string): Buffer {
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
  return Buffer.concat([Buffer.from(head), Buffer.from(content as string), Buffer.from('\r\n--x--\r\n')])
}

const MULTIPART = { 'content-type': 'multipart/form-data; boundary=x' }

test('the worst file of each page that takes one stops nobody for 50 ms', { timeout: 600_000 }, async t => {
  const watched = await startWatchedSite(t)
  const { origin, ids, sessions, sendAll } = watched
  // Each is read in `worst-files`: of some it is looked at here what becomes of them.
  const all = worstTables(['Date', 'Amount', 'Name', 'Email'], ['2026-12-31', '1.00', 'Ann', 'a@example.org'])
  const tables = [...all].filter((_, at) => at % 5 === 0)
  const forms: Body[] = [
    ...['\r\n', '--x\r\n', '--', '\r\n--', '\r\n--x', '\r\n--x\r\n\r\n', 'a', '\r', ': \r\n'].map(unit => ({
      what: `a form of ${JSON.stringify(unit)}`,
      make: () => unit.repeat(MEBIBYTE / unit.length),
    })),
    ...['\r\n--', '\r\n--x', '\r', '-', '\0', '--x'].map(unit => ({
      what: `a file of ${JSON.stringify(unit)}`,
      make: () => multipart(unit.repeat(MEBIBYTE / unit.length)),
    })),
    { what: 'a file that does not end', make: () => multipart('').subarray(0, -8) },
    {
      what: 'a long name of a file',
      make: () => multipart('').toString().replace('a.csv', 'a'.repeat(8_000)),
    },
    {
      what: 'a header that does not end',
      make: () => `--x\r\nContent-Disposition: ${'a='.repeat(MEBIBYTE / 2)}`,
    },
    { what: 'headers', make: () => `--x\r\n${'a: b\r\n'.repeat(MEBIBYTE / 6)}` },
  ]
  const uploads = pages.filter(({ takesFile }) => takesFile)
  assert.ok(uploads.length >= 3)
  for (const [at, { path }] of uploads.entries()) {
    const action = DASHBOARD_PATH + fillPath(path, ids)
    const found = await readSitePage(origin, action, { cookie: `session=${sessions[0]}` })
    assert.ok(
      found.forms.some(({ file }) => file !== undefined),
      `${path} has no field of a file`,
    )
    const files = /picture/.test(path)
      ? [...worstPictures].map(([what, make]) => ({ what, make: () => multipart(make(2 * MEBIBYTE - 200)) }))
      : tables.map(([what, make]) => ({ what, make: () => multipart(make(40 * KIBIBYTE)) }))
    const bodies = [...forms, ...files]
    for (let from = 0; from < bodies.length; from += 10) {
      const cookie = `session=${sessions[(at * 40 + from / 10) % sessions.length]}`
      await sendAll(`POST ${path} from ${from}`, action, bodies.slice(from, from + 10), {
        ...MULTIPART,
        cookie,
      })
    }
  }
  watched.report()
})
