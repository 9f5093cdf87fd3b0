import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { MINUTE } from '#base/time.ts'
import * as abstracts from '#product/programme/abstracts/rules.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import * as sending from '#product/programme/submissions/send.ts'
import { linkIn, startChaired } from '#test/support/chaired.ts'
import { begin, contentOf, draftOf, saveIn, send } from '#test/support/submissions.ts'
import { subjectsOf } from '#test/support/ticket-mail.ts'

const of = contentOf()
/** As the form has it: where there is one affiliation, each author has it. */
const whole = { ...of, authors: of.authors.map(author => ({ ...author, affiliations: [0] })) }

/** Starts with an abstract that was sent. */
async function start(t: TestContext) {
  const at = await startChaired(t)
  const { submission, submitter } = await begin(at)
  const { id, code } = await send(at, submission.id, { ...whole, title: 'On roms' })
  const received = (await at.mail.take()).find(({ parsed }) => parsed.subject?.includes(code))
  const read = () => at.db.read(at.accountId, tx => sending.readSent(tx, { abstract_id: id }))
  return {
    ...{ ...at, id, code, submission, submitter, read },
    path: `${at.list}/${id}`,
    link: linkIn(received?.parsed.text),
  }
}

test('a chair changes an abstract after the deadline: it has another version, which says who made it, and its author is told', async t => {
  const { member, path, code, mail, openLink, logged, id, read, ...at } = await start(t)
  at.clock.set('2026-12-20T12:00:00Z')
  const chair = await member('chair')
  const form = await (await chair.open(`${path}?q=rom`)).follow('Change it…')
  assert.equal(form.heading, `Change ${code}`)
  assert.equal(form.field('Title').value, 'On roms')
  const done = await form.fill({ Title: 'On rooms', Keywords: 'rooms, doors' }).press('Save the change')
  assert.equal(done.path, `${path}?q=rom`)
  assert.deepEqual(done.messages, ['On rooms is changed, and its author is told.'])
  assert.equal(done.heading, 'On rooms')
  assert.match(done.text, /What happened.*Changed.*by Person chair Version 2.*Submitted.*Version 1/)
  assert.match((await done.follow('Version 2')).text, /differs from version 1 in: Title and Keywords\./)
  const mails = await mail.take()
  assert.deepEqual(subjectsOf(mails), [['lin@example.org', `Your abstract ${code} was changed`]])
  assert.doesNotMatch(mails[0]?.parsed.text ?? '', /Lin|On ro/)
  const own = await openLink(mails[0]?.parsed.text)
  assert.equal(own.heading, 'On rooms')
  const { abstract, content } = await read()
  assert.deepEqual(
    [abstract.title, abstract.contact.email, abstract.revision],
    ['On rooms', 'lin@example.org', 2],
  )
  assert.deepEqual(content.keywords, ['rooms', 'doors'])
  const target = { target_type: 'abstract', target_id: id }
  assert.deepEqual(await logged(), [{ action: 'abstract.edit', ...target, details: { version: 2 } }])
})

test('rows are added and moved without saving, and what is wrong is said beside its field with all that was typed', async t => {
  const { member, path, read, mail } = await start(t)
  const form = await (await member('owner')).open(`${path}/edit`)
  const more = await form.fill({ Title: 'Typed' }).press('Add an author')
  assert.equal(more.status, 200)
  assert.equal(more.field('Title').value, 'Typed')
  assert.ok(more.document.getElementById('author.2.family') !== null)
  const refused = await more.fill({ Title: '', Text: 'word '.repeat(301) }).press('Save the change')
  assert.equal(refused.status, 422)
  assert.match(refused.messages.join(), /Title.*301 words/s)
  assert.equal(refused.field('Text').value.split(' ').length, 302)
  assert.equal((await read()).abstract.revision, 1)
  assert.deepEqual(await mail.take(), [])
})

test('saving what stands there already makes no version, and tells nobody', async t => {
  const { member, path, read, mail, logged } = await start(t)
  const done = await (await (await member('owner')).open(`${path}/edit`)).press('Save the change')
  assert.equal(done.path, path)
  assert.deepEqual(done.messages, [])
  assert.equal((await read()).abstract.revision, 1)
  assert.deepEqual(await mail.take(), [])
  assert.deepEqual(await logged(), [])
})

test('a decided abstract can be changed by a chair, and not by its author; a withdrawn one by neither, and one of a file by nobody', async t => {
  const { member, path, list, read, submission, id, db, accountId, clock, applied } = await start(t)
  const owner = await member('owner')
  await db.write(accountId, tx => abstracts.decide(tx, id, { decision: 'accepted' }))
  const form = await owner.open(`${path}/edit`)
  await form.fill({ Title: 'On rooms' }).press('Save the change')
  const { abstract } = await read()
  assert.deepEqual([abstract.title, abstract.status, abstract.revision], ['On rooms', 'accepted', 2])
  const byAuthor = db.write(accountId, tx => saveIn(tx, submission.id, draftOf('Mine'), { begunAt: clock() }))
  await assert.rejects(byAuthor, { code: 'abstract_decided' })
  const open = await owner.open(`${path}/edit`)
  await db.write(accountId, tx => sending.withdraw(tx, submission.id))
  const late = await open.fill({ Title: 'Late' }).press('Save the change')
  assert.equal(late.status, 422)
  assert.equal((await owner.open(path)).links().filter(link => link.endsWith('/edit')).length, 0)
  assert.match((await owner.open(`${path}/edit`)).text, /has withdrawn this abstract/)
  assert.equal((await read()).abstract.title, 'On rooms')
  const brought = applied.events['spring-meeting']?.abstracts['A-1']
  assert.equal((await owner.open(`${list}/${brought}/edit`)).status, 404)
  assert.equal(
    (await owner.open(`${list}/${brought}`)).links().filter(link => link.endsWith('/edit')).length,
    0,
  )
})

test('where somebody else has changed it meanwhile, a chair sees that beside what was typed, and saves over it knowingly', async t => {
  const place = await start(t)
  const { member, path, submission, read } = place
  const form = await (await member('chair')).open(`${path}/edit`)
  await send(place, submission.id, { ...whole, title: 'By its author' })
  const shown = await form.fill({ Title: 'By the chair' }).press('Save the change')
  assert.equal(shown.status, 409)
  assert.match(shown.text, /By its author/)
  assert.equal(shown.field('Title').value, 'By the chair')
  assert.equal((await read()).abstract.title, 'By its author')
  await shown.press('Save the change')
  assert.deepEqual((await read()).abstract.title, 'By the chair')
  assert.equal((await read()).abstract.revision, 3)
})

test('an author with a form open sees what a chair has changed before saving over it', async t => {
  const { member, path, link, visitor, read } = await start(t)
  const author = await visitor().open(`${link}/edit`)
  await (await (await member('chair')).open(`${path}/edit`))
    .fill({ Title: 'On rooms' })
    .press('Save the change')
  const shown = await author.fill({ Keywords: 'doors' }).press('Save')
  assert.equal(shown.status, 409)
  assert.match(shown.text, /On rooms/)
  assert.equal((await read()).abstract.title, 'On rooms')
})

test('what an author has typed and not sent stays theirs: a chair is warned of it, and it can still be sent', async t => {
  const { member, path, submission, db, accountId, clock } = await start(t)
  await db.write(accountId, tx => saveIn(tx, submission.id, draftOf('Secret'), { begunAt: clock() }))
  clock.advance(MINUTE)
  const form = await (await member('chair')).open(`${path}/edit`)
  assert.match(form.text, /Its author has typed changes that are not sent/)
  assert.doesNotMatch(form.html, /Secret/)
  await form.fill({ Title: 'On rooms' }).press('Save the change')
  const { submission: kept } = await db.read(accountId, tx => submissions.get(tx, submission.id))
  assert.deepEqual(kept.draft?.typed.title, ['Secret'])
})
