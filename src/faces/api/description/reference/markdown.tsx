import { Marked } from 'marked'
import { jsxTemplate } from 'preact/jsx-runtime'
import { renderToString } from 'preact-render-to-string'
import { Breakable } from './breakable.tsx'

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

/** Markdown of the description as HTML, with an address for each heading. */
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
    // The texts are our own, but nothing in them needs HTML, and a description may quote some: it is text like any other.
    tokenizer: { html: () => undefined, tag: () => undefined },
  })
  return { html: marked.parse(text, { async: false }), headings }
}

/** The one place where HTML is put in as it is: what `marked` made of our own texts, with all of theirs escaped. */
export function Markdown({ text }: { text: string }) {
  return jsxTemplate([translate(text).html])
}

/** What `Markdown` puts addresses at. */
export function headingsOf(text: string): Heading[] {
  return translate(text).headings
}
