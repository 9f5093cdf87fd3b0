import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const FONTS = resolve('node_modules/@expo-google-fonts')
const FAMILY = 'Noto Sans'
/** The weights that most machines have of a font; a text between them is drawn with the bold one, which is the wider. */
const WEIGHTS = /^(?:400Regular|700Bold)(?:_Italic)?$/
/** The names that a stylesheet uses without naming a font. */
const GENERIC = ['system-ui', 'sans-serif', 'serif', 'monospace', 'ui-monospace']

/** A browser of the tests draws Latin letters with a font of this family. */
export const fontFamily = FAMILY

/**
 * Returns the environment of a browser that has the fonts of this project's packages and no others. Text is as wide on one machine
 * as on another, so that a test which measures boxes has one answer.
 *
 * Browsers on Linux find their fonts by Fontconfig, which reads it. On other systems it has no effect.
 */
export function fontEnvironment(): Record<string, string> {
  const folder = resolve('dist/test-fonts')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'fonts.conf')
  // Test files run side by side: a browser that starts meanwhile must never read half a file.
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, describeFonts(join(folder, 'cache')))
  renameSync(draft, file)
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  return { ...Object.fromEntries(inherited), FONTCONFIG_FILE: file }
}

function describeFonts(cache: string): string {
  const folders = readdirSync(FONTS).flatMap(name =>
    readdirSync(join(FONTS, name))
      .filter(weight => WEIGHTS.test(weight))
      .map(weight => `  <dir>${join(FONTS, name, weight)}</dir>\n`),
  )
  const use = (mode: string) => `<edit name="family" mode="${mode}"><string>${FAMILY}</string></edit>`
  const rules = [
    ...GENERIC.map(name => `<test name="family"><string>${name}</string></test>${use('assign')}`),
    // A name that no rule knows gets the same family: without it Fontconfig would take any font, such as the Hebrew one.
    use('append_last'),
  ].map(rule => `  <match target="pattern">${rule}</match>\n`)
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
${folders.join('')}  <cachedir>${cache}</cachedir>
${rules.join('')}</fontconfig>
`
}
