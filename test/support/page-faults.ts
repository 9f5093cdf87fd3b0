import type { Page } from 'playwright-core'
import { findBarriers, findFaint } from './axe.ts'

/** Returns the faults of a page as it stands, on a phone and on a desktop, in the colours of day and night. */
export async function faultsOf(page: Page, name: string): Promise<string[]> {
  const wrong: string[] = []
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
    const [scrolls, ...out] = (await page.evaluate('findOverflow()')) as string[]
    if (scrolls !== `scrolls to ${width}`) wrong.push(`${scrolls} ${out.slice(-2).join(' ')}`)
    wrong.push(...(await findBarriers(page)))
    await page.emulateMedia({ colorScheme: 'dark' })
    wrong.push(...(await findFaint(page)))
  }
  return wrong.map(each => `${name}: ${each}`)
}
