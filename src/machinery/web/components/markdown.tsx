import { Marked, type RendererObject, type TokenizerObject, type Tokens } from 'marked'
import { safeLink } from '../link.ts'
import { Effort, isTooMuch, TooMuch } from './markdown-effort.ts'
import { textRenderer } from './markdown-text.ts'

/**
 * Shows Markdown that people wrote, as HTML. This is the only place of pages where a text becomes raw HTML. HTML in it is shown
 * as it was typed. An address that is not a harmless link stays text. A picture would be requested from another server, so its
 * description is shown.
 */
export function Markdown({ text, ...shape }: { text: string } & Shape) {
  return <div class="prose" dir="auto" dangerouslySetInnerHTML={{ __html: renderKept(text, shape) }} />
}

interface Shape {
  /** The level of its headings, one below that of the heading which it stands under. The default is 3. */
  level?: 2 | 3
  /** True if each line stays a line, as in an address. */
  hasLines?: boolean
}

/** A text of this many characters takes long enough to render that its HTML is kept. */
const LONG = 2_000
/** The most texts that are kept. The one that was rendered longest ago leaves first. */
const KEPT = 20
const kept = new Map<string, string>()

/** Renders a text. The forms of an order, which are made anew for each visitor, may all have the same long terms. */
function renderKept(text: string, { level = 3, hasLines = false }: Shape): string {
  const options = { renderer: level === 3 ? renderer : rendererOfPage, breaks: hasLines }
  if (text.length < LONG) return render(text, options)
  const key = `${level} ${hasLines} ${text}`
  const cached = kept.get(key)
  if (cached !== undefined) return cached
  const html = render(text, options)
  kept.set(key, html)
  if (kept.size > KEPT) kept.delete(kept.keys().next().value as string)
  return html
}

/** Returns how many bytes of HTML `Markdown` makes of a text. */
export function renderedLength(text: string): number {
  return Buffer.byteLength(renderKept(text, {}))
}

const PLACEHOLDER = /\{([a-z_]+)\}/g

/** Fills in the placeholders of a text, `{name}`. A name without a value stays as it is. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(PLACEHOLDER, (all, name: string) => values[name] ?? all)
}

/** Returns the distinct names of the placeholders in a text. */
export function placeholdersIn(template: string): string[] {
  return [...new Set([...template.matchAll(PLACEHOLDER)].map(([, name]) => name as string))]
}

type Values = Readonly<Record<string, string>>

const isLink = (name: string) => name === 'link' || name === 'ticket' || name.endsWith('_link')

/** Returns the values that are addresses of the server, or those that are not. */
function valuesOf(values: Values, areLinks: boolean): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => isLink(name) === areLinks))
}

/** Returns a text without the lines whose placeholders are all empty. */
function withoutEmpty(text: string, values: Values): string {
  const isEmpty = (line: string) => line.trim() !== '' && fill(line, values).trim() === ''
  return text
    .split('\n')
    .filter(line => !isEmpty(line))
    .join('\n')
}

/**
 * Shows Markdown with placeholders. Each line of it stays a line. Texts of people are filled into the HTML, so that nothing in a
 * name becomes a link or a heading. Addresses of the server, `{link}`, `{ticket}` and `{…_link}`, are filled in before, so that they become
 * links.
 */
export function FilledMarkdown({ text, values }: { text: string; values: Values }) {
  const html = render(fill(withoutEmpty(text, values), valuesOf(values, true)), { breaks: true })
  const rest = Object.entries(valuesOf(values, false)).map(([name, value]) => [name, escapeLines(value)])
  return (
    <div
      class="prose"
      dir="auto"
      dangerouslySetInnerHTML={{ __html: fill(html, Object.fromEntries(rest)) }}
    />
  )
}

/** Returns the same content as plain text: without signs of emphasis, lists as lists, links with their address. */
export function filledText(text: string, values: Values): string {
  const filled = fill(withoutEmpty(text, values), valuesOf(values, true))
  const plain = parse(filled, { renderer: textRenderer, breaks: true }) ?? filled
  return fill(plain.replace(/\n{3,}/g, '\n\n').trim(), valuesOf(values, false))
}

/** Returns the content of a text without its signs, in one line of at most `most` characters. */
export function plainText(text: string, most: number): string {
  const shown = render(text.slice(0, 20 * most)).replace(/<\/?(?:a|code|del|em|strong)\b[^>]*>/g, '')
  const tagless = shown.replace(/<[^>]*>/g, ' ')
  const plain = tagless.replace(/&(?:amp|lt|gt|quot|#39);/g, entity => SIGNS.get(entity) as string)
  const words = [...plain.replace(/\s+/g, ' ').trim()]
  return words.length > most
    ? `${words
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
    : words.join('')
}

const renderer: RendererObject = {
  html: ({ text }) => escapeHtml(text),
  // Headings of a text are below a heading of the page, and no level may be skipped.
  heading({ tokens }) {
    return `<h3>${this.parser.parseInline(tokens)}</h3>\n`
  },
  link({ href, tokens }) {
    const inner = this.parser.parseInline(tokens)
    const address = safeLink(href)
    if (address === undefined) return inner
    return `<a href="${escapeHtml(address)}" rel="noopener noreferrer nofollow">${inner}</a>`
  },
  image: ({ text }) => escapeHtml(text),
  code: ({ text }: Tokens.Code) => `<pre>${escapeHtml(text)}</pre>\n`,
  checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
}

/** Renders a text that is a whole page, so that its headings come next to the page's own. */
const rendererOfPage: RendererObject = {
  ...renderer,
  heading({ tokens }) {
    return `<h2>${this.parser.parseInline(tokens)}</h2>\n`
  },
}

/** Returns a tokenizer whose methods count the text that they are about to look at, and leave the rest to marked. */
const tokenizerWithin = (effort: Effort): TokenizerObject => ({
  // HTML is not even looked for, because marked does not escape the text after a tag such as <code>.
  html: () => undefined,
  tag: () => undefined,
  // marked tries these two first for every block and for every piece of a line.
  space: () => effort.block(),
  escape: rest => effort.piece(rest),
  blockquote: rest => effort.container(rest),
  list: rest => effort.container(rest),
  emStrong: (rest, line) => effort.emphasis(rest, line),
})

function render(text: string, options: Partial<Rendering> = {}): string {
  return parse(text, { renderer, ...options }) ?? `<pre>${escapeHtml(text)}</pre>`
}

interface Rendering {
  renderer: RendererObject
  /** True if each line of a paragraph stays a line, as people expect of mail. */
  breaks?: boolean
}

/** Parses a text. @returns undefined if it would take too long */
function parse(text: string, { renderer, breaks = false }: Rendering): string | undefined {
  if (isTooMuch(text)) return undefined
  try {
    return new Marked({ tokenizer: tokenizerWithin(new Effort()), renderer, breaks }).parse(text, {
      async: false,
    })
  } catch (error) {
    if (!(error instanceof TooMuch || error instanceof RangeError)) throw error
    return undefined
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const SIGNS = new Map(Object.entries(ENTITIES).map(([sign, entity]) => [entity, sign]))

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, sign => ENTITIES[sign] as string)
}

function escapeLines(text: string): string {
  return escapeHtml(text.trim()).replace(/\r?\n/g, '<br>')
}
