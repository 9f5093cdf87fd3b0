import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { MINUTE } from '#base/time.ts'
import { queue } from '#machinery/mail/outbox.ts'
import * as emails from '#machinery/mail/rules.ts'
import { testMail } from '#machinery/mail/test-mail.ts'
import { prepareDataFolder } from '#test/support/data-folder.ts'
import { openTestDatabase } from '#test/support/engine.ts'
import { startMailServer } from '#test/support/mail-server.ts'
import { argumentsFor } from '#test/support/program.ts'
import { eventually } from '#test/support/webhooks.ts'

/** After these milliseconds the claim of a process that is gone has ended. */
const LATER = 11 * MINUTE

/** Prepares one mail that is due, and processes that send it. */
async function prepare(t: TestContext) {
  const { data, accountId } = await prepareDataFolder(t)
  const db = await openTestDatabase(t, { data, clock: Date.now })
  const mailServer = await startMailServer(t)
  await db.write(accountId, tx =>
    queue(tx, testMail, { cause: 'c', recipient: 'ada@example.org', language: 'en' }),
  )
  const look = async () => (await db.read(accountId, tx => emails.list(tx, {}, { limit: 1 })))[0]
  const run = (ahead: number, end = '', fault = '') => {
    const args = [...argumentsFor('test/support/mail-process.ts'), data, mailServer.url]
    const child = spawn(process.execPath, [...args, String(ahead), end, fault], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const ended = once(child, 'close')
    const kill = async () => {
      child.kill('SIGKILL')
      await ended
    }
    t.after(kill)
    return { ended, kill }
  }
  /** Runs another process after the claim, and returns what it makes of the mail. */
  const recover = async (fault = '') => {
    run(LATER, '', fault)
    await eventually('the end', async () => (await look())?.status === 'sent', 20_000)
  }
  return { ...mailServer, look, run, recover }
}

const BOUND = { timeout: 60_000 }

const steps: [string, string, number, number][] = [
  ['while it claims a mail', 'claiming', 0, 1],
  ['after it claimed a mail', 'claimed', 0, 1],
  ['after the server has taken a mail', 'sent', 1, 2],
  ['in the transaction that tells of a mail', 'concluding', 1, 2],
  ['after the transaction that tells of a mail', 'concluded', 1, 1],
]
for (const [when, end, before, after] of steps) {
  const times = after === 1 ? 'once' : 'twice under one id'
  test(`a server that is killed ${when} has it arrive ${times}`, BOUND, async t => {
    const { received, look, run, recover } = await prepare(t)
    assert.deepEqual(await run(0, end).ended, [null, 'SIGKILL'])
    assert.equal(received.length, before)
    assert.equal((await look())?.status, end === 'concluded' ? 'sent' : 'waiting')
    await recover()
    assert.equal(received.length, after)
    assert.equal(new Set(received.map(({ parsed }) => parsed.messageId)).size, 1)
  })
}

test('a server that is killed while a mail is under way has it arrive once', BOUND, async t => {
  const { received, look, run, recover, script } = await prepare(t)
  let begun = false
  script.data = () => {
    begun = true
    return new Promise(() => undefined)
  }
  const { kill } = run(0)
  await eventually('the mail under way', () => begun, 20_000)
  await kill()
  delete script.data
  assert.equal((await look())?.status, 'waiting')
  await recover()
  assert.equal(received.length, 1)
})

test('a mail that was told of before it is sent would be lost, and is seen to be', BOUND, async t => {
  const { received, look, run } = await prepare(t)
  await run(0, 'concluded', 'early').ended
  assert.equal((await look())?.status, 'sent')
  run(LATER)
  await setTimeout(2000)
  assert.equal(received.length, 0)
})

test('a mail that got another id at each attempt would be seen', BOUND, async t => {
  const { received, run, recover } = await prepare(t)
  await run(0, 'sent', 'other-id').ended
  await recover('other-id')
  assert.equal(new Set(received.map(({ parsed }) => parsed.messageId)).size, 2)
})
