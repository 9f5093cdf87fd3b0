import { Marked } from 'marked'
import { breakable, Html, html } from './html.ts'

export interface Heading {
  id: string
  text: string
  depth: number
}

/** A heading's address on the page. */
export function toAnchor(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/**
 * Markdown of the description as HTML, with an address for each heading.
 *
 * @param depth how much deeper its headings stand on the page
 */
export function renderMarkdown(text: string, depth = 0): { content: Html; headings: Heading[] } {
  const headings: Heading[] = []
  const marked = new Marked({
    renderer: {
      heading(token) {
        const heading = { id: toAnchor(token.text), text: token.text, depth: token.depth + depth }
        headings.push(heading)
        const level = new Html(`h${heading.depth}`)
        return html`<${level} id="${heading.id}">${new Html(this.parser.parseInline(token.tokens))}</${level}>\n`
          .text
      },
      codespan: token => html`<code>${breakable(token.text)}</code>`.text,
      // The texts are our own, but nothing in them needs HTML, and a description may quote some.
      html: token => html`${token.text}`.text,
    },
  })
  return { content: new Html(marked.parse(text, { async: false })), headings }
}
