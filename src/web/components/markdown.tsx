import { Marked, type Tokens } from 'marked'
import { safeLink } from '../link.ts'

/**
 * Markdown that people wrote, as HTML: the one place of pages where a text becomes raw HTML. HTML in it is shown as it was typed,
 * an address that is no harmless link stays text, and a picture, which would be asked of another server, is its description.
 */
export function Markdown({ text }: { text: string }) {
  return <div class="prose" dir="auto" dangerouslySetInnerHTML={{ __html: render(text) }} />
}

const marked = new Marked({
  // Not even looked for: marked leaves what stands after a tag such as <code> without an escape.
  tokenizer: { html: () => undefined, tag: () => undefined },
  renderer: {
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
  },
})

function render(text: string): string {
  try {
    return marked.parse(text, { async: false })
  } catch (error) {
    // Thousands of quotes within each other are more than its stack holds.
    if (!(error instanceof RangeError)) throw error
    return `<pre>${escapeHtml(text)}</pre>`
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, sign => ENTITIES[sign] as string)
}
