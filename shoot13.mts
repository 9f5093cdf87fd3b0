// node --import tsx shoot.mts <data> <path> <name> [...]: signs in by the sandbox's link, shoots pages
import { chromium } from 'playwright-core'
const [base, link, ...rest] = process.argv.slice(2)
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
const ctx = await b.newContext({ viewport: { width: 1280, height: 900 } })
const p = await ctx.newPage()
p.on('console', m => console.log('console', m.text())); p.on('pageerror', e => console.log('error', e.message))
if (link !== '-') { await p.goto(link!); await p.click('button.main'); await p.waitForLoadState() ; console.log(p.url()) }
await ctx.storageState({ path: '/tmp/state.json' })
for (const spec of rest) {
  const [path, name, width = '1280', scheme = 'light'] = spec.split('@')
  await p.setViewportSize({ width: Number(width), height: 900 })
  await p.emulateMedia({ colorScheme: scheme as 'light' })
  await p.goto(path!.startsWith('http') ? path! : base + path!)
  await p.screenshot({ path: `/tmp/shots13/${name}.png`, fullPage: true })
  console.log(name, p.url(), await p.title())
}
await b.close()
