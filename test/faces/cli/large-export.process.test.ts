import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { engineEnv } from '#test/support/engine.ts'
import { argumentsFor } from '#test/support/program.ts'
import { insertCrowd } from '#test/support/reports.ts'
import { startWithOrganization } from '#test/support/server.ts'

const COUNT = 25_000
/** The command may take this many megabytes for its objects, which is less than the file has. */
const HEAP = 48

test('an export of a file that is larger than the memory of its process is complete, however slow its reader is', async t => {
  const { data, child } = await startExport(t)
  const pieces: Buffer[] = []
  for await (const piece of child.stdout) {
    if (pieces.length % 100 === 0) await wait(20)
    pieces.push(piece)
  }
  const file = Buffer.concat(pieces)
  assert.ok(file.length > HEAP * 2 ** 20, `${file.length} bytes`)
  const { events } = JSON.parse(file.toString())
  assert.deepEqual(
    events[0].registrations.map(({ answers }: { answers: { number: string } }) => answers.number),
    Array.from({ length: COUNT }, (_, number) => `${number}`),
  )
  assert.equal(data.stderr, '')
})

test('an export whose reader has seen enough ends without a word', async t => {
  const { data, child, ended } = await startExport(t)
  await once(child.stdout, 'data')
  child.stdout.destroy()
  assert.deepEqual(await ended, [0, null])
  assert.equal(data.stderr, '')
})

async function startExport(t: TestContext) {
  const server = await startWithOrganization(t)
  const place = {
    accountId: server.applied.account_id,
    eventId: server.eventId,
    typeId: server.types.Standard as string,
  }
  const answers = (number: number) => ({ number: `${number}`, long: 'ü'.repeat(900) })
  await insertCrowd({ data: server.data, ...place }, { count: COUNT, answers })
  const argv = ['export', '--data', server.data]
  const args = [`--max-old-space-size=${HEAP}`, ...argumentsFor('src/main.ts'), ...argv]
  const env = { ...process.env, ...engineEnv(argv) }
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
  t.after(() => child.kill('SIGKILL'))
  const data = { stderr: '' }
  child.stderr.setEncoding('utf8').on('data', text => {
    data.stderr += text
  })
  const ended = once(child, 'exit')
  return { data, child, ended }
}
