import assert from 'node:assert/strict'
import { test } from 'node:test'
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
