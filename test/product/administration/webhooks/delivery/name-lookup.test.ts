import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { nameLookup } from '#product/administration/webhooks/delivery/name-lookup.ts'

const A = 1
const NO_SUCH_NAME = 3

/** A name server that knows one name, denies those that end in .invalid, and never answers for another. */
async function startNameServer(t: TestContext) {
  const socket = createSocket('udp4')
  const questions: string[] = []
  socket.on('message', (question, from) => {
    const labels: string[] = []
    let at = 12
    for (; question[at] !== 0; at += 1 + (question[at] as number)) {
      labels.push(question.toString('latin1', at + 1, at + 1 + (question[at] as number)))
    }
    const name = labels.join('.')
    questions.push(name)
    const exists = name === 'alive.example.org'
    if (!exists && !name.endsWith('.invalid')) return
    const hasAddress = exists && question.readUInt16BE(at + 1) === A
    const header = Buffer.from([
      0x81,
      exists ? 0x80 : 0x80 | NO_SUCH_NAME,
      0,
      1,
      0,
      hasAddress ? 1 : 0,
      0,
      0,
      0,
      0,
    ])
    const record = Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 60, 0, 4, 93, 184, 215, 14])
    const answer = [question.subarray(0, 2), header, question.subarray(12, at + 5)]
    socket.send(Buffer.concat(hasAddress ? [...answer, record] : answer), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => socket.close())
  return { questions, server: `127.0.0.1:${socket.address().port}` }
}

test('names with dead name servers keep no other name waiting', async t => {
  const { questions, server } = await startNameServer(t)
  const lookup = nameLookup([server], 1_000)
  const look = (name: string) =>
    new Promise<LookupAddress[]>((resolve, reject) => {
      lookup(name, { all: true }, (error, found) =>
        error === null ? resolve(found as LookupAddress[]) : reject(error),
      )
    })
  let given = 0
  const dead = Array.from({ length: 20 }, (_, at) =>
    assert.rejects(look(`dead-${at}.example.org`), { code: /^(ETIMEOUT|ECANCELLED)$/ }).then(() => given++),
  )
  while (new Set(questions).size < 20) await nextTurn()
  assert.deepEqual(await look('alive.example.org'), [{ address: '93.184.215.14', family: 4 }])
  assert.equal(given, 0)
  await Promise.all(dead)
})

test('the look-up gives one address if it is asked for one', async t => {
  const { server } = await startNameServer(t)
  const address = await new Promise((resolve, reject) => {
    nameLookup([server])('alive.example.org', {}, (error, ...found) =>
      error === null ? resolve(found) : reject(error),
    )
  })
  assert.deepEqual(address, ['93.184.215.14', 4])
})

test('a name that the name servers deny is left to the system, which knows names of its own', async t => {
  const { questions, server } = await startNameServer(t)
  const code = await new Promise(resolve => {
    nameLookup([server])('nowhere.invalid', { all: true }, error => resolve(error?.code))
  })
  assert.ok(questions.includes('nowhere.invalid'))
  assert.match(String(code), /^(ENOTFOUND|EAI_AGAIN)$/)
})
