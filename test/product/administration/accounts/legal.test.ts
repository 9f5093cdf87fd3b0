import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { hasGaps } from '#product/administration/accounts/legal.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { open } from '#test/product/data-care/organization/open.ts'
import { organization } from '#test/support/organization.ts'

const ADA = 'ada@example.org'
const link = (name: string) => `https://ada.example/${name}`

async function start(t: TestContext) {
  const opened = await open(t)
  const { account_id: id } = await opened.apply(organization({ email: ADA }))
  const update = (changes: Parameters<typeof accounts.update>[1]) =>
    opened.db.write(id, tx => accounts.update(tx, changes))
  /** Applies the same file with other settings of the account. */
  const apply = async (settings: object) => {
    const file = organization({ email: ADA })
    return opened.apply({ ...file, account: { ...file.account, ...settings } })
  }
  const kept = () =>
    opened.db.read(id, async tx => {
      const { imprint_url, privacy_url, terms_url, written } = await accounts.getDetails(tx)
      return { links: [imprint_url, privacy_url, terms_url], written, ...(await accounts.getLegalTexts(tx)) }
    })
  return { ...opened, id, update, apply, kept }
}

const NONE = {
  links: [null, null, null],
  written: [],
  imprint_text: null,
  privacy_text: null,
  terms_text: null,
}

test('of a legal text and a link to one, the account keeps the one that was given last', async t => {
  const { update, kept } = await start(t)
  assert.deepEqual(await kept(), NONE)
  await update({ imprint_url: link('i'), privacy_text: 'We keep names.' })
  const both = {
    ...NONE,
    links: [link('i'), null, null],
    written: ['privacy'],
    privacy_text: 'We keep names.',
  }
  assert.deepEqual(await kept(), both)
  await update({ name: 'Other', imprint_url: null, imprint_text: null })
  assert.deepEqual(await kept(), { ...both, links: [null, null, null] })
  const details = await update({
    imprint_text: 'We are Ada.',
    privacy_url: link('p'),
    terms_text: 'No dogs.',
  })
  assert.deepEqual(details.written, ['imprint', 'terms'])
  await update({ imprint_url: link('i'), imprint_text: null, terms_url: link('t'), terms_text: null })
  assert.deepEqual(await kept(), { ...NONE, links: [link('i'), link('p'), link('t')] })
})

test('a legal text beside its link is refused, and nothing changes', async t => {
  const { update, apply, kept } = await start(t)
  const before = await kept()
  for (const kind of ['imprint', 'privacy', 'terms']) {
    const doubled = { [`${kind}_url`]: link(kind), [`${kind}_text`]: 'Here.' }
    const refused = { code: 'invalid_parameter', param: `${kind}_text` }
    await assert.rejects(update({ name: 'Other', ...doubled }), refused)
    await assert.rejects(apply(doubled), { code: 'invalid_parameter', param: `account.${kind}_text` })
  }
  assert.deepEqual(await kept(), before)
})

test('an organization file brings texts in the place of links, keeps what it leaves out, and takes away what is null', async t => {
  const { apply, kept } = await start(t)
  await apply({ imprint_url: link('i'), privacy_url: link('p'), terms_text: 'No dogs.' })
  await apply({ privacy_text: 'We keep names.' })
  const written = { privacy_text: 'We keep names.', terms_text: 'No dogs.' }
  const expected = { ...NONE, links: [link('i'), null, null], written: ['privacy', 'terms'], ...written }
  assert.deepEqual(await kept(), expected)
  assert.deepEqual((await apply({})).changes, [])
  await apply({ imprint_url: null, terms_url: link('t') })
  assert.deepEqual(await kept(), {
    ...expected,
    links: [null, null, link('t')],
    written: ['privacy'],
    terms_text: null,
  })
})

test('a legal text has 1 to 50,000 characters', async t => {
  const { apply, kept } = await start(t)
  for (const text of ['', 'a'.repeat(50_001)]) {
    await assert.rejects(apply({ imprint_text: text }), { param: 'account.imprint_text' })
  }
  await apply({ imprint_text: 'ñ'.repeat(50_000) })
  assert.equal((await kept()).imprint_text, 'ñ'.repeat(50_000))
})

test('no row has both a legal text and its link', async t => {
  const { id, update, db } = await start(t)
  await update({ imprint_url: link('i'), privacy_url: link('p'), terms_url: link('t') })
  for (const kind of ['imprint', 'privacy', 'terms']) {
    const query = `UPDATE accounts SET ${kind}_text = 'Here.' WHERE id = $1`
    await assert.rejects(
      db.write(id, tx => tx.run(query, [id])),
      /check/i,
    )
  }
})

test('a passage in brackets is a gap, and a link of Markdown is none', () => {
  for (const gap of ['until [when]', 'our [their names].', '[Stripe]']) assert.equal(hasGaps(gap), true, gap)
  const none = [
    null,
    '',
    'a [link](https://ada.example)',
    'a [link][1]',
    '[1]: https://ada.example',
    'a [',
    '[]',
  ]
  for (const text of none) assert.equal(hasGaps(text), false, `${text}`)
})
