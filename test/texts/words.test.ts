import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textsIn } from '#texts/catalogue.ts'
import { type Language, languages } from '#texts/languages.ts'

/** The dashboard no longer uses these words, in each language. */
const OLD: Readonly<Record<Language, readonly RegExp[]>> = {
  en: [
    /^(Leave it|Leave it out|Do it|Go on|Begin|Begins)$/,
    /^Go (in as|on to) /,
    /^(Say when it begins|Choose the address of your organization|Say who sells\b.*)$/,
    /^(Ours|Yours|Back to our text.*|What was sent|What is filled in|Delete your text)$/,
    /^(It works|Works|Works later|Works until|Over)$/,
    /^(How many there are|For how many tickets.*|Worth|Came from|Charged)$/,
    /^(Who may find it|Whoever has (the link|a code)|Everybody: it is listed)$/,
    /All that the account has set up|By bank transfer alone/,
    /^(What becomes of the orders\?|What became of it|How far it is)$/,
    /\bis now: |\bare now: |^Sign in first\.$/,
    /\b(Make|Made) .*anonymous|\bsecond step\b|\bslip of the pen\b/i,
    /^Its log$|may be empty/,
  ],
  es: [
    /^(Dejarlo|Hacerlo|Empezar|Seguir|Anonimizar…?)$/,
    /^Entrar como /,
    /^(Di cuándo empieza|Elige la dirección de tu organización|Di quién vende\b.*)$/,
    /^(Nuestro|Tuyo|Volver a nuestro texto.*|Lo enviado|Lo que se rellena|Borrar tu texto)$/,
    /^(Funciona|Sirve|Sirve hasta|Funcionará más tarde)$/,
    /^(Cuántas hay|Para cuántas entradas.*|Cobrado)$/,
    /^(Quién puede encontrarlo|Quien tenga (el enlace|un código)|Todo el mundo: está en la lista)$/,
    /Con todo lo que la cuenta tenga configurado/,
    /^(Qué ha sido de él|Qué pasó con ella|Hasta dónde ha llegado)$/,
    /está ahora: |están ahora: |^Primero inicia sesión\.$/,
    /segundo paso|¿Anonimizar/i,
    /\bresumen\b|^Su registro$|puede quedar vacío/i,
  ],
}

/** The public pages, whose labels and buttons stay. */
const PUBLIC: ReadonlySet<string> = new Set(['storefront', 'checkout', 'payment', 'trust', 'unsubscribe'])

/** Yields each text of a catalogue with its path. A text with parts is called with parts that show where they stand. */
function* textsOf(value: unknown, path: string): Iterable<[string, string]> {
  if (typeof value === 'string') yield [path, value]
  else if (typeof value === 'function') {
    const written = tryCalls(value as (...parts: unknown[]) => unknown)
    if (written !== undefined) yield [path, written]
  } else if (typeof value === 'object' && value !== null)
    for (const [name, part] of Object.entries(value))
      yield* textsOf(part, path === '' ? name : `${path}.${name}`)
}

/** Calls a text with every kind of parts: a text, a number, or an object with any of both. */
function tryCalls(text: (...parts: unknown[]) => unknown): string | undefined {
  const any: unknown = new Proxy({}, { get: (_, name) => (name === 'count' ? 2 : String(name)) })
  for (const part of [any, 2, 'x']) {
    try {
      const written = text(part, part, part, part)
      if (typeof written === 'string') return written
    } catch {
      // This text takes parts of another kind.
    }
  }
  return undefined
}

for (const language of languages) {
  test(`no text in ${language} says an old word of the dashboard`, () => {
    const found = [...textsOf(textsIn(language), '')]
    assert.ok(found.length > 1_500, String(found.length))
    const old = found.filter(
      ([path, text]) =>
        !PUBLIC.has(path.split('.')[0] as string) && OLD[language].some(pattern => pattern.test(text)),
    )
    assert.deepEqual(old, [])
  })

  test(`no text in ${language} shows a key of the program`, () => {
    const found = [...textsOf(textsIn(language), '')]
    const isKey = (text: string) => /^[a-z]+(_[a-z]+)+$|^[a-z]+\.[a-z_]+$/.test(text)
    assert.deepEqual(
      found.filter(([, text]) => isKey(text)),
      [],
    )
  })
}
