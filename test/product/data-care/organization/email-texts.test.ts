import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailKinds } from '#app/mail-kinds.ts'
import * as ownTexts from '#machinery/mail/own-texts.ts'
import { eventMails } from '#product/data-care/organization/email-texts.ts'
import { collectOrganization, organization } from '#test/support/organization.ts'
import { open } from './open.ts'

const withTexts = (email_texts: object) => organization({ event: { email_texts } })
const YES = { subject: 'Yes, {name}', body: 'Dear {name}' }

test('a file knows every kind of mail that is about an event', () => {
  const ofEvents = mailKinds.filter(({ isOfEvent }) => isOfEvent)
  assert.deepEqual(
    eventMails.map(({ name }) => name),
    ofEvents.map(({ name }) => name),
  )
})

test('a file brings own texts of mails, changes them, and keeps those that it does not name', async t => {
  const { apply, db } = await open(t)
  const first = await apply(withTexts({ abstract_accepted: { en: YES } }))
  assert.ok(first.changes.includes('created text of abstract_accepted in en of spring-meeting'))
  const no = { subject: 'No', body: 'Sorry' }
  const second = await apply(withTexts({ abstract_accepted: { es: YES }, abstract_rejected: { en: no } }))
  assert.deepEqual([second.created, second.updated], [2, 0])
  const third = await apply(withTexts({ abstract_rejected: { en: { ...no, body: 'So sorry' } } }))
  assert.deepEqual(third.changes, ['updated text of abstract_rejected in en of spring-meeting (body)'])
  const accountId = third.account_id
  const eventId = third.events['spring-meeting']?.id as string
  const own = await db.read(accountId, tx => ownTexts.listOwn(tx, eventId))
  assert.deepEqual(
    own.map(({ kind, language, body }) => [kind, language, body]),
    [
      ['abstract_accepted', 'en', 'Dear {name}'],
      ['abstract_accepted', 'es', 'Dear {name}'],
      ['abstract_rejected', 'en', 'So sorry'],
    ],
  )
  const exported = await db.read(accountId, tx => collectOrganization(tx))
  assert.deepEqual(exported.events?.[0]?.email_texts, {
    abstract_accepted: { en: YES, es: YES },
    abstract_rejected: { en: { subject: 'No', body: 'So sorry' } },
  })
  assert.equal((await apply(organization())).updated, 0)
  const copy = await open(t)
  const brought = await copy.apply(JSON.parse(JSON.stringify(exported)))
  assert.deepEqual(await copy.db.read(brought.account_id, tx => collectOrganization(tx)), exported)
})

test('what no mail is, and what nothing is filled in for, is told by its path', async t => {
  const { apply } = await open(t)
  const path = 'events.0.email_texts'
  const wrong: [object, string, RegExp][] = [
    [{ invitation: { en: YES } }, `${path}.invitation`, /is not known/],
    [{ abstract_accepted: { fr: YES } }, `${path}.abstract_accepted.fr`, /is not known/],
    [
      { abstract_accepted: { en: { ...YES, body: '{price}' } } },
      `${path}.abstract_accepted.en.body`,
      /must name nothing but \{name\}/,
    ],
    [
      { abstract_accepted: { en: { ...YES, subject: 'A\nB' } } },
      `${path}.abstract_accepted.en.subject`,
      /control/,
    ],
    [
      { abstract_accepted: { en: { ...YES, body: ' ' } } },
      `${path}.abstract_accepted.en.body`,
      /white space/,
    ],
  ]
  for (const [texts, param, message] of wrong) {
    await assert.rejects(async () => apply(withTexts(texts)), { param, message })
  }
})
