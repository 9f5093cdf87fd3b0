import type { Page } from 'playwright-core'

const tab = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 }

/**
 * Goes on from an element by the Tab key until the stops come round, in low windows: each is seen whole, with its ring.
 *
 * @param from a selector; an element that is a stop is looked at too
 */
export async function walkByTab(page: Page, from: string, widths = [390, 1280]): Promise<string[]> {
  const wrong: string[] = []
  // A press waits for nobody here: the page looks at each stop by itself.
  const keyboard = await page.context().newCDPSession(page)
  for (const width of widths) {
    await page.setViewportSize({ width, height: 640 })
    let found: string[] | undefined
    for (let left = (await page.evaluate(`beginWalk('${from}')`)) as number; !found; left = 4) {
      const presses = Array.from({ length: left }, () => ['rawKeyDown', 'keyUp'] as const).flat()
      await Promise.all(presses.map(type => keyboard.send('Input.dispatchKeyEvent', { type, ...tab })))
      found = (await page.evaluate('endWalk()')) as string[] | undefined
    }
    wrong.push(...found.map(fault => `by Tab at ${width}: ${fault}`))
  }
  await keyboard.detach()
  return wrong
}
