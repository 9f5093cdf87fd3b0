import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { type TestContext, test } from 'node:test'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { insertCrowd } from '#test/support/reports.ts'
import { openRows } from '#test/support/rows.ts'

/** Each row has this long name, so that the list is larger than what a connection takes by itself. */
const TYPE = 'A type of ticket with a long name. '.repeat(6).trim().slice(0, 200)

async function start(t: TestContext) {
  const types = [{ name: TYPE, price: 0, capacity: 100 }]
  const server = await startDashboard(t, organization({ event: { registration_types: types } }))
  const { accountId, data, eventId, app } = server
  await insertCrowd(
    { data, accountId, eventId, typeId: server.types[TYPE] as string },
    { count: 1_500, tickets: 30 },
  )
  const door = await server.member('door')
  /** Begins to read the list, and waits. */
  const begin = async (): Promise<IncomingMessage> => {
    const url = `${app.siteUrl}/manage/e/${eventId}/check-in/list`
    const headers = { cookie: `session=${door.cookies.get('session')}`, 'accept-encoding': 'gzip' }
    const [response] = await once(get(url, { headers, agent: false }), 'response')
    response.pause()
    return response
  }
  return { ...server, begin }
}

/** Reads the first of it. */
async function readSome(response: IncomingMessage, bytes: number): Promise<string> {
  let text = ''
  while (text.length < bytes) {
    const piece: Buffer | null = response.read()
    if (piece === null) await once(response, 'readable')
    else text += piece.toString('latin1')
  }
  return text
}

async function readRest(response: IncomingMessage): Promise<{ text: string; isComplete: boolean }> {
  const pieces: Buffer[] = []
  try {
    for await (const piece of response) pieces.push(piece)
  } catch {
    // The pieces that came until then are kept.
  }
  return { text: Buffer.concat(pieces).toString(), isComplete: response.complete }
}

test('a list of 45,000 is written while it is read: a reader that waits is waited for, and gets each ticket once', async t => {
  const { begin, client, eventId } = await start(t)
  const response = await begin()
  assert.equal(response.statusCode, 200)
  assert.equal(response.headers['content-length'], undefined)
  const first = await readSome(response, 500_000)
  assert.match(first, /Guest \d/)
  // Rows that are not read yet are not made yet: a guest who is checked in meanwhile is crossed out at the end of the list.
  const { data } = (
    await client.get(`/registrations?event_id=${eventId}&q=${encodeURIComponent('guest 999.9')}`)
  ).body
  const last = data[0].attendees.find(({ name }: { name: string }) => name === 'Guest 999.9')
  assert.equal((await client.post('/check-ins', { attendee_id: last.id })).status, 201)
  const rest = await readRest(response)
  const text = first + rest.text
  assert.ok(rest.isComplete && text.endsWith('</html>'))
  const names = [...text.matchAll(/<bdi>(Guest \d+\.\d+)<\/bdi>/g)].map(([, name]) => name as string)
  assert.equal(names.length, 45_000)
  assert.deepEqual(names, [...new Set(names)].sort())
  assert.equal(text.match(/box crossed/g)?.length, 1)
})

test('a list that cannot be read to its end is broken off, and does not pass for a whole one', async t => {
  const { begin, data, log } = await start(t)
  const response = await begin()
  const rows = await openRows(t, data)
  await rows.run('ALTER TABLE attendees RENAME TO hidden')
  const { text, isComplete } = await readRest(response)
  await rows.run('ALTER TABLE hidden RENAME TO attendees')
  assert.equal(isComplete, false)
  assert.ok(!text.includes('</html>') && !text.includes('no such table'))
  const [entry] = log.filter(({ msg }) => msg === 'a page broke off')
  assert.equal(entry?.request_id, response.headers['x-request-id'])
})
