/** A piece of HTML that may be put into another as it is. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Content = Html | string | number | undefined | readonly Content[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** HTML from a template: what is put in is escaped, unless it is HTML itself; nothing comes of undefined. */
export function html(template: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(String.raw({ raw: template }, ...contents.map(toText)))
}

function toText(content: Content): string {
  if (content === undefined) return ''
  if (content instanceof Html) return content.text
  if (typeof content === 'object') return content.map(toText).join('')
  return String(content).replace(/[&<>"']/g, sign => ENTITIES[sign] as string)
}

/** Lets a long path or code go on in the next line where a person would break it; the text stays the same. */
export function breakable(text: string): Html {
  return html`${text.split(/(?<=[/_])/).map((part, at) => (at === 0 ? part : html`<wbr>${part}`))}`
}
