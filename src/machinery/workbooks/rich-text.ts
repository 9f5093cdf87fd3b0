import { MAX_LINE } from '#machinery/tables/lines.ts'
import { unreadable } from './unreadable.ts'

/** Puts together the text of a cell from its runs, without the readings that Japanese texts have beside them. */
export class RichText {
  #text = ''
  #isText = false
  #readings = 0

  begin(): void {
    this.#text = ''
    this.#isText = false
    this.#readings = 0
  }

  open(name: string): void {
    if (name === 'rPh') this.#readings++
    if (name === 't') this.#isText = true
  }

  close(name: string): void {
    if (name === 'rPh') this.#readings--
    if (name === 't') this.#isText = false
  }

  /** @throws Problem invalid_parameter for `file` for a text that is longer than a line may be */
  add(text: string): void {
    if (!this.#isText || this.#readings > 0) return
    this.#text += text
    if (this.#text.length > MAX_LINE) throw unreadable()
  }

  end(): string {
    return unescaped(this.#text)
  }
}

/** Returns the text with the characters that XML cannot have: `_x000D_` is one (ECMA-376 part 1, 22.9.2.19). */
export function unescaped(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text
}
