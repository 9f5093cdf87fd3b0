import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'

const SITES = 'Sites that may show your pages'

test('an owner names the sites that may show pages, and what is no site is refused in words and kept as it was typed', async t => {
  const { member, accountId, db } = await startDashboard(t)
  await db.write(accountId, tx => accounts.update(tx, { slug: 'ada' }))
  const owner = await member('owner')
  const path = `/manage/a/${accountId}/settings/site`
  const named = async () => (await db.read(accountId, tx => accounts.getDetails(tx))).embed_origins
  const page = await owner.open(path)
  assert.match(page.text, /until then browsers show no frame there/)
  const many = Array.from({ length: 11 }, (_, at) => `https://site-${at}.example`).join('\n')
  for (const [wrong, sentence] of [
    ['https://www.ada.example/shows', /Give each site as https:\/\/ and its name/],
    ['https://*.ada.example', /without \*/],
    ['javascript:alert(1)', /with no other protocol/],
    ['https://www.ada.example\nhttp://ada.example', /with no other protocol/],
    [many, /Enter at most 10\./],
  ] as const) {
    const refused = await page.fill({ [SITES]: wrong }).press('Save')
    assert.equal(refused.status, 422, wrong)
    assert.match(refused.text, sentence)
    assert.equal(refused.field(SITES).value, wrong)
  }
  assert.deepEqual(await named(), [])
  const saved = await page
    .fill({ [SITES]: 'https://WWW.ada.example/\n\nhttps://ada.example:8443' })
    .press('Save')
  assert.equal(saved.field(SITES).value, 'https://www.ada.example\nhttps://ada.example:8443')
  assert.doesNotMatch(saved.text, /until then browsers show no frame there/)
  const copied = [...saved.document.querySelectorAll('[data-copy], input[readonly], textarea[readonly]')]
    .map(each => each.getAttribute('data-copy') ?? each.getAttribute('value') ?? each.textContent ?? '')
    .join('\n')
  assert.match(copied, /data-turnout/)
  assert.match(copied, /\/ada\/embed\.html/)
  const spanish = await member('owner', { email: 'eva@example.org', language: 'es' })
  const form = await spanish.open(path)
  const refused = await form.fill({ 'Sitios que pueden mostrar tus páginas': many }).press('Guardar')
  assert.match(refused.text, /Escribe como mucho 10\./)
  const log = await db.read(INSTANCE, tx =>
    tx.all<{ details: string }>("SELECT details FROM access_log WHERE action = 'account.update'"),
  )
  assert.deepEqual(
    log.map(({ details }) => JSON.parse(details).changed).filter(changed => changed !== undefined),
    [['embed_origins']],
  )
  assert.equal((await (await member('door')).open(path)).status, 403)
})
