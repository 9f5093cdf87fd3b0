import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { collectOrganization, organization, registration } from '#test/support/organization.ts'
import { open } from './open.ts'

const BAD = 'You won! http://evil.example'
const PERSON = { name: BAD, email: 'eve@example.org' }
const AT = '2026-01-05T09:00:00Z'

/** Makes a file with everybody whom one can name. @param made when each item was made; undefined for what is new */
function fileWith(made: string | undefined) {
  return organization({
    event: {
      orders: [{ reference: 'ORDR-1', buyer: PERSON, created_at: made, confirmed_at: AT }],
      registrations: [
        registration('one', {
          order: 'ORDR-1',
          registration_type: 'Free',
          buyer: PERSON,
          created_at: made,
          attendees: [{ ...PERSON, price: 0, discount: 0, tax: 0 }],
        }),
      ],
      waitlist: [{ reference: 'w', registration_type: 'Free', ...PERSON, created_at: made }],
      abstracts: [
        {
          ...{ code: 'A-1', title: 'See http://example.org', abstract: 'Text', authors: [{ name: BAD }] },
          ...{ contact: PERSON, submitted_at: made },
        },
      ],
    },
  })
}

test('nobody who is new in an organization file has a web address in the name: each place is told', async t => {
  const { apply, count } = await open(t)
  const refused = await (async () => apply(fileWith(undefined)))().then(
    () => undefined,
    error => error as Error & { details: { issues: { param: string }[] } },
  )
  assert.match(
    refused?.message ?? '',
    /must not have a web address in it, as "http:\/\/evil.example" is read/,
  )
  assert.deepEqual(refused?.details.issues.map(({ param }) => param).sort(), [
    'events.0.abstracts.0.authors.0.name',
    'events.0.abstracts.0.contact.name',
    'events.0.orders.0.buyer.name',
    'events.0.registrations.0.attendees.0.name',
    'events.0.registrations.0.buyer.name',
    'events.0.waitlist.0.name',
  ])
  assert.equal(await count('registrations'), 0)
})

test('a name with a web address that was taken once is exported, and applied where it was and elsewhere', async t => {
  const [{ db, apply, count }, elsewhere] = [await open(t), await open(t)]
  await apply(fileWith(AT))
  const [account] = await db.read(INSTANCE, tx => tx.all<{ id: string }>('SELECT id FROM accounts'))
  const exported = await db.read(account?.id as string, tx => collectOrganization(tx))
  assert.equal(JSON.stringify(exported).split(BAD).length, 7)
  assert.deepEqual((await apply(exported)).changes, [])
  await elsewhere.apply(exported)
  for (const there of [db, elsewhere.db]) {
    const names = await there.read(INSTANCE, tx => tx.all('SELECT buyer_name AS name FROM registrations'))
    assert.deepEqual(names, [{ name: BAD }])
    assert.deepEqual(await findDamage(there), [])
  }
  assert.equal(await count('abstracts'), 1)
  await db.write(INSTANCE, tx => tx.run("UPDATE abstracts SET title = 'x'"))
})
