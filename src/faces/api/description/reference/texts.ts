import { readdirSync, readFileSync } from 'node:fs'

declare const REFERENCE_TEXTS: string | undefined

/**
 * The texts of the reference, by file name. The bundle carries them as a constant in JSON. The sources read them from the folder
 * `texts`.
 */
const texts: Record<string, string> =
  typeof REFERENCE_TEXTS === 'string'
    ? JSON.parse(REFERENCE_TEXTS)
    : readTexts(new URL('./texts/', import.meta.url))

function readTexts(folder: URL): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map(name => [name, readFileSync(new URL(name, folder), 'utf8')]),
  )
}

/**
 * Returns the text of a file in `texts/`, with each `{{name}}` in it replaced by its value.
 *
 * @throws Error if the file or a name does not exist
 */
export function readText(file: string, values: Readonly<Record<string, string>> = {}): string {
  const text = texts[file]
  if (text === undefined) throw new Error(`There is no text ${file}.`)
  return text.replace(/\{\{([\w.]+)\}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${file} asks for ${name}.`)
    return value
  })
}
