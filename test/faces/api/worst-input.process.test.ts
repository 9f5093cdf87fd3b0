import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { request } from 'undici'
import { prepareDataFolder } from '#test/support/data-folder.ts'
import { bodyWithField, describedOperations, fieldPaths, largestBody } from '#test/support/described-input.ts'
import { UNKNOWN_ID } from '#test/support/requests.ts'
import { startWatchedServer } from '#test/support/watched-server.ts'
import { worstBodies, worstHeaders, worstQueries, worstText, worstTexts, worstValues } from './worst-input.ts'

const MEBIBYTE = 1024 * 1024
/** A sixteenth comes first: what takes the square of its length is seen before it stops everything for minutes. */
const SIZES = [MEBIBYTE / 16, MEBIBYTE]
/** This is what is left of 16 KiB of headers. */
const LINE = 15 * 1024

const limit = { timeout: 180_000 }

const operations = describedOperations()
const posts = operations.filter(({ method }) => method === 'POST')

test('the walk over the description finds the fields of the bodies', () => {
  const [{ body } = { body: undefined }] = posts.filter(({ path }) => path === '/registrations')
  const found = fieldPaths(body?.schema).map(path => path.join('.'))
  for (const path of ['', 'buyer.name', 'attendees', 'attendees.0.email', 'answers.key', 'language']) {
    assert.ok(found.includes(path), path)
  }
  assert.ok(posts.every(post => post.body !== undefined))
  assert.ok(operations.some(({ query }) => query.includes('starting_after')))
})

test('the worst megabyte of each kind in each field stops nobody for 50 ms', limit, async t => {
  const { eventId, typeId, client, measure, report } = await startWatchedServer(t, prepareDataFolder)
  async function post(what: string, path: string, body: string | Buffer, isLegal = false): Promise<boolean> {
    return await measure(`${what} of POST ${path}`, async () => {
      const headers = { 'Idempotency-Key': randomUUID() }
      const { status, text } = await client.post(path.replace('{id}', UNKNOWN_ID), body, { headers })
      assert.ok(status < 500 && status !== 413 && !(isLegal && status === 400), `${what} -> ${text}`)
    })
  }
  for (const { path, body } of posts) {
    const { schema, example } = body as NonNullable<typeof body>
    const real = { schema, example: { ...example, event_id: eventId, registration_type_id: typeId } }
    for (const field of fieldPaths(schema)) {
      const make = bodyWithField(real, field)
      const rest = make('').length
      const where = field.join('.') || 'the body'
      for (const [kind, value] of Object.entries(worstValues)) {
        for (const size of SIZES) {
          if (!(await post(`${kind}, ${size} bytes, in ${where}`, path, make(value(size - rest))))) break
        }
      }
    }
    for (const [kind, make] of Object.entries(worstBodies)) {
      for (const size of SIZES) {
        if (!(await post(`${kind}, ${size} bytes, as the body`, path, make(size)))) break
      }
    }
    for (const character of ['a', '"', '\\', '\u00e9', '\u{1f600}']) {
      const largest = largestBody(real, character, MEBIBYTE)
      await post(`a body of as many ${character} as are legal`, path, largest, true)
    }
  }
  report()
})

test('the worst query, path and header of each kind stops nobody for 50 ms', limit, async t => {
  const { eventId, key, client, url, measure, report } = await startWatchedServer(t, prepareDataFolder)
  async function ask(what: string, method: string, path: string): Promise<void> {
    const body = method === 'POST' ? { body: '{}' } : {}
    await measure(what, async address => {
      const answer = await client.send(method, path, { ...body, headers: { 'X-Forwarded-For': address } })
      assert.ok(answer.status < 500, `${what} -> ${answer.text}`)
    })
  }
  for (const { method, path, query } of operations) {
    const target = path.replace('{id}', eventId)
    for (const kind of Object.keys(worstTexts)) {
      const text = encodeURIComponent(worstText(kind, LINE).slice(1, -1).toWellFormed())
        .slice(0, LINE)
        .replace(/%.?$/, '')
      for (const name of [...query, 'unknown']) {
        await ask(`${kind} in ${name} of ${path}`, method, `${target}?${name}=${text}`)
      }
      if (path.includes('{id}')) await ask(`${kind} in ${path}`, method, path.replace('{id}', text))
    }
    for (const [kind, make] of Object.entries(worstQueries)) {
      await ask(`${kind} in the query of ${path}`, method, `${target}?${make(LINE)}`)
    }
  }

  const names = [
    ...['authorization', 'x-api-key', 'idempotency-key', 'content-type', 'content-encoding'],
    ...['accept-encoding', 'x-forwarded-for', 'host'],
  ]
  const places = [
    ['GET', '/events'],
    ['POST', '/check-ins'],
    ['GET', '/reference'],
  ] as const
  for (const [method, path] of places) {
    for (const name of names) {
      for (const value of worstHeaders(LINE)) {
        await measure(`${value.slice(0, 30)}… in ${name} of ${path}`, async address => {
          const headers = {
            'x-forwarded-for': address,
            ...(name === 'authorization' ? {} : { authorization: `Bearer ${key}` }),
            ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
            [name]: value,
          }
          const answer = await request(url + path, { method, headers, body: method === 'POST' ? '{}' : null })
          await answer.body.dump()
          assert.ok(answer.statusCode < 500, `${value.slice(0, 30)} in ${name} -> ${answer.statusCode}`)
        })
      }
    }
  }
  report()
})
