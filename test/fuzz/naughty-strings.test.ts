import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCsvRows } from '#test/support/csv.ts'
import { type OperationRequest, pathOf, requestsOf } from '#test/support/operations.ts'
import { newRegistration } from '#test/support/requests.ts'
import { naughtyStrings } from './naughty-strings.ts'
import { assertSound, startWithEverything } from './server.ts'

const AT_ONCE = 50

// biome-ignore lint/suspicious/noExplicitAny: any JSON
type Json = any

/** Yields the places of the strings in a body. */
function stringsOf(node: Json, path: string[] = []): string[][] {
  if (typeof node === 'string') return [path]
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([name, value]) => stringsOf(value, [...path, name]))
}

function withStringAt(node: Json, [name, ...rest]: string[], text: string): Json {
  if (name === undefined) return text
  const copy = Array.isArray(node) ? [...node] : { ...node }
  copy[name] = withStringAt(copy[name], rest, text)
  return copy
}

/** A request with this text in each of its strings in turn, and in each of its parameters. */
function* requestsWith(request: OperationRequest, text: string): Generator<OperationRequest> {
  for (const place of stringsOf(request.body)) {
    yield { ...request, body: withStringAt(request.body, place, text) }
  }
  for (const name of Object.keys(request.query)) {
    yield { ...request, query: { ...request.query, [name]: text.toWellFormed() } }
  }
  // The client takes dots for steps in the path.
  if (!/^\.{1,2}$/.test(text))
    yield { ...request, path: `${request.path}/${encodeURIComponent(text.toWellFormed())}` }
}

/** Every parameter of any operation has the text, so that each operation is given it. */
const parameters = {
  limit: '5',
  status: 'confirmed',
  email: 'grace@example.org',
  format: 'json',
  month: '2026-11',
  starting_after: 'x',
}

test(`each of ${naughtyStrings.length} naughty strings, in each string of each operation, gets an answer of the description`, async t => {
  const server = await startWithEverything(t)
  const { client, clock } = server
  const created = { registrations: 0, checkIns: 0 }
  const requests = naughtyStrings.flatMap(text =>
    requestsOf(server.ids, parameters).flatMap(request => [...requestsWith(request, text)]),
  )
  assert.ok(requests.length > 20 * naughtyStrings.length)
  for (let at = 0; at < requests.length; at += AT_ONCE) {
    clock.advance(60_000)
    await Promise.all(
      requests.slice(at, at + AT_ONCE).map(async request => {
        const { method, body } = request
        const answer = await client.send(method, pathOf(request), body === undefined ? {} : { body })
        assert.ok(answer.status < 500, `${JSON.stringify(request)} -> ${answer.status}`)
        if (answer.status === 201 && answer.body.object === 'registration') created.registrations++
        if (answer.status === 201 && answer.body.object === 'check_in') created.checkIns++
      }),
    )
  }
  assert.ok(created.registrations > naughtyStrings.length)
  await assertSound(server, created)
})

test('a naughty string that is taken comes back exactly: from the answer, the list and both reports', async t => {
  const server = await startWithEverything(t)
  const { client } = server
  const taken = new Map<string, string>()
  for (const text of naughtyStrings) {
    const answer = await client.post(
      '/registrations',
      newRegistration(
        { eventId: server.ids.event, types: { Standard: server.ids.type } },
        {
          buyer: { name: 'Grace', email: 'grace@example.org' },
          attendees: [{ name: 'Grace', seat: [...text].length <= 50 ? text : null }],
          answers: { text },
        },
      ),
    )
    const isKept = text.isWellFormed() && !text.includes('\0')
    assert.equal(answer.status, isKept ? 201 : 400, JSON.stringify(text))
    if (isKept) {
      assert.equal(answer.body.answers.text, text)
      taken.set(answer.body.id, text)
    }
  }
  assert.ok(taken.size > naughtyStrings.length - 20)
  const rows = await client.walk('/registrations?limit=100')
  assert.equal(rows.filter(({ id, answers }) => taken.get(id) === answers.text).length, taken.size + 2)
  const report = await client.get(`/reports/registrations?event_id=${server.ids.event}`)
  const csv = await client.get(`/reports/registrations?event_id=${server.ids.event}&format=csv`)
  const cells = new Map(readCsvRows(csv.text).map(row => [row.registration_id, row['answer:text'] ?? '']))
  for (const row of report.body.data) {
    const text = taken.get(row.registration_id)
    assert.equal(row['answer:text'] ?? undefined, text)
    // CSV may change nothing but to put an apostrophe before what a spreadsheet would take for a formula.
    const cell = cells.get(row.registration_id)
    assert.ok(cell === (text ?? '') || cell === `'${text}`, JSON.stringify({ text, cell }))
  }
})
