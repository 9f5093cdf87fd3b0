import type { RendererObject } from 'marked'
import { safeLink } from '../link.ts'

const BLANK = '\n\n'
const RULE = '-'.repeat(20)

/**
 * Makes plain text of Markdown, for people who read mail without HTML. No sign of emphasis is left, and a link has its address
 * behind it. Each block ends with an empty line.
 */
export const textRenderer: RendererObject = {
  text(token) {
    // In a list whose lines are close together, this token is a block.
    if ('tokens' in token && token.tokens !== undefined) return `${this.parser.parseInline(token.tokens)}\n`
    return decode(token.text)
  },
  html: ({ text }) => text,
  paragraph({ tokens }) {
    return this.parser.parseInline(tokens) + BLANK
  },
  heading({ tokens }) {
    return this.parser.parseInline(tokens) + BLANK
  },
  space: () => '',
  hr: () => RULE + BLANK,
  code: ({ text }) => text + BLANK,
  blockquote({ tokens }) {
    const lines = this.parser.parse(tokens).trimEnd().split('\n')
    return lines.map(line => `> ${line}`.trimEnd()).join('\n') + BLANK
  },
  list({ items, ordered, start, loose }) {
    const first = start === '' ? 1 : start
    const all = items.map((item, at) => {
      const sign = ordered ? `${first + at}. ` : '- '
      const [line, ...rest] = this.parser.parse(item.tokens).trimEnd().split('\n')
      return [sign + line, ...rest.map(each => (each === '' ? '' : ' '.repeat(sign.length) + each))].join(
        '\n',
      )
    })
    return all.join(loose ? BLANK : '\n') + BLANK
  },
  checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  table({ header, rows }) {
    const line = (cells: typeof header) =>
      cells.map(({ tokens }) => this.parser.parseInline(tokens)).join(' | ')
    return [header, ...rows].map(line).join('\n') + BLANK
  },
  strong({ tokens }) {
    return this.parser.parseInline(tokens)
  },
  em({ tokens }) {
    return this.parser.parseInline(tokens)
  },
  del({ tokens }) {
    return this.parser.parseInline(tokens)
  },
  codespan: ({ text }) => text,
  br: () => '\n',
  link({ href, tokens }) {
    const inner = this.parser.parseInline(tokens)
    const address = safeLink(href)
    if (address === undefined || [inner, `mailto:${inner}`].includes(href)) return inner
    return `${inner}: ${address.replace(/^mailto:/, '')}`
  },
  image: ({ text }) => text,
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&nbsp;': ' ' },
}

/** Decodes an entity that somebody typed, as pages show it. */
function decode(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, entity => ENTITIES[entity] as string)
}
