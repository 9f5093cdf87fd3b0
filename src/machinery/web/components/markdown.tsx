import { Marked, type RendererObject, type TokenizerObject, type Tokens } from 'marked'
import { safeLink } from '../link.ts'
import { Effort, isTooMuch, TooMuch } from './markdown-effort.ts'
import { textRenderer } from './markdown-text.ts'

/**
 * Markdown that people wrote, as HTML: the one place of pages where a text becomes raw HTML. HTML in it is shown as it was typed,
 * an address that is no harmless link stays text, and a picture, which would be asked of another server, is its description.
 */
export function Markdown({ text }: { text: string }) {
  return <div class="prose" dir="auto" dangerouslySetInnerHTML={{ __html: render(text) }} />
}

const PLACEHOLDER = /\{([a-z_]+)\}/g

/** A text with its placeholders, `{name}`, filled in; a name that stands for nothing stays as it is. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(PLACEHOLDER, (all, name: string) => values[name] ?? all)
}

/** The names of the placeholders in a text, each once. */
export function placeholdersIn(template: string): string[] {
  return [...new Set([...template.matchAll(PLACEHOLDER)].map(([, name]) => name as string))]
}

type Values = Readonly<Record<string, string>>

const isLink = (name: string) => name === 'link' || name.endsWith('_link')

/** The values that are, or are no, addresses of the server. */
function valuesOf(values: Values, areLinks: boolean): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => isLink(name) === areLinks))
}

/** A text without the lines of placeholders that all stand for nothing. */
function withoutEmpty(text: string, values: Values): string {
  const isEmpty = (line: string) => line.trim() !== '' && fill(line, values).trim() === ''
  return text
    .split('\n')
    .filter(line => !isEmpty(line))
    .join('\n')
}

/**
 * Markdown with placeholders, each line of which stays one. What people wrote is filled into the HTML, so that nothing in a name
 * becomes a link or a heading; addresses of the server, as `{link}` and `{…_link}`, are filled in before, so that they do become links.
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

/** What `FilledMarkdown` says, as plain text: without signs of emphasis, lists as lists, links with their address. */
export function filledText(text: string, values: Values): string {
  const known = fill(withoutEmpty(text, values), valuesOf(values, true))
  const plain = parse(known, { renderer: textRenderer, breaks: true }) ?? known
  return fill(plain.replace(/\n{3,}/g, '\n\n').trim(), valuesOf(values, false))
}

/** What it says, without its signs: at most `most` characters, in one line. */
export function plainText(text: string, most: number): string {
  const tagless = render(text.slice(0, 20 * most)).replace(/<[^>]*>/g, ' ')
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
  // They stand below a heading of the page, and none is left out.
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

/** Each says what it is about to look at, and leaves the rest to marked. */
const tokenizerWithin = (effort: Effort): TokenizerObject => ({
  // Not even looked for: marked leaves what stands after a tag such as <code> without an escape.
  html: () => undefined,
  tag: () => undefined,
  // The first that is tried of every block, and the first of every piece of a line.
  space: () => effort.block(),
  escape: rest => effort.piece(rest),
  blockquote: rest => effort.container(rest),
  list: rest => effort.container(rest),
  emStrong: (rest, line) => effort.emphasis(rest, line),
})

function render(text: string, options: Pick<Rendering, 'breaks'> = {}): string {
  return parse(text, { renderer, ...options }) ?? `<pre>${escapeHtml(text)}</pre>`
}

interface Rendering {
  renderer: RendererObject
  /** Whether each line of a paragraph stays one, as people expect of mail. */
  breaks?: boolean
}

/** @returns undefined for a text that would take too long */
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
