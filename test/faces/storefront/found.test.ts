import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePage } from '#test/support/people/page-reader.ts'
import { startStorefront } from '#test/support/people/storefront.ts'

const PAGE = '/ada/spring-meeting/'

const countsOf = (headers: Record<string, unknown>) =>
  Object.keys(headers).filter(name => name.startsWith('x-ratelimit'))

test('a page and its files tell no count of requests, and what programs read still does', async t => {
  const { visit } = await startStorefront(t)
  const style = /href="(\/assets\/[^"]+\.css)"/.exec((await visit(PAGE)).text)?.[1] ?? ''
  const pages = [
    ...['/', '/ada/', PAGE, `${PAGE}register`, `${PAGE}calendar.ics`, '/nowhere/', '/a/b/c/d/e', style],
    ...[
      '/manage/sign-in',
      '/manage/e/nowhere',
      '/orders/unknown',
      '/tickets/unknown',
      '/unsubscribe/x',
      '/door/',
    ],
  ]
  for (const path of pages) assert.deepEqual(countsOf((await visit(path)).headers), [], path)
  const json = { accept: 'application/json' }
  for (const path of [
    '/v1/events',
    '/v1/openapi.json',
    '/v1/nowhere',
    '/nowhere/',
    '/orders/unknown',
    '/healthz',
  ])
    assert.equal(countsOf((await visit(path, json)).headers).length, 3, path)
})

test('a visitor who asks too often is told when to try again, and no count', async t => {
  const { visit } = await startStorefront(t)
  const codes = Array.from({ length: 121 }, (_, at) => `/nobody/${at}/`)
  for (const path of codes.slice(1)) await visit(path)
  const { status, headers } = await visit(codes[0] as string)
  assert.equal(status, 429)
  assert.match(String(headers['retry-after']), /^\d+$/)
  assert.deepEqual(countsOf(headers), [])
})

test('pages have Turnout’s mark, as a drawing for good and as an icon that is asked for again', async t => {
  const { visit } = await startStorefront(t)
  for (const path of ['/ada/', PAGE, '/manage/sign-in', '/nowhere/']) {
    const page = parsePage((await visit(path)).text)
    const icons = [...page.querySelectorAll('link[rel=icon]')].map(link => link.getAttribute('href') ?? '')
    assert.equal(icons[0], '/favicon.ico')
    assert.match(icons[1] ?? '', /^\/assets\/mark\.[\w-]{12}\.svg$/)
    const drawing = await visit(icons[1] ?? '')
    assert.equal(drawing.headers['content-type'], 'image/svg+xml')
    assert.equal(drawing.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.match(drawing.text, /^<svg /)
  }
  const { status, headers, bytes } = await visit('/favicon.ico')
  assert.deepEqual([status, headers['content-type']], [200, 'image/x-icon'])
  assert.match(String(headers['cache-control']), /^public, max-age=\d{5,}$/)
  assert.deepEqual([...bytes.subarray(0, 6)], [0, 0, 1, 0, 3, 0], 'an icon of three sizes')
  assert.equal((await visit('/favicon.ico', { 'if-none-match': String(headers.etag) })).status, 304)
})
