import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import * as v from 'valibot'
import { originsSchema, readBack, readOrigin } from '#product/administration/accounts/origins.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { parsePage } from '#test/support/people/page-reader.ts'
import { startStorefront } from '#test/support/people/storefront.ts'

const PAGE = '/ada/spring-meeting/'
const TICKETS = '/ada/spring-meeting/embed'
const DATES = '/ada/embed.html'
const SITE = 'https://www.ada.example'
const HOME = `${SITE}/shows?page=2`
const EVIL = 'https://evil.example/'

const policyOf = ({ headers }: { headers: Record<string, unknown> }) =>
  String(headers['content-security-policy'])
const framersOf = (answer: { headers: Record<string, unknown> }) =>
  /frame-ancestors ([^;]+)/.exec(policyOf(answer))?.[1]
const backOf = (text: string) => parsePage(text).querySelector('.top a.back')?.getAttribute('href') ?? null

/** Starts a storefront whose organizer has named two sites. */
async function startEmbedded(...[t, file, options]: Parameters<typeof startStorefront>) {
  const server = await startStorefront(t, file, options)
  const embed_origins = [SITE, 'https://ada.example:8443']
  await server.write(tx => accounts.update(tx, { embed_origins }))
  return server
}

test('an origin is https and the name of a site, and what has more or less is refused', () => {
  for (const [given, origin] of [
    ['https://www.example.org', 'https://www.example.org'],
    [' https://WWW.Example.org/ ', 'https://www.example.org'],
    ['https://example.org:8443', 'https://example.org:8443'],
    ['https://example.org:443', 'https://example.org'],
    ['https://müller.example', 'https://xn--mller-kva.example'],
  ] as const)
    assert.equal(readOrigin(given), origin, given)
  for (const wrong of [
    ...['', 'example.org', 'http://example.org', 'javascript:alert(1)', 'data:text/html,x', 'https:', '*'],
    ...[
      'https://*',
      'https://*.example.org',
      'https://example.org/path',
      'https://example.org/?q',
      'https://',
    ],
    ...['https://example.org/#x', 'https://a:b@example.org', 'https://a@example.org', 'https:example.org'],
    ...['https://example.org https://evil.example', 'https://example.org;', "https://example.org'none'"],
    ...['https://exa\tmple.org', 'https://[::1]', 'https://127.0.0.1', 'https://example.org\\@evil.example'],
    ...['https://example.org,https://evil.example', `https://${'a.'.repeat(200)}example`, "'self'", 'null'],
  ])
    assert.equal(readOrigin(wrong), undefined, wrong)
})

test('an account names ten sites at most, each once', () => {
  const sites = Array.from({ length: 11 }, (_, at) => `https://site-${at}.example`)
  assert.equal(v.safeParse(originsSchema, sites).success, false)
  assert.equal(v.parse(originsSchema, [...sites.slice(0, 10), 'https://SITE-0.example/']).length, 10)
})

test('the way back is a page of a site that the account has named, and of no other', () => {
  assert.equal(readBack(HOME, [SITE]), HOME)
  for (const wrong of [
    ...[null, '', EVIL, 'javascript:alert(1)', '//www.ada.example', '/ada/', 'http://www.ada.example/'],
    ...['https://www.ada.example@evil.example/', 'https://www.ada.example.evil.example/'],
    ...[
      'https://me:secret@www.ada.example/',
      'https://www.ada.example:8443/',
      `${SITE}/${'x'.repeat(2_000)}`,
    ],
  ])
    assert.equal(readBack(wrong, [SITE]), undefined, String(wrong))
})

test('nobody may show any page in a frame, until the organizer names a site, and then that site frames alone', async t => {
  const { visit, write } = await startStorefront(t)
  for (const path of [TICKETS, DATES]) assert.equal(framersOf(await visit(path)), "'none'", path)
  await write(tx => accounts.update(tx, { embed_origins: [SITE, 'https://ada.example:8443'] }))
  for (const path of [TICKETS, DATES])
    assert.equal(framersOf(await visit(path)), `${SITE} https://ada.example:8443`, path)
  const others = ['/ada/', PAGE, `${PAGE}tickets`, '/orders/x', '/manage/sign-in', '/x/y']
  for (const path of others) assert.equal(framersOf(await visit(path)), "'none'", path)
  await write(tx => accounts.update(tx, { embed_origins: [] }))
  for (const path of [TICKETS, DATES]) assert.equal(framersOf(await visit(path)), "'none'", path)
})

test('a frame has no head and no foot, sets no cookie, and its forms and links open in the whole window', async t => {
  const { visit } = await startEmbedded(t)
  for (const path of [TICKETS, DATES]) {
    const { status, text, headers } = await visit(path)
    assert.equal(status, 200, path)
    const page = parsePage(text)
    assert.equal(page.querySelectorAll('.top, .foot, nav').length, 0, path)
    assert.equal(page.querySelector('base')?.getAttribute('target'), '_top', path)
    assert.equal(page.querySelector('base')?.getAttribute('href'), null, path)
    assert.equal(headers['set-cookie'], undefined, path)
    assert.equal(page.querySelectorAll('h1').length, 1, path)
    assert.equal(page.querySelector('meta[name=robots]')?.getAttribute('content'), 'noindex', path)
  }
  const tickets = parsePage((await visit(TICKETS)).text)
  assert.equal(tickets.querySelector('.offers form')?.getAttribute('action'), `${PAGE}register`)
  const dates = parsePage((await visit(DATES)).text)
  const [link] = dates.querySelectorAll('.framed-dates a')
  assert.deepEqual([link?.getAttribute('href'), link?.getAttribute('target')], [TICKETS, '_self'])
})

test('the way back goes along from the frame to the form, its review and the order', async t => {
  const { visit } = await startEmbedded(t)
  const query = `?${new URLSearchParams({ back: HOME })}`
  const frame = parsePage((await visit(TICKETS + query)).text)
  const hidden = frame.querySelector('.offers form input[name=back]')
  assert.equal(hidden?.getAttribute('value'), HOME)
  const inner = parsePage((await visit(DATES + query)).text).querySelector('.framed-dates a')
  assert.equal(inner?.getAttribute('href'), TICKETS + query)
  const type = frame.querySelector('.offers select[name]')?.getAttribute('name') as string
  const form = (await visit(`${PAGE}register${query}&${type}=1`)).text
  assert.equal(backOf(form), HOME)
  assert.match(parsePage(form).querySelector('.top a.back')?.textContent ?? '', /^Back to www\.ada\.example$/)
  const action = parsePage(form).querySelector('main form')?.getAttribute('action') ?? ''
  assert.equal(new URL(action, SITE).searchParams.get('back'), HOME)
  assert.equal(backOf((await visit(PAGE + query)).text), HOME)
  assert.equal(backOf((await visit(PAGE)).text), null, 'the page that others share has none')
})

test('a way back to a foreign site is shown nowhere, and goes nowhere along', async t => {
  const { visit } = await startEmbedded(t)
  for (const foreign of [
    EVIL,
    'javascript:alert(1)',
    '//evil.example',
    'https://www.ada.example@evil.example/',
  ]) {
    const query = `?${new URLSearchParams({ back: foreign })}`
    for (const path of [TICKETS, DATES, PAGE, `${PAGE}register`]) {
      const { text } = await visit(`${path}${query}`)
      assert.equal(backOf(text), null, path)
      assert.doesNotMatch(text, /evil\.example|javascript:/, path)
    }
  }
})

test('an event that not everybody may see has no frame', async t => {
  const { visit, change, setStatus } = await startEmbedded(t)
  await change({ visibility: 'unlisted' })
  assert.equal((await visit(TICKETS)).status, 200)
  await change({ visibility: 'private' })
  assert.equal((await visit(TICKETS)).status, 404)
  await change({ visibility: 'public' })
  await setStatus('draft')
  assert.equal((await visit(TICKETS)).status, 404)
  await setStatus('cancelled')
  const cancelled = parsePage((await visit(TICKETS)).text)
  assert.equal(cancelled.querySelector('.offers'), null)
  assert.match(cancelled.querySelector('.banner')?.textContent ?? '', /cancelled/)
  for (const path of ['/nobody/embed.html', '/ada/nothing/embed', '/nobody/spring-meeting/embed'])
    assert.equal((await visit(path)).status, 404, path)
})

test('the script for other sites has two kilobytes, at an address that stays, and other sites may load it', async t => {
  const { visit } = await startStorefront(t)
  const { status, headers, text } = await visit('/assets/embed.js')
  assert.equal(status, 200)
  assert.equal(text, readFileSync('src/machinery/web/assets/files/embed.js', 'utf8'))
  assert.ok(gzipSync(text).length < 2_048, `${gzipSync(text).length} bytes`)
  assert.equal(headers['cache-control'], 'public, max-age=3600')
  assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
})
