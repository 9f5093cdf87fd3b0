import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Config } from '#base/config.ts'
import { MINUTE } from '#base/time.ts'
import { Format } from '#machinery/web/format.ts'
import { lookAtVisits } from '#product/administration/access-log/look-at-visits.ts'
import { COMMAND_LINE, record } from '#product/administration/access-log/rules.ts'
import { startWithOrganizer } from '#test/support/people/organizer.ts'
import { textsIn } from '#texts/catalogue.ts'

const BASE = 'https://tickets.example.org'

async function prepare(t: TestContext) {
  const { db, accountId, clock } = await startWithOrganizer(t)
  const comeFrom = async (address: string | null) => {
    clock.advance(MINUTE)
    const done = { action: 'user.sign_in', targetType: 'user', targetId: null }
    await db.write(accountId, tx => record(tx, { ...COMMAND_LINE, ...done, address }))
  }
  const look = async (config: Partial<Config> = {}) =>
    (await lookAtVisits({ reader: db, config: { baseUrl: BASE, doorOnly: false, ...config } })).map(
      ({ level, code, say }) =>
        `${level} ${code}: ${say({ texts: textsIn('en'), format: new Format('en', 'UTC') })}`,
    )
  return { clock, comeFrom, look }
}

test('who came from the internet proves that others get through, and the newest of them is told', async t => {
  const { comeFrom, look, clock } = await prepare(t)
  await comeFrom('8.8.8.8')
  const first = await look()
  assert.match(first.join(), /^ok base_url_reached: Others get through: somebody came .* at /)
  clock.advance(60 * MINUTE)
  await comeFrom('2a01:4f8::1')
  assert.notDeepEqual(await look(), first)
  assert.doesNotMatch(first.join(), /8\.8\.8\.8/, 'whose address it is nobody needs to know')
})

test('nobody proves it who came from this network, from a proxy, or by the command line', async t => {
  const { comeFrom, look } = await prepare(t)
  for (const address of [
    null,
    'unknown',
    '127.0.0.1',
    '::1',
    '192.168.1.7',
    '10.0.0.2',
    '100.64.0.1',
    'fd00::1',
  ])
    await comeFrom(address)
  const found = await look()
  assert.match(found.join(), /^info base_url_unproven: .* Open https:\/\/tickets\.example\.org on a phone/)
})

test('without an address that people use, by one of this network, or at a door, nobody has to come from outside', async t => {
  const { look, comeFrom } = await prepare(t)
  await comeFrom('8.8.8.8')
  assert.deepEqual(await look({ baseUrl: undefined }), [])
  assert.deepEqual(await look({ doorOnly: true }), [])
  for (const host of ['localhost:8080', '192.168.1.7', '[fd00::1]'])
    assert.deepEqual(await look({ baseUrl: `http://${host}` }), [])
  assert.equal((await look()).length, 1)
})
