import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Returns what axe finds on the page as it is shown, by WCAG 2.2 AA and good practice. What axe cannot decide counts too.
 *
 * @param part a selector, where only a part of the page is to be looked at
 */
export async function findBarriers(page: Page, part = 'html'): Promise<string[]> {
  // It is as long as all that a page is made of: read once for each.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe)
  return run(page, part, ALL, 5)
}

/** Returns what axe finds of colours alone, on a page that was checked in the colours of the day. */
export async function findFaint(page: Page): Promise<string[]> {
  return run(page, 'html', { ...ALL, runOnly: ['color-contrast'] }, 1)
}

const ALL: RunOptions = {
  // The size of targets is new in WCAG 2.2, and axe leaves it out by default.
  rules: { 'target-size': { enabled: true } },
  resultTypes: ['violations', 'incomplete'],
}

/**
 * Puts what is stuck to the lower edge of the window where it stands once it is scrolled to. axe cannot decide about the text below
 * it, which readers scroll out of there; a walk by the Tab key finds stops that it covers.
 */
const UNSTUCK = `.offers form > .button, .total { position: static !important }
  .occasion > .offers { max-block-size: none !important }`

async function run(page: Page, part: string, options: RunOptions, least: number): Promise<string[]> {
  const { violations, incomplete, passes }: AxeResults = await page.evaluate(
    `(async () => {
      const unstuck = new CSSStyleSheet()
      unstuck.replaceSync(${JSON.stringify(UNSTUCK)})
      const before = document.adoptedStyleSheets
      document.adoptedStyleSheets = [...before, unstuck]
      try {
        return await axe.run(${JSON.stringify(part)}, ${JSON.stringify(options)})
      } finally {
        document.adoptedStyleSheets = before
      }
    })()`,
  )
  if (passes.length < least) throw new Error(`axe looked at ${passes.length} rules only.`)
  return [...violations, ...incomplete].flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 120)} ${failureSummary}`),
  )
}
