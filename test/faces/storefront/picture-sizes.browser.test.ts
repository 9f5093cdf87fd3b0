import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { makeSizes } from '#machinery/pictures/make-sizes.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { startStorefront } from '#test/support/people/storefront.ts'
import {
  blue,
  encode,
  green,
  held,
  intoJpeg,
  photo,
  profileOf,
  quarters,
  red,
  white,
} from '#test/support/picture-files.ts'

after(closeBrowser)

/** The width of the file that the picture of the page is shown of, and how many bytes came of pictures. */
async function loaded(page: Page): Promise<{ width: number; bytes: number }> {
  return page.evaluate(async () => {
    const image = document.querySelector('.cover img') as HTMLImageElement
    await image.decode()
    const bitmap = await createImageBitmap(await (await fetch(image.currentSrc)).blob())
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const bytes = entries
      .filter(({ name, initiatorType }) => initiatorType === 'img' && name.includes('/cover/'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
    return { width: bitmap.width, bytes }
  })
}

test('a phone loads the size that fits it, which is a small part of the picture', async t => {
  const { app, setPicture } = await startStorefront(t)
  const file = await encode(photo(2400, 1600), 'image/jpeg')
  await setPicture(file)
  const look = async (path: string, width: number, deviceScaleFactor: number) => {
    const options = { viewport: { width, height: 800 }, deviceScaleFactor, bypassCSP: true }
    const { page } = await openPage(t, app.siteUrl + path, options)
    const found = await loaded(page)
    await page.close()
    return found
  }
  const paths = ['/ada/spring-meeting/', '/ada/']
  for (const path of paths) {
    const { width, bytes } = await look(path, 390, 1)
    assert.deepEqual([width, bytes], [2400, file.length], 'before there are sizes')
  }
  await app.settled('pictures')
  for (const path of paths) {
    const phone = await look(path, 390, 1)
    assert.equal(phone.width, 480)
    assert.ok(phone.bytes > 0 && phone.bytes < file.length / 10, `${phone.bytes} of ${file.length} bytes`)
    t.diagnostic(`${path} at 390: ${phone.bytes} of ${file.length} bytes`)
    assert.equal((await look(path, 390, 2)).width, 960, 'of fine pixels it takes more')
    assert.equal((await look(path, 320, 1)).width, 480)
  }
  const desktop = await look('/ada/spring-meeting/', 1280, 1)
  assert.equal(desktop.width, 1600)
  assert.ok(desktop.bytes < file.length)
})

/** The colours of the four quarters as the browser shows a file, each as the channel that is the greatest, or `white`. */
function shownIn(page: Page, type: string, file: Uint8Array): Promise<string> {
  return page.evaluate(
    async src => {
      const image = new Image()
      image.src = src
      await image.decode()
      const { naturalWidth: width, naturalHeight: height } = image
      const canvas = Object.assign(document.createElement('canvas'), { width, height })
      const context = canvas.getContext('2d') as CanvasRenderingContext2D
      context.drawImage(image, 0, 0)
      const names = [0.25, 0.75].flatMap(y =>
        [0.25, 0.75].map(x => {
          const [r = 0, g = 0, b = 0] = context.getImageData(width * x, height * y, 1, 1).data
          if (Math.min(r, g, b) > 200) return 'white'
          return ['red', 'green', 'blue'][[r, g, b].indexOf(Math.max(r, g, b))]
        }),
      )
      return `${width > height ? 'wide' : 'high'} ${names.join(' ')}`
    },
    `data:${type};base64,${Buffer.from(file).toString('base64')}`,
  )
}

test('a browser shows each size the same way up as the picture, also with a profile of its colours', async t => {
  const { page } = await openPage(t, 'about:blank')
  const upright = await encode(quarters(96, 64, [red, green, blue, white]), 'image/jpeg')
  const profile = Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), profileOf('Display P3')])
  const seen = new Set<string>()
  for (let orientation = 1; orientation <= 8; orientation++) {
    const file = held(orientation % 2 === 0 ? upright : intoJpeg(upright, 0xe2, profile), orientation)
    const [width, height] = orientation < 5 ? [48, 32] : [32, 48]
    const sizes = (['image/webp', 'image/jpeg'] as const).map(type => ({ width, height, type }))
    const task = { file, type: 'image/jpeg', width: 96, height: 64, orientation, sizes } as const
    const shown = await shownIn(page, 'image/jpeg', file)
    seen.add(shown)
    for (const size of await makeSizes(task))
      assert.equal(await shownIn(page, size.type, size.file), shown, `${orientation} as ${size.type}`)
  }
  assert.equal(seen.size, 8)
})
