import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as pictures from '#product/catalog/events/pictures.ts'
import * as events from '#product/catalog/events/rules.ts'
import { organization } from '#test/support/organization.ts'
import { newEvent } from '#test/support/people/organizer.ts'
import { parsePage } from '#test/support/people/page-reader.ts'
import { startStorefront } from '#test/support/people/storefront.ts'
import { decode, encode, photo, plainJpeg, pngOf } from '#test/support/picture-files.ts'
import { png } from '#test/support/pictures.ts'

const PAGE = '/ada/spring-meeting/'

async function start(t: TestContext, settings = {}) {
  const server = await startStorefront(t, organization(), { settings })
  const pageOf = async (path = PAGE) => parsePage((await server.visit(path)).text)
  const imageOf = async (path = PAGE) => (await pageOf(path)).querySelector('.cover img')
  const makeSizes = () => server.app.settled('pictures')
  return { ...server, pageOf, imageOf, makeSizes }
}

/** The addresses that a browser chooses from, by their widths. */
function choiceOf(image: Element | null): [address: string, width: number][] {
  const parts = image?.getAttribute('srcset')?.split(', ') ?? []
  return parts.map(part => {
    const [address = '', width = ''] = part.split(' ')
    return [address, Number(width.replace(/w$/, ''))]
  })
}

test('a page offers the sizes of its picture, each for good at an address of its own, as what it is', async t => {
  const { visit, setPicture, imageOf, makeSizes } = await start(t)
  const file = await encode(photo(1800, 1200), 'image/jpeg')
  await setPicture(file)
  const before = await imageOf()
  assert.deepEqual([before?.getAttribute('srcset'), before?.getAttribute('width')], [null, '1800'])
  assert.deepEqual((await visit(before?.getAttribute('src') as string)).bytes, file, 'the picture itself')

  await makeSizes()
  const image = await imageOf()
  const choice = choiceOf(image)
  assert.deepEqual(
    choice.map(([, width]) => width),
    [480, 960, 1600],
  )
  assert.deepEqual(
    ['src', 'width', 'height', 'alt', 'fetchpriority', 'loading'].map(name => image?.getAttribute(name)),
    [choice[2]?.[0], '1600', '1067', '', 'high', null],
  )
  assert.match(image?.getAttribute('sizes') ?? '', /100vw/)
  let weight = 0
  for (const [address, width] of choice) {
    assert.match(address, /^\/ada\/spring-meeting\/cover\/[0-9a-f]{64}$/)
    const { status, headers, bytes } = await visit(address)
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'image/webp')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.match(String(headers['content-security-policy']), /sandbox/)
    assert.equal((await decode(bytes, 'image/webp')).width, width)
    assert.ok(bytes.length > weight && bytes.length < file.length)
    weight = bytes.length
    const again = await visit(address, { 'if-none-match': String(headers.etag) })
    assert.deepEqual([again.status, again.bytes.length], [304, 0])
  }
  const [first] = choice
  await setPicture(png(64, 36))
  assert.equal((await visit(first?.[0] as string)).status, 404, 'with the picture its sizes are gone')
  assert.equal((await visit(`${PAGE}cover/${'0'.repeat(64)}`)).status, 404)
})

test('beside a shared address stands a JPEG of 1200 pixels, and search engines get the picture itself', async t => {
  const { visit, setPicture, pageOf, makeSizes } = await start(t, { baseUrl: 'https://tickets.example' })
  await setPicture(await encode(photo(1500, 1000), 'image/jpeg'))
  const metaOf = (page: Document, name: string) =>
    page.querySelector(`meta[property="og:image${name}"]`)?.getAttribute('content') ?? ''
  const describe = async () => {
    const page = await pageOf()
    const data = JSON.parse(page.querySelector('script[type="application/ld+json"]')?.textContent ?? '')
    return {
      address: metaOf(page, ''),
      said: [':type', ':width', ':height'].map(name => metaOf(page, name)),
      image: data.image as string[],
    }
  }
  const before = await describe()
  assert.deepEqual(before.said, ['image/jpeg', '1500', '1000'])
  assert.deepEqual(before.image, [before.address])
  await makeSizes()
  const { address, said, image } = await describe()
  assert.deepEqual(said, ['image/jpeg', '1200', '800'])
  assert.deepEqual(image, before.image)
  assert.notEqual(address, before.address)
  const { headers, bytes } = await visit(address.replace('https://tickets.example', ''))
  assert.equal(headers['content-type'], 'image/jpeg')
  const { width, height } = await decode(bytes, 'image/jpeg')
  assert.deepEqual([width, height], [1200, 800])
})

test('a list offers sizes too, and leaves the pictures that are far down for later', async t => {
  const { apply, write, eventId, pageOf, makeSizes } = await start(t)
  // With a second organizer, the address of the server has a list of all events.
  await apply(organization({ email: 'bob@example.org' }))
  const file = pngOf(photo(600, 300))
  await write(async tx => {
    await pictures.put(tx, eventId, pictures.examine(file))
    for (let day = 1; day <= 4; day++) {
      const event = await events.create(
        tx,
        newEvent({ title: `Day ${day}`, starts_at: Date.UTC(2026, 11, day) }),
      )
      await tx.run("UPDATE events SET status = 'published' WHERE id = $1", [event.id])
      if (day < 4) await pictures.put(tx, event.id, pictures.examine(file))
    }
  })
  await makeSizes()
  for (const path of ['/ada/', '/']) {
    const page = await pageOf(path)
    const images = [...page.querySelectorAll('.occasions .cover img')]
    assert.deepEqual(
      images.map(image => choiceOf(image).map(([, width]) => width)),
      Array.from({ length: 4 }, () => [480, 600]),
    )
    assert.deepEqual(
      images.map(image => ['fetchpriority', 'loading'].map(name => image.getAttribute(name))),
      [
        ['high', null],
        [null, null],
        [null, null],
        [null, 'lazy'],
      ],
    )
    assert.equal(new Set(images.map(image => image.getAttribute('src')?.split('/')[2])).size, 4)
    assert.equal(page.querySelectorAll('.occasions .cover.none').length, 1)
  }
})

test('a picture that cannot be decoded is shown as it is, as it always was', async t => {
  const { visit, setPicture, imageOf, makeSizes } = await start(t)
  const file = plainJpeg({ width: 64, height: 48, components: 4 })
  await setPicture(file)
  await makeSizes()
  const image = await imageOf()
  assert.deepEqual(
    ['srcset', 'sizes', 'width', 'height'].map(name => image?.getAttribute(name)),
    [null, null, '64', '48'],
  )
  assert.deepEqual((await visit(image?.getAttribute('src') as string)).bytes, file)
})

test('sizes of an event that not everybody may see are shown to whom its page is, and kept by nobody', async t => {
  const { visit, setPicture, setStatus, imageOf, makeSizes, member } = await start(t)
  await setPicture(pngOf(photo(600, 300)))
  await makeSizes()
  const choice = choiceOf(await imageOf())
  await setStatus('draft')
  const cookie = `session=${(await member('door')).cookies.get('session')}`
  for (const [address] of choice) {
    assert.equal((await visit(address)).status, 404)
    const { status, headers } = await visit(address, { cookie })
    assert.deepEqual([status, headers['cache-control'], headers.etag], [200, 'no-store', undefined])
  }
})
