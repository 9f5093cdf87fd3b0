import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { WriteTx } from '#machinery/db/port.ts'
import type { MailKind } from '#machinery/mail/kind.ts'
import { afterMails } from '#product/programme/decisions/after-mails.ts'
import { remind } from '#product/programme/decisions/confirm-reminders.ts'
import { confirm, unconfirm } from '#product/programme/decisions/confirming.ts'
import { remindUnconfirmed } from '#product/programme/decisions/remind-unconfirmed.ts'
import { withdraw } from '#product/programme/decisions/withdrawing.ts'
import { decideAs } from '#test/support/after-decision.ts'
import { startNoticed } from '#test/support/notices.ts'
import { begin, openCall, send } from '#test/support/submissions.ts'
import { subjectsOf } from '#test/support/ticket-mail.ts'

/** The end of the time to confirm, at 23:59 in Madrid; the reminders are due at 21:00 there. */
const CONFIRM_BY = '2026-12-10T22:59:00Z'
const FIRST = '2026-12-07T20:00:00Z'
const SECOND = '2026-12-09T20:00:00Z'

async function start(t: TestContext) {
  const at = await startNoticed(t, { starts_at: '2027-01-12T09:00:00Z', ends_at: '2027-01-13T17:00:00Z' })
  const { db, accountId, eventId, clock, mail, app } = at
  await openCall(at, { closes_at: Date.parse('2026-12-20T10:00:00Z') })
  /** An abstract that is accepted, whose authors are asked to confirm. */
  const accept = async (name: string, confirm_by: number | null = Date.parse(CONFIRM_BY)) => {
    const { submission } = await begin(at, { email: `${name}@example.org` })
    const { id, code } = await send(at, submission.id)
    await decideAs(at, id, { decision: 'accepted' }, { confirm_by })
    await mail.take()
    return { id, code, submissionId: submission.id }
  }
  /** What the server does each minute. */
  const look = async (instant?: string) => {
    if (instant !== undefined) clock.set(instant)
    await app.settled('confirmations')
    await at.finish()
    return mail.take()
  }
  const told = async (instant?: string) => subjectsOf(await look(instant))
  const write = <Result>(work: (tx: WriteTx) => Promise<Result>) => db.write(accountId, work)
  const ask = () => write(tx => remindUnconfirmed(tx, eventId, 'cli'))
  return { ...at, accept, look, told, write, ask }
}

const reminded = (...abstracts: { name: string; code: string }[]) =>
  abstracts
    .map(({ name, code }) => [
      `${name}@example.org`,
      `Please confirm: your abstract ${code} for Spring Meeting`,
    ])
    .sort()

test('whoever is asked to confirm and has not is reminded three days and one day before, once each', async t => {
  const { accept, told, write, ...at } = await start(t)
  const lin = { name: 'lin', ...(await accept('lin')) }
  const known = await accept('known')
  await write(tx => confirm(tx, known.id))
  const gone = await accept('gone')
  await write(tx => withdraw(tx, gone.submissionId))
  await accept('unasked', null)
  const no = await accept('no')
  await decideAs(at, no.id, { decision: 'rejected' }, { confirm_by: Date.parse(CONFIRM_BY) })
  // The organizer is told of the withdrawal.
  await told('2026-11-22T09:00:00Z')
  assert.deepEqual(await told('2026-12-07T19:59:59Z'), [])
  assert.deepEqual(await told(FIRST), reminded(lin))
  assert.deepEqual(await told('2026-12-07T20:01:00Z'), [])
  assert.deepEqual(await told(SECOND), reminded(lin))
  for (const later of ['2026-12-09T20:01:00Z', FIRST, CONFIRM_BY, '2026-12-11T20:00:00Z'])
    assert.deepEqual(await told(later), [])
})

test('however many servers look at once, nobody is reminded twice, and one that was off sends the later one alone', async t => {
  const { accept, told, write, clock } = await start(t)
  const lin = { name: 'lin', ...(await accept('lin')) }
  clock.set('2026-12-10T22:59:59Z')
  const all = await Promise.all([1, 2, 3].map(() => write(tx => remind(tx, lin.id))))
  assert.deepEqual(all.sort(), [false, false, true])
  assert.deepEqual(await told(), reminded(lin))
  assert.deepEqual(await told(), [])
})

test('whoever was asked after a reminder was due has just read of it, and gets the next one', async t => {
  const { accept, told, clock } = await start(t)
  clock.set('2026-12-08T09:00:00Z')
  const lin = { name: 'lin', ...(await accept('lin')) }
  assert.deepEqual(await told(), [])
  assert.deepEqual(await told(SECOND), reminded(lin))
})

test('nobody is reminded for an event that is cancelled, or of what was confirmed before the mail went out', async t => {
  const { accept, told, write, look, mail, ...at } = await start(t)
  const lin = { name: 'lin', ...(await accept('lin')) }
  const set = (status: string) =>
    write(tx => tx.run('UPDATE events SET status = $2 WHERE id = $1', [at.eventId, status]))
  await set('cancelled')
  assert.deepEqual(await told(FIRST), [])
  await set('published')
  assert.equal(await write(tx => remind(tx, lin.id)), true)
  await write(tx => confirm(tx, lin.id))
  assert.deepEqual(await mail.take(), [])
  await write(tx => unconfirm(tx, lin.id))
  const [sent] = await look(SECOND)
  assert.match(sent?.parsed.text ?? '', /by 10 Dec 2026, 23:59 \(CET\)/)
  assert.match(sent?.parsed.text ?? '', /https:\/\/tickets\.example\.org\/abstracts\/[\w-]{46}/)
  assert.doesNotMatch(sent?.parsed.text ?? '', /On rooms/)
})

test('a chair reminds all who have not confirmed, late too, and nobody twice within a day', async t => {
  const { accept, told, ask, clock, write } = await start(t)
  const lin = { name: 'lin', ...(await accept('lin')) }
  const many = []
  for (let at = 0; at < 25; at++) many.push({ name: `n${at}`, ...(await accept(`n${at}`)) })
  const known = await accept('known')
  await write(tx => confirm(tx, known.id))
  clock.set('2026-12-12T10:00:00Z')
  assert.equal(await ask(), 26)
  assert.deepEqual((await told()).sort(), reminded(lin, ...many))
  assert.equal(await ask(), 26)
  assert.deepEqual(await told(), [])
  clock.set('2026-12-13T10:00:00Z')
  await ask()
  assert.equal((await told()).length, 26)
})

test('a reminder that waits is not sent to an address that was corrected meanwhile', async t => {
  const { accept, db, accountId, eventId, clock } = await start(t)
  const { id } = await accept('lin')
  const kind = afterMails.find(({ name }) => name === 'abstract_confirm_reminder') as MailKind
  const says = (recipient: string) =>
    db.read(accountId, tx =>
      kind.read(
        tx,
        {
          ...{ id: 'm', account_id: accountId, event_id: eventId, subject_id: id, cause: 'c', recipient },
          ...{ language: 'en', details: {}, now: clock() },
        },
        { baseUrl: 'https://t.example', secret: 's' },
      ),
    )
  assert.ok((await says('Lin@example.org')) !== undefined)
  assert.equal(await says('other@example.org'), undefined)
})
