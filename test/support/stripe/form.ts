import { invalid } from './errors.ts'

/** The values of a form: texts, and what brackets make of names. `a[]` counts from 0, as `a[0]` does. */
export type FormValue = string | FormFields
export interface FormFields {
  [name: string]: FormValue
}

const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/
const MOST_PAIRS = 2_000
const MOST_DEPTH = 8

function pathOf(name: string): string[] {
  const found = NAME.exec(name)
  if (!found?.[1]) throw invalid(`Invalid parameter name: ${name}`, name)
  const rest = [...(found[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map(part => part[1] ?? '')
  if (rest.length > MOST_DEPTH) throw invalid(`Invalid parameter name: ${name}`, name)
  return [found[1], ...rest]
}

function put(fields: FormFields, path: string[], text: string, name: string): void {
  let here = fields
  for (const [at, part] of path.entries()) {
    const key = part === '' ? String(Object.keys(here).length) : part
    if (at === path.length - 1) {
      if (here[key] !== undefined) throw invalid(`Received the parameter ${name} more than once`, name)
      here[key] = text
      return
    }
    const next = here[key]
    if (typeof next === 'string') throw invalid(`Invalid parameter name: ${name}`, name)
    here = next ?? emptyAt(here, key)
  }
}

function emptyAt(fields: FormFields, key: string): FormFields {
  const made: FormFields = Object.create(null)
  fields[key] = made
  return made
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalid('Invalid request: the parameters are not valid UTF-8 in percent-encoding.')
  }
}

/**
 * Reads application/x-www-form-urlencoded with brackets, as a body or a query has it. It is stricter than Stripe where Stripe's
 * documents are silent: a name that comes twice is refused.
 */
export function parseForm(text: string): FormFields {
  const fields: FormFields = Object.create(null)
  const pairs = text === '' ? [] : text.split('&')
  if (pairs.length > MOST_PAIRS) throw invalid('Too many parameters.')
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    if (at < 1) throw invalid(`Invalid parameter: ${pair.slice(0, 40)}`)
    const name = decode(pair.slice(0, at))
    put(fields, pathOf(name), decode(pair.slice(at + 1)), name)
  }
  return fields
}
