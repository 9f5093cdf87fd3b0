import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accentPath } from '#machinery/web/accent.ts'
import { makeLogo } from '#product/catalog/looks/make-logo.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import { parsePage } from '#test/support/people/page-reader.ts'
import { startStorefront } from '#test/support/people/storefront.ts'
import { photo, pngOf } from '#test/support/picture-files.ts'

const PAGE = '/ada/spring-meeting/'
const PAGES = ['/ada/', PAGE, `${PAGE}register`, `${PAGE}tickets`]

const hrefsOf = (text: string, selector: string) =>
  [...parsePage(text).querySelectorAll(selector)].map(each => each.getAttribute('href'))
const sheetsOf = (text: string) => hrefsOf(text, 'link[rel=stylesheet]')
const iconsOf = (text: string) => hrefsOf(text, 'link[rel=icon]')
const logoOf = (text: string) => parsePage(text).querySelector('.home img.logo')

test('a page without a look is as it was: no further file, Turnout’s mark, and the name', async t => {
  const { visit } = await startStorefront(t)
  const { text } = await visit(PAGE)
  assert.equal(sheetsOf(text).length, 2)
  assert.ok(iconsOf(text).every(href => !href?.startsWith('/ada/')))
  assert.equal(logoOf(text), null)
  assert.equal(parsePage(text).querySelector('.home')?.textContent, 'Ada Events')
})

test('a colour is a style sheet after the others, by the hash of its content, on each page of the organizer', async t => {
  const { visit, write } = await startStorefront(t)
  await write(tx => looks.setColour(tx, null, '#c0392b'))
  for (const path of PAGES) {
    const sheets = sheetsOf((await visit(path)).text)
    if (path.endsWith('register')) continue
    assert.equal(sheets.at(-1), accentPath('#c0392b'), path)
  }
  const { status, headers, text } = await visit(accentPath('#c0392b'))
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/css; charset=utf-8')
  assert.match(String(headers['cache-control']), /immutable/)
  assert.match(text, /^:root\{--accent:#c0392b;/)
  assert.equal((await visit('/assets/accent/c0392b.000000000000.css')).status, 404)
})

test('an event has the look of its organizer, and overrides what it has of its own', async t => {
  const { visit, write, eventId } = await startStorefront(t)
  const [wide, tall] = [await makeLogo(pngOf(photo(80, 20))), await makeLogo(pngOf(photo(20, 60)))]
  await write(async tx => {
    await looks.setColour(tx, null, '#c0392b')
    await looks.setLogo(tx, null, wide)
  })
  const shown = async (path: string) => {
    const { text } = await visit(path)
    return [sheetsOf(text).at(-1), logoOf(text)?.getAttribute('src')]
  }
  const ofAccount = [accentPath('#c0392b'), `/ada/logo.png/${wide.hash}`]
  assert.deepEqual([await shown('/ada/'), await shown(PAGE)], [ofAccount, ofAccount])
  await write(tx => looks.setColour(tx, eventId, '#008800'))
  assert.deepEqual(await shown(PAGE), [accentPath('#008800'), ofAccount[1]])
  await write(tx => looks.setLogo(tx, eventId, tall))
  assert.deepEqual(await shown(PAGE), [accentPath('#008800'), `/ada/logo.png/${tall.hash}`])
  assert.deepEqual(await shown('/ada/'), ofAccount, 'the list has that of the organizer')
  await write(async tx => {
    await looks.setColour(tx, eventId, null)
    await looks.setLogo(tx, eventId, null)
  })
  assert.deepEqual(await shown(PAGE), ofAccount)
  const rows = await write(tx => tx.all('SELECT id FROM looks'))
  assert.equal(rows.length, 1, 'what has nothing of its own has no row')
})

test('a logo is at an address of its own for good, and in a square for tabs, and nothing can be run from there', async t => {
  const { visit, write } = await startStorefront(t)
  const logo = await makeLogo(pngOf(photo(80, 20)))
  await write(tx => looks.setLogo(tx, null, logo))
  const { text } = await visit(PAGE)
  const image = logoOf(text)
  assert.equal(image?.getAttribute('alt'), 'Ada Events', 'it says whose page it is')
  assert.deepEqual([image?.getAttribute('width'), image?.getAttribute('height')], ['40', '10'])
  const icons = [`/ada/logo.png/${logo.hash}`, `/ada/icon.svg/${logo.hash}`]
  assert.deepEqual(iconsOf(text), icons)
  const [png, svg] = await Promise.all(icons.map(path => visit(path)))
  assert.deepEqual(png?.bytes, Buffer.from(logo.content, 'base64'))
  assert.equal(png?.headers['content-type'], 'image/png')
  assert.equal(svg?.headers['content-type'], 'image/svg+xml')
  assert.match(svg?.text ?? '', /^<svg [^>]*viewBox="0 0 64 64">.*href="data:image\/png;base64,/)
  for (const answer of [png, svg]) {
    assert.match(String(answer?.headers['cache-control']), /immutable/)
    assert.match(String(answer?.headers['content-security-policy']), /^default-src 'none'.*sandbox/)
    assert.equal(answer?.headers['x-content-type-options'], 'nosniff')
  }
})

test('a photo as a logo is shown by a lighter file, and mails and documents keep its own', async t => {
  const { visit, write } = await startStorefront(t)
  const [heavy, small] = [await makeLogo(pngOf(photo(480, 144))), await makeLogo(pngOf(photo(80, 20)))]
  await write(tx => looks.setLogo(tx, null, heavy))
  const { text } = await visit(PAGE)
  const address = `/ada/logo.webp/${heavy.hash}`
  assert.deepEqual(iconsOf(text), [address, `/ada/icon.svg/${heavy.hash}`])
  assert.deepEqual(
    ['src', 'width', 'height'].map(name => logoOf(text)?.getAttribute(name)),
    [address, '240', '72'],
  )
  const [page, icon, own] = await Promise.all(
    [address, `/ada/icon.svg/${heavy.hash}`, `/ada/logo.png/${heavy.hash}`].map(path => visit(path)),
  )
  const light = Buffer.from(heavy.pageContent ?? '', 'base64')
  assert.deepEqual([page?.headers['content-type'], page?.bytes], ['image/webp', light])
  assert.match(String(page?.headers['cache-control']), /immutable/)
  assert.ok(icon?.text.includes(`"data:image/webp;base64,${light.toString('base64')}"`))
  assert.deepEqual(own?.bytes, Buffer.from(heavy.content, 'base64'))
  const carried = await write(tx => looks.carry(tx, null))
  assert.deepEqual(carried.logo?.file, own?.bytes)
  // One that is light enough has no second file.
  await write(tx => looks.setLogo(tx, null, small))
  assert.equal(logoOf((await visit(PAGE)).text)?.getAttribute('src'), `/ada/logo.png/${small.hash}`)
  for (const path of [`/ada/logo.webp/${small.hash}`, `/bob/logo.webp/${heavy.hash}`])
    assert.equal((await visit(path)).status, 404, path)
})

test('a logo is found at no other address: not by another hash, and not with another organizer', async t => {
  const { visit, write } = await startStorefront(t)
  const logo = await makeLogo(pngOf(photo(80, 20)))
  await write(tx => looks.setLogo(tx, null, logo))
  for (const path of [`/ada/logo.png/${'0'.repeat(64)}`, `/bob/logo.png/${logo.hash}`, '/ada/logo.png/x'])
    assert.equal((await visit(path)).status, 404, path)
  await write(tx => looks.setLogo(tx, null, null))
  assert.equal(logoOf((await visit(PAGE)).text), null)
})
