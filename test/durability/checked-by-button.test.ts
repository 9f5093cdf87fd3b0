import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { testClock } from '#test/support/clock.ts'
import { startForOperator } from '#test/support/people/operator.ts'
import { eventually } from '#test/support/webhooks.ts'

test('the database is checked beside the server, and what is wrong with it is told', async t => {
  // The process of the check has a clock of its own, which it compares.
  const { operator, path, db, logged, who } = await startForOperator(t, {
    clock: testClock(new Date().toISOString()),
  })
  const page = await operator.open(path)
  assert.match(page.text, /No backups are made: no folder is set up/)
  assert.match(page.text, /turnout serve --backup-dir/)
  const begun = await page.press('Check the database')
  assert.match(begun.text, /The check has begun.*A check is under way since/)
  const second = await operator.post(`${path}/check`)
  assert.match(second.messages.join(), /under way already/)
  const result = (what: RegExp) =>
    eventually(
      String(what),
      async () => {
        const found = await operator.open(path)
        return what.test(found.text) && found
      },
      // The process of the check has a low priority: looking all the time would leave nothing to it.
      240_000,
      200,
    )
  await result(/Nothing wrong was found at .* It took \d+ seconds?/)
  await db.write(INSTANCE, tx => tx.run('UPDATE registration_types SET sold = 3'))
  await (await operator.open(path)).press('Check the database')
  const damaged = await result(/has found damage/)
  assert.match(damaged.messages.join(), /sold/)
  assert.deepEqual(await logged(), [
    ['system.check', who, null],
    ['system.check', who, null],
  ])
})
