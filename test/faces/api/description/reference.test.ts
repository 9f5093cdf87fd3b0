import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { catalogue } from '#base/problem.ts'
import type { ApiDocument, Endpoint, Schema } from '#faces/api/description/reference/document.ts'
import { listEndpoints } from '#faces/api/description/reference/document.ts'
import { renderReference } from '#faces/api/description/reference/page.ts'
import { readText } from '#faces/api/description/reference/texts.ts'
import { apiDocument } from '#test/support/api-document.ts'
import { startServer } from '#test/support/server.ts'

const document: ApiDocument = apiDocument
const endpoints = [...listEndpoints(document, document.paths), ...listEndpoints(document, document.webhooks)]

test('the reference is a page that everybody may read and that may load nothing', async t => {
  const { anonymous } = await startServer(t)
  const { status, headers, text } = await anonymous.get('/reference')
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(headers['content-encoding'], undefined)
  assert.equal(headers['referrer-policy'], 'no-referrer')
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; /)
  assert.match(policy, /base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/)
  assert.doesNotMatch(policy, /unsafe|https?:|\*/)
  assert.doesNotMatch(text, /<(?:script|link|img|iframe)[^>]+(?:src|href)="(?!data:,")/)
  assert.doesNotMatch(text, / (?:style|on[a-z]+)="/)

  const head = await anonymous.send('HEAD', '/reference')
  assert.deepEqual([head.status, head.text], [200, ''])
  assert.equal(head.headers['content-length'], String(Buffer.byteLength(text)))
  assert.equal((await anonymous.post('/reference', {})).status, 405)
})

test('the description and the reference are compressed for those who accept gzip, and for nobody else', async t => {
  const { app, anonymous } = await startServer(t)
  for (const path of ['/openapi.json', '/reference']) {
    const { text } = await anonymous.get(path)
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'gzip'],
      ['gzip;q=0', undefined],
      ['br', undefined],
    ] as const) {
      const answer = await request(app.url + path, { headers: { 'accept-encoding': accepted } })
      const bytes = Buffer.from(await answer.body.arrayBuffer())
      assert.equal(answer.headers['content-encoding'], encoding, accepted)
      assert.equal(answer.headers.vary, 'Accept-Encoding')
      assert.equal(answer.headers['content-length'], String(bytes.length))
      assert.equal((encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString(), text)
      if (encoding === 'gzip') assert.ok(bytes.length < text.length / 4)
    }
  }
})

test('the reference is refused past the limit of an address', async t => {
  const { anonymous } = await startServer(t)
  for (let at = 0; at < 120; at++) assert.equal((await anonymous.get('/reference')).status, 200)
  assert.equal((await anonymous.get('/reference')).status, 429)
})

test('the commands of the reference go to the address that clients use', async t => {
  const baseUrl = "https://tickets.example.org/o'neill/v1"
  const named = await startServer(t, { settings: { baseUrl } })
  const { text } = await named.anonymous.get('/reference')
  assert.ok(text.includes('https://tickets.example.org/o%27neill/v1/events&#39;'))
  assert.doesNotMatch(text, /data-base|127\.0\.0\.1/)

  const unnamed = await startServer(t)
  const guessed = await unnamed.anonymous.get('/reference')
  assert.ok(guessed.text.includes(`<html lang="en" data-base="${unnamed.app.url}">`))
  assert.ok(guessed.text.includes(`${unnamed.app.url}/events&#39;`))
})

test('the address that clients use is that of the server, with the version or without it, and is shown in its normal form', async t => {
  for (const [baseUrl, expected] of [
    ['https://tickets.example.org', 'https://tickets.example.org/v1'],
    ['https://tickets.example.org/', 'https://tickets.example.org/v1'],
    ['https://tickets.example.org/v1', 'https://tickets.example.org/v1'],
    ['https://tickets.example.org/v1/', 'https://tickets.example.org/v1'],
    ['https://example.org/turnout', 'https://example.org/turnout/v1'],
    ['https://example.org/turnout/v1', 'https://example.org/turnout/v1'],
    ['https://example.org/v10', 'https://example.org/v10/v1'],
    ['https://example.org/v1/v1', 'https://example.org/v1/v1'],
    ['HTTP://Door.LAN:8080/Tür/v1?', 'http://door.lan:8080/T%C3%BCr/v1'],
  ] as const) {
    const { anonymous, app } = await startServer(t, { settings: { baseUrl } })
    const { servers, info } = (await anonymous.get('/openapi.json')).body
    assert.equal(servers[0].url, expected, baseUrl)
    assert.ok(info.description.includes(`${expected}/events'`), baseUrl)
    assert.ok((await anonymous.get('/reference')).text.includes(`${expected}/events&#39;`), baseUrl)
    assert.match(app.url, /^http:\/\/127\.0\.0\.1:\d+\/v1$/)
  }
})

test('the reference has every operation, every type of webhook, every object and every code of the catalogue', () => {
  const page = renderReference(document, false)
  for (const { method, path, operation } of endpoints) {
    assert.ok(page.includes(`<article id="${operation.operationId}">`), operation.operationId)
    if (document.paths[path] === undefined) assert.ok(page.includes(`<h3><code>${path}</code></h3>`), path)
    else assert.ok(page.replaceAll('<wbr>', '').includes(`>${method}</strong> <code>${path}</code>`), path)
  }
  for (const name of Object.keys(document.components.schemas)) assert.ok(page.includes(`id="object-${name}"`))
  for (const [code, [status, family, message]] of Object.entries(catalogue)) {
    assert.ok(document.info.description.includes(`| ${status} | \`${code}\` | ${message} |`), code)
    const plain = page.replaceAll('<wbr>', '').replaceAll('&#39;', "'")
    assert.ok(plain.includes(`<td>${status}</td>\n<td><code>${code}</code></td>\n<td>${message}</td>`), code)
    assert.ok(plain.includes(`<strong><code>${family}</code></strong>`), family)
  }
})

test('a request says which fields it needs, and an answer which may be missing', () => {
  const page = renderReference(document, false)
  const articleOf = (id: string) => page.split(`<article id="${id}">`)[1]?.split('</article>')[0] ?? ''
  const noted = (id: string, note: string) =>
    [...articleOf(id).matchAll(/<code class="name">([^<]+)<\/code>[^\n]*?(?=<p>|<\/li>|\n|$)/g)]
      .filter(([line]) => line.includes(`>${note}<`))
      .map(([, name]) => name)
  assert.deepEqual(noted('createRegistration', 'required'), [
    'event_id',
    'registration_type_id',
    'buyer',
    'name',
    'email',
    'name',
  ])
  assert.deepEqual(noted('createRegistration', 'not always there'), [])
  assert.deepEqual(noted('object-Registration', 'required'), [])
  assert.deepEqual(noted('object-Error', 'not always there'), ['param', 'details', 'issues', 'param'])
})

test('every link of the reference leads to a place on it, or to the description', () => {
  const page = renderReference(document, false)
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  assert.equal(new Set(ids).size, ids.length)
  const links = [...page.matchAll(/ href="([^"]+)"/g)].map(([, link]) => link as string)
  assert.ok(links.length > 50)
  for (const link of links) {
    if (link.startsWith('#')) assert.ok(ids.includes(link.slice(1)), link)
    else assert.ok(['openapi.json', 'data:,'].includes(link), link)
  }
  const shown = page.replace(/<script>.*<\/script>/s, '')
  assert.equal(/\{\{|undefined|\[object/.exec(shown), null)
})

test('text that a description quotes is text on the page, never HTML', () => {
  const hostile = structuredClone(apiDocument)
  const script = '<script>alert(1)</script><img src=x onerror=alert(1)>'
  hostile.info.description = `${script}\n\n## ${script}\n\n\`${script}\`\n\n${hostile.info.description}`
  hostile.paths['/events'].get.summary = script
  hostile.paths['/events'].get.description = script
  hostile.components.schemas.Event.properties.title.description = script
  hostile.components.schemas.Event.properties[script] = { type: script, pattern: script }
  hostile.servers[0].url = `http://x/"'${script}`
  const page = renderReference(hostile, true)
  assert.equal(page.split('<script>').length, 2)
  assert.doesNotMatch(page, /<img/)
  assert.ok(page.includes('&lt;script&gt;alert(1)'))
})

test('every operation says what it does, what it needs and what it answers, with an example', () => {
  for (const { operation, parameters } of endpoints) {
    const { operationId, summary, description, requestBody, responses } = operation
    assert.ok(summary.length > 3 && description.length > 20, operationId)
    assert.notEqual(description.split('\n')[0], `${summary}.`, operationId)
    for (const { name, description: ofParameter, schema } of parameters) {
      assert.ok(ofParameter ?? schema.description, `${operationId} ${name}`)
    }
    for (const { example } of Object.values(requestBody?.content ?? {})) assert.ok(example, operationId)
    for (const [status, { content = {} }] of Object.entries(responses)) {
      for (const { example, examples } of Object.values(content)) {
        assert.ok(example ?? Object.keys(examples ?? {}).length > 0, `${operationId} ${status}`)
      }
    }
  }
})

test('every field says what it means', () => {
  const silent: string[] = []
  const look = (where: string, { properties = {}, items, anyOf = [], ...schema }: Schema): void => {
    for (const [name, property] of Object.entries(properties)) {
      const plain = property.const !== undefined || property.$ref !== undefined
      if (!plain && property.description === undefined) silent.push(`${where}.${name}`)
      look(`${where}.${name}`, property)
    }
    if (items !== undefined) look(where, items)
    for (const choice of anyOf) look(where, choice)
    if (typeof schema.additionalProperties === 'object') look(where, schema.additionalProperties)
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) look(name, schema)
  for (const { operation } of endpoints) {
    for (const schema of schemasOf(operation)) look(operation.operationId, schema)
  }
  assert.deepEqual(silent, ['Error.error'])
})

test('a text with a placeholder that has no value is refused', () => {
  assert.throws(() => readText('guide.md', {}), /guide\.md asks for base/)
  assert.throws(() => readText('none.md'), /no text none\.md/)
})

function schemasOf({ requestBody, responses }: Endpoint['operation']): Schema[] {
  return [requestBody, ...Object.values(responses)].flatMap(part =>
    Object.values(part?.content ?? {}).map(({ schema }) => schema),
  )
}
