import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What axe finds on the page as it is shown, by WCAG 2.2 AA and good practice; what it cannot decide counts too.
 *
 * @param part a selector, where only a part of the page is to be looked at
 */
export async function findBarriers(page: Page, part = 'html'): Promise<string[]> {
  await page.evaluate(axe)
  // The size of targets is new in WCAG 2.2, and axe leaves it out unless it is asked for.
  const options: RunOptions = {
    rules: { 'target-size': { enabled: true } },
    resultTypes: ['violations', 'incomplete'],
  }
  const { violations, incomplete, passes }: AxeResults = await page.evaluate(
    `axe.run(${JSON.stringify(part)}, ${JSON.stringify(options)})`,
  )
  if (passes.length < 5) throw new Error(`axe looked at ${passes.length} rules only.`)
  return [...violations, ...incomplete].flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 120)} ${failureSummary}`),
  )
}
