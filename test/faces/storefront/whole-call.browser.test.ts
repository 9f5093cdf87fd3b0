import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { keyboardOf } from '#test/support/keyboard-walk.ts'
import { otherBrowsers, walkInOne } from '#test/support/other-browsers.ts'
import { startCall, walkThroughCall } from '#test/support/people/call-walk.ts'

after(closeBrowser)

const WAY = 'an abstract goes the whole way from its author to the public programme, by keyboard alone'

for (const { width, language, javaScriptEnabled } of [
  { width: 390, language: 'en', javaScriptEnabled: false },
  { width: 390, language: 'es', javaScriptEnabled: true },
  { width: 1280, language: 'en', javaScriptEnabled: true },
  { width: 1280, language: 'es', javaScriptEnabled: false },
] as const) {
  const how = `at ${width} pixels, ${javaScriptEnabled ? 'with' : 'without'} JavaScript, in ${language}`
  test(`${WAY}, ${how}`, { timeout: 240_000 }, async t => {
    const place = await startCall(t)
    const { app } = place
    const window = { viewport: { width, height: 800 }, javaScriptEnabled }
    const { page, requests, messages } = await openPage(t, app.siteUrl, window)
    await walkThroughCall(place, keyboardOf(page), language)
    assert.deepEqual(
      requests.filter(address => !address.startsWith(app.siteUrl) && !address.startsWith('data:')),
      [],
    )
    // Chromium says of each page that was refused that it was, as of the one that asks to sign in.
    assert.deepEqual(
      messages.filter(message => !/status of (401|404)/.test(message)),
      [],
    )
  })
}

for (const [name, missing, open] of otherBrowsers) {
  const skip = missing ? `there is no ${name}` : false
  test(`${WAY}, in ${name}`, { skip, timeout: 300_000 }, async t => {
    await walkInOne(open, async browser => {
      // Whoever begins once more finds nothing of the first time.
      const place = await startCall(t)
      await walkThroughCall(place, await browser.becomePhone(), 'en')
    })
  })
}
