import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { DAY, toLocalTime } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { submissionUrl, submitterUrl } from '#product/programme/submissions/links.ts'
import { findByAbstract } from '#product/programme/submissions/rules.ts'
import * as sending from '#product/programme/submissions/send.ts'
import { decideAs } from '#test/support/after-decision.ts'
import { startMailServer } from '#test/support/mail-server.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import type { PageReader, ReadPage } from '#test/support/people/page-reader.ts'
import { acceptOne, addSession } from '#test/support/published.ts'
import { inviteOne, proposeFor } from '#test/support/reviews.ts'
import { begin, send } from '#test/support/submissions.ts'

/** Returns what a person reads on a page, and what its boxes are called. */
const wordsOf = (page: ReadPage) =>
  [page.text, ...[...page.document.querySelectorAll('[aria-label]')].map(each => each.ariaLabel)].join(' ')

/** Opens what the authors of an abstract and its chairs see once it is decided. The call is over by then. */
async function seeAfterDecision(
  place: Awaited<ReturnType<typeof startDashboard>>,
  owner: PageReader,
  id: string,
): Promise<ReadPage[]> {
  const { db, accountId, eventId, clock } = place
  const abstract = `/manage/e/${eventId}/abstracts/${id}`
  await db.write(accountId, tx =>
    tx.run('UPDATE events SET starts_at = $2, ends_at = $3 WHERE id = $1', [
      ...[eventId, Date.parse('2027-01-12T09:00:00Z'), Date.parse('2027-01-13T17:00:00Z')],
    ]),
  )
  await decideAs(place, id, undefined, { confirm_by: clock() + DAY })
  const row = await db.read(INSTANCE, tx =>
    tx.one<{ cursor_secret: string }>('SELECT cursor_secret FROM instance'),
  )
  const server = { baseUrl: '', secret: row?.cursor_secret as string }
  const of = await db.read(accountId, tx => findByAbstract(tx, id))
  assert.ok(of !== undefined)
  const author = await place.visitor().open(submissionUrl(server, of.submitter, of.submission))
  const all = await place.visitor().open(submitterUrl(server, of.submitter))
  const waiting = await owner.open(`/manage/e/${eventId}/abstracts?status=unconfirmed`)
  const chair = await owner.open(abstract)
  return [author, all, waiting, chair, await chair.press('Confirm for the authors')]
}

test('every word in bold on the page about abstracts stands where it leads', async t => {
  const file = organization()
  const mailServer = await startMailServer(t)
  const mail = { smtpUrl: mailServer.url, mailFrom: 'tickets@example.org' }
  const organized = { ...file, account: { ...file.account, slug: 'acme' } }
  const place = await startDashboard(t, organized as never, { settings: mail })
  const { member, eventId, db, accountId } = place
  const owner = await member('owner')
  const event = `/manage/e/${eventId}`
  const seen = [await owner.open(event)]
  const settings = await owner.open(`${event}/settings`)
  seen.push(settings)
  await settings.fill({ 'This event has a call for abstracts': true }).press('Save')
  const empty = await (await owner.open(event)).follow('Abstracts')
  seen.push(empty)
  const form = await empty.follow('Set up the call for abstracts')
  seen.push(form, await form.press('Set up the call'))
  seen.push(await place.visitor().open('/acme/spring-meeting/abstracts/new'))
  const list = await owner.open(`${event}/abstracts`)
  seen.push(await list.follow('Add an abstract'))
  const upload = await list.follow('Add abstracts from a file')
  const line = (title: string) => `${title},They fill.,Lin Mei,lin@example.org`
  const table = ['title,text,authors,email', line('On doors'), line('On walls')].join('\n')
  seen.push(upload, await upload.choose('File', 'a.csv', table).press('Read the file'))
  const opensIn = (time: number) =>
    db.write(accountId, tx =>
      tx.run('UPDATE calls SET opens_at = $3 WHERE account_id = $1 AND event_id = $2', [
        accountId,
        eventId,
        place.clock() + time,
      ]),
    )
  await opensIn(DAY)
  seen.push(await owner.open(`${event}/abstracts`))
  await opensIn(-DAY)
  const { submission } = await begin(place)
  const { id } = await send(place, submission.id)
  const review = await (await owner.open(`${event}/abstracts`)).follow('Review')
  const setUp = await review.follow('Set up the review')
  seen.push(review, setUp, await setUp.press('Set up the review'))
  seen.push(await owner.open(`${event}/abstracts/call/questions/new`))
  await inviteOne(place)
  seen.push(await owner.open(`${event}/review`))
  seen.push(await owner.open(`${event}/abstracts/${id}`))
  await proposeFor(place, id)
  seen.push(await owner.open(`${event}/decisions`))
  seen.push(await owner.open(`${event}/decisions/send`))
  const later = { 'Send at': toLocalTime(place.clock() + DAY, 'UTC') }
  const ready = await seen.at(-1)?.fill(later).press('Show the mails')
  seen.push(await (ready as ReadPage).press('Send 1 decision'))
  await begin(place)
  seen.push(await owner.open(`${event}/abstracts`), await owner.open(`${event}/abstracts/${id}`))
  seen.push(...(await seeAfterDecision(place, owner, id)))
  const placed = await acceptOne(place, { title: 'On stairs' })
  await addSession(place, {}, [placed])
  await acceptOne(place, { title: 'On doors', affiliations: ['Elsewhere'] })
  const publishing = await (await owner.open(`${event}/programme`)).follow('Publish…')
  seen.push(await owner.open(`${event}/programme`), publishing, await publishing.press('Publish'))
  seen.push(await owner.open(`${event}/programme/people`))
  await db.write(accountId, tx => sending.withdraw(tx, submission.id))
  seen.push(await owner.open(`${event}/abstracts/${id}`))
  await db.write(accountId, tx =>
    tx.run(
      "UPDATE abstracts SET status = 'accepted', decided_at = 1, withdrawn_at = NULL WHERE account_id = $1 AND id = $2",
      [accountId, id],
    ),
  )
  const programme = await (await owner.open(`${event}/abstracts`)).follow('Programme')
  const session = await (await programme.follow('Add a session')).fill({ Title: 'Opening' }).press('Add it')
  const text = await (await session.follow('Add a text')).fill({ Text: 'Welcome' }).press('Add it')
  seen.push(programme, session, text, await owner.open(`${event}/programme`))
  const bold = [...readFileSync('docs/abstracts.md', 'utf8').matchAll(/\*\*([^*]+)\*\*/g)].map(
    ([, word]) => word as string,
  )
  const all = seen.map(wordsOf).join(' ')
  assert.ok(bold.length > 25, String(bold.length))
  assert.deepEqual(
    bold.filter(word => word !== 'bold' && !all.includes(word)),
    [],
  )
})
