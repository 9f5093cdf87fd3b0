import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as calls from '#product/programme/calls/rules.ts'
import { contentOf, openCall, send } from '#test/support/submissions.ts'
import { startWithDraft } from '#test/support/submitted-files.ts'

async function start(t: TestContext, changes: Parameters<typeof openCall>[1] = {}) {
  const at = await startWithDraft(t, { file: 'none', ...changes })
  const openForm = () => at.visitor().open(`${at.own}/edit`)
  /** Changes what the call asks for. */
  const ask = (now: Parameters<typeof openCall>[1]) => openCall(at, { ...changes, file: 'none', ...now })
  const getCall = () => at.db.read(at.accountId, tx => calls.get(tx, at.eventId))
  return { ...at, openForm, ask, getCall }
}

test('a topic that was taken out stays chosen in the form, which says so; what was sent keeps it, and nothing else takes it', async t => {
  const at = await start(t, { topics: ['Rooms', 'Doors'] })
  const { topics } = await at.getCall()
  await send(at, at.submission.id, contentOf({ topic_id: topics[0]?.id ?? null }))
  await at.ask({ topics: ['Doors'] })
  const form = await at.openForm()
  const select = form.field('Topic') as unknown as HTMLSelectElement
  assert.deepEqual(
    [...select.options].map(({ text, selected }) => [text, selected]),
    [
      ['Doors', false],
      ['Rooms (offered no more)', true],
    ],
  )
  const changed = await form.fill({ Title: 'On other rooms' }).press('Save')
  assert.match(changed.text, /On other rooms.*Rooms/)
  // Of one that was never sent, another is chosen first.
  const draft = await at.beginOne({
    draft: { typed: { topic: [topics[0]?.id ?? ''], language: ['en'] }, authors: 1, affiliations: 1 },
  })
  const unsent = await at.visitor().open(`${draft.own}/edit`)
  assert.equal(unsent.field('Topic').value, topics[0]?.id)
  const [presenter] = unsent.document.getElementsByName('presenter')
  ;(presenter as HTMLInputElement).checked = true
  const whole = { 'Your name': 'Lin', Title: 'T', Text: 'They fill.', 'Family name': 'Mei' }
  const refused = await unsent.fill(whole).press('Check and send…')
  assert.match(refused.messages[0] as string, /Topic: Choose a topic/)
})

test('once no topic is offered, an abstract keeps the one that it was sent with, and a new one needs none', async t => {
  const at = await start(t, { topics: ['Rooms'] })
  const { topics } = await at.getCall()
  await send(at, at.submission.id, contentOf({ topic_id: topics[0]?.id ?? null }))
  await at.ask({ topics: [] })
  const changed = await (await at.openForm()).fill({ Title: 'On other rooms' }).press('Save')
  assert.match(changed.text, /Your change is sent|On other rooms/)
  const [abstract] = (await at.client.get('/abstracts')).body.data
  assert.deepEqual([abstract.title, abstract.topic], ['On other rooms', 'Rooms'])
})

test('the text of a renamed section stays in the form under its old heading until its author has moved it', async t => {
  const at = await start(t, { sections: ['Methods'] })
  const old = await at.openForm()
  const saved = await old.fill({ Methods: 'We counted.' }).press('Save')
  assert.equal(saved.field('Methods').value, 'We counted.')
  await at.ask({ sections: ['How'] })
  const form = await at.openForm()
  assert.deepEqual([form.field('How').value, form.field('Methods').value], ['', 'We counted.'])
  assert.match(form.text, /asked for no more/)
  const again = await form.fill({ Title: 'T' }).press('Save')
  assert.equal(again.field('Methods').value, 'We counted.')
  const refused = await again.fill({ How: 'We looked.' }).press('Check and send…')
  assert.match(refused.text, /Methods: This part of the text is asked for no more/)
  const moved = await refused.fill({ How: 'We looked. We counted.', Methods: '' }).press('Save')
  assert.doesNotMatch(moved.text, /Methods/)
  assert.equal(moved.field('How').value, 'We looked. We counted.')
})

test('a form that was opened before a section was renamed loses nothing either, nor does an abstract that was sent', async t => {
  const at = await start(t, { sections: ['Methods'] })
  const old = await at.openForm()
  await at.ask({ sections: ['How'] })
  const saved = await old.fill({ Methods: 'We counted.' }).press('Save')
  assert.equal(saved.field('Methods').value, 'We counted.')
  const sections = [{ heading: 'How', text: 'We looked.' }]
  await send(at, at.submission.id, contentOf({ sections }))
  await at.ask({ sections: [] })
  const form = await at.openForm()
  assert.deepEqual([form.field('Text').value, form.field('How').value], ['', 'We looked.'])
})
