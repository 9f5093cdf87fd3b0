import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { accentOf } from '#machinery/web/accent.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import { colourSchema, NO_LOOK } from '#product/catalog/looks/schemas.ts'
import { duplicateEvent } from '#product/data-care/duplication/rules.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { photo, pngOf } from '#test/support/picture-files.ts'
import { png } from '#test/support/pictures.ts'

const bytesOf = (file: Buffer) => new Uint8Array(file)

test('an owner chooses the colour of the organization, and a manager that of an event', async t => {
  const { member, eventId, accountId, db } = await startDashboard(t)
  const owner = await member('owner')
  const shown = () => db.read(accountId, tx => looks.find(tx, eventId))
  const form = await owner.open(`/manage/a/${accountId}/settings/look`)
  const saved = await form.fill({ 'A colour of your own': true, Colour: '#FFCC00' }).press('Save')
  assert.equal(saved.status, 200)
  assert.equal((await shown()).colour, '#ffcc00')
  const samples = [...saved.document.querySelectorAll('img.sample')]
  const drawn = samples.map(each => decodeURIComponent(each.getAttribute('src') ?? ''))
  assert.deepEqual(
    drawn.map(each => / rx="6" fill="(#\w+)"/.exec(each)?.[1]),
    [accentOf('#ffcc00').light.accent, '#ffcc00'],
    'what can be read in the light is darker',
  )
  const manager = await member('manager')
  const ofEvent = await manager.open(`/manage/e/${eventId}/settings/look`)
  await ofEvent.fill({ 'A colour of its own': true, Colour: '#008800' }).press('Save')
  assert.equal((await shown()).colour, '#008800')
  const again = await manager.open(`/manage/e/${eventId}/settings/look`)
  await again.fill({ 'As the organization': true }).press('Save')
  assert.equal((await shown()).colour, '#ffcc00')
})

test('what is no colour is refused in words', () => {
  for (const wrong of [
    'red',
    '#fff',
    '#12345',
    'url(https://evil.example/)',
    '#12345g',
    '',
    '#ffcc00;}',
    null,
  ])
    assert.equal(v.safeParse(colourSchema, wrong).success, false, String(wrong))
  assert.equal(v.parse(colourSchema, ' #FFCC00 '), '#ffcc00')
})

test('a logo is uploaded, replaced and removed, of the organization and of an event; each is in the log', async t => {
  const { member, eventId, accountId, db } = await startDashboard(t)
  const owner = await member('owner')
  const places = [
    [`/manage/a/${accountId}/settings/look`, null],
    [`/manage/e/${eventId}/settings/look`, eventId],
  ] as const
  for (const [settings, of] of places) {
    const find = async () => (await db.read(accountId, tx => looks.findOwn(tx, of))).logo
    const upload = () => owner.open(`${settings}/logo`)
    const added = await (await upload())
      .choose('File', 'logo.png', bytesOf(pngOf(photo(80, 20))))
      .press('Upload')
    assert.deepEqual(added.messages, ['The logo is in its place.'])
    assert.deepEqual([(await find())?.width, (await find())?.height], [80, 20])
    assert.match(added.document.querySelector('img.logo')?.getAttribute('src') ?? '', /^data:image\/png;/)
    await (await upload()).choose('File', 'logo.png', bytesOf(pngOf(photo(20, 20)))).press('Upload')
    assert.equal((await find())?.width, 20)
    const removed = await (await owner.open(settings)).press('Remove it')
    assert.deepEqual(removed.messages, ['The logo is removed.'])
    assert.equal(await find(), null)
  }
  const log = await owner.open(`/manage/a/${accountId}/log`)
  for (const said of ['Chose the logo of the organization', 'Removed the logo of an event'])
    assert.ok(log.text.includes(said), said)
})

test('a file that is no logo is refused in words, and changes nothing', async t => {
  const { member, accountId, db } = await startDashboard(t)
  const owner = await member('owner')
  const page = await owner.open(`/manage/a/${accountId}/settings/look/logo`)
  const files = {
    'no picture that browsers show': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'at most 4096 a side': png(20_000, 20),
    'larger than 1 MB': Buffer.alloc(1024 * 1024 + 1),
  }
  for (const [words, file] of Object.entries(files)) {
    const refused = await page.choose('File', 'logo.png', bytesOf(file)).press('Upload')
    assert.match(refused.text, new RegExp(words))
  }
  assert.deepEqual(await db.read(accountId, tx => looks.find(tx)), NO_LOOK)
})

test('a duplicate has the look of its event', async t => {
  const { eventId, accountId, db } = await startDashboard(t)
  await db.write(accountId, tx => looks.setColour(tx, eventId, '#008800'))
  const copy = await db.write(accountId, tx =>
    duplicateEvent(tx, eventId, { title: 'Again', starts_at: null }),
  )
  assert.equal((await db.read(accountId, tx => looks.findOwn(tx, copy.id))).colour, '#008800')
})
