import { Marked } from 'marked'
import { jsxTemplate } from 'preact/jsx-runtime'
import { renderToString } from 'preact-render-to-string'
import { Breakable } from './breakable.tsx'

export interface Heading {
  id: string
  text: string
  depth: number
}

/** Returns the address of a heading on the page. */
export function toAnchor(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** Translates the Markdown of the description into HTML, with an address for each heading. */
function translate(text: string): { html: string; headings: Heading[] } {
  const headings: Heading[] = []
  const marked = new Marked({
    renderer: {
      heading({ text, depth, tokens }) {
        const heading = { id: toAnchor(text), text, depth }
        headings.push(heading)
        return `<h${depth} id="${heading.id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      codespan: ({ text }) =>
        renderToString(
          <code>
            <Breakable text={text} />
          </code>,
        ),
    },
    // The texts come from this project, but none of them needs HTML, and a description may quote some. It is text like any other.
    tokenizer: { html: () => undefined, tag: () => undefined },
  })
  return { html: marked.parse(text, { async: false }), headings }
}

/**
 * This is the one place that inserts HTML as it is. `marked` made it from this project's own texts, and escaped all HTML in them.
 */
export function Markdown({ text }: { text: string }) {
  return jsxTemplate([translate(text).html])
}

/** Returns the headings to which `Markdown` gives addresses. */
export function headingsOf(text: string): Heading[] {
  return translate(text).headings
}
