import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as accounts from '#product/administration/accounts/rules.ts'
import { organization } from '#test/support/organization.ts'
import { parsePage } from '#test/support/people/page-reader.ts'
import { startStorefront } from '#test/support/people/storefront.ts'

const EVENT = '/ada/spring-meeting/'
const kinds = ['imprint', 'privacy', 'terms'] as const
type Changes = Parameters<typeof accounts.update>[1]

async function start(t: Parameters<typeof startStorefront>[0]) {
  const server = await startStorefront(t)
  const { visit, write } = server
  const set = (changes: Changes) => write(tx => accounts.update(tx, changes))
  const open = async (path: string, headers?: Record<string, string>) =>
    parsePage((await visit(path, headers)).text)
  const footOf = async (path: string) =>
    [...(await open(path)).querySelectorAll('.foot a')].map(link => [
      link.textContent,
      link.getAttribute('href'),
    ])
  return { ...server, set, open, footOf }
}

test('an imprint, a privacy notice and terms that are written here are pages of the organizer, in either language', async t => {
  const { set, visit, open, footOf } = await start(t)
  await set({
    imprint_text: '# Who we are\n\nWe are **Ada**.\nGran Vía 1\n\n- [Our club](https://club.example/)',
    privacy_text: 'We keep names.',
    terms_text: 'No dogs.',
  })
  const answer = await visit('/ada/imprint.html')
  assert.equal(answer.status, 200)
  assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
  assert.ok(answer.bytes.length < 30_000)
  const page = parsePage(answer.text)
  assert.equal(page.title, 'Imprint · Ada Events')
  assert.deepEqual(
    [...page.querySelectorAll('h1, h2, h3')].map(({ tagName, textContent }) => [tagName, textContent]),
    [
      ['H1', 'Imprint'],
      ['H2', 'Who we are'],
    ],
  )
  assert.equal(page.querySelector('main strong')?.textContent, 'Ada')
  assert.ok(page.querySelector('main p br'), 'an address has lines')
  const link = page.querySelector('main a')
  assert.equal(link?.getAttribute('href'), 'https://club.example/')
  assert.equal(link?.getAttribute('rel'), 'noopener noreferrer nofollow')
  assert.equal(page.querySelector('.home')?.getAttribute('href'), '/ada/')
  assert.equal(page.querySelectorAll('script').length, 0)
  assert.match(String(answer.headers['content-security-policy']), /^default-src 'none'; style-src 'self'/)
  const spanish = await open('/ada/privacy.html', { 'accept-language': 'es' })
  assert.deepEqual(
    [spanish.documentElement.lang, spanish.querySelector('h1')?.textContent],
    ['es', 'Privacidad'],
  )
  assert.match((await open('/ada/terms.html?lang=es')).querySelector('main')?.textContent ?? '', /No dogs\./)
  assert.deepEqual(await footOf('/ada/terms.html?lang=es'), [
    ['Aviso legal', '/ada/imprint.html?lang=es'],
    ['Privacidad', '/ada/privacy.html?lang=es'],
  ])
  const all = kinds.map((kind, at) => [['Imprint', 'Privacy', 'Terms'][at], `/ada/${kind}.html`])
  assert.deepEqual(await footOf(EVENT), all)
  assert.deepEqual(await footOf('/ada/'), all)
})

test('a link elsewhere is what it was, and has no page here', async t => {
  const { set, visit, footOf } = await start(t)
  const own = [
    ['Imprint', 'https://ada.example/imprint'],
    ['Privacy', 'https://ada.example/privacy'],
  ]
  assert.deepEqual(await footOf(EVENT), own)
  await set({ terms_url: 'https://ada.example/terms' })
  assert.deepEqual(await footOf('/ada/'), [...own, ['Terms', 'https://ada.example/terms']])
  for (const kind of kinds) assert.equal((await visit(`/ada/${kind}.html`)).status, 404)
})

test('what is no text is nothing, for HEAD too, and a page has no other addresses', async t => {
  const { set, visit } = await start(t)
  await set({ imprint_text: 'We are Ada.' })
  const head = await visit('/ada/imprint.html', {}, 'HEAD')
  const page = await visit('/ada/imprint.html')
  assert.deepEqual([head.status, head.bytes.length], [200, 0])
  assert.equal(head.headers['content-length'], page.headers['content-length'])
  const unknown = [
    ...[
      '/ada/privacy.html',
      '/ada/terms.html',
      '/bob/imprint.html',
      '/ada/imprint.html/',
      '/ada/Imprint.html',
    ],
    ...[
      '/ada/imprint',
      '/ada/imprintxhtml',
      '/ada/spring-meeting/imprint.html',
      '/imprint.html',
      '/Ada/imprint.html',
    ],
  ]
  for (const path of unknown) {
    for (const method of ['GET', 'HEAD']) assert.equal((await visit(path, {}, method)).status, 404, path)
  }
  assert.ok((await visit('/ada/imprint.html', {}, 'POST')).status >= 400)
})

test('an event named as a legal page is its own, as a slug has no dot', async t => {
  const { set, visit, open, apply } = await start(t)
  await set({ imprint_text: 'We are Ada.' })
  await apply(organization({ event: { slug: 'imprint', title: 'How to print' } }))
  await set({ legal_name: 'Seen' })
  assert.equal((await open('/ada/imprint/')).querySelector('h1')?.textContent, 'How to print')
  assert.equal((await open('/ada/imprint.html')).querySelector('h1')?.textContent, 'Imprint')
  await assert.rejects(apply(organization({ event: { slug: 'imprint.html', title: 'X' } })), {
    code: 'invalid_parameter',
  })
  assert.equal((await visit('/ada/imprint.html')).status, 200)
})

test('a browser asks whether a text is still the same, and sees each change at once', async t => {
  const { set, visit } = await start(t)
  await set({ imprint_text: 'First.' })
  const first = await visit('/ada/imprint.html')
  assert.equal(first.headers['cache-control'], 'no-cache')
  const etag = String(first.headers.etag)
  assert.equal((await visit('/ada/imprint.html', { 'if-none-match': etag })).status, 304)
  await set({ imprint_text: 'Second.' })
  const second = await visit('/ada/imprint.html', { 'if-none-match': etag })
  assert.equal(second.status, 200)
  assert.match(second.text, /Second\./)
  const zipped = await visit('/ada/imprint.html', { 'accept-encoding': 'gzip' })
  assert.equal(zipped.headers['content-encoding'], 'gzip')
  await set({ slug: 'lovelace' })
  assert.equal((await visit('/ada/imprint.html')).status, 404)
  assert.match((await visit('/lovelace/imprint.html')).text, /Second\./)
  await set({ imprint_url: 'https://ada.example/' })
  assert.equal((await visit('/lovelace/imprint.html')).status, 404)
})

test('a hostile text runs nothing, requests nothing, and leads nowhere but to pages', async t => {
  const { set, open } = await start(t)
  await set({
    imprint_text:
      '<script>alert(1)</script>\n\n![x](https://spy.example/x.png) [a](javascript:alert(1)) <b onclick=x>b</b>',
  })
  const page = await open('/ada/imprint.html')
  assert.equal(page.querySelectorAll('script, img, main a, main b').length, 0)
  assert.match(page.querySelector('main')?.textContent ?? '', /<script>alert\(1\)<\/script>/)
})
