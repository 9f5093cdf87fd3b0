import type { Texts } from '#texts/texts.ts'

export type Say = (texts: Texts) => string

/** One of the values from which a person chooses. */
export interface Choice {
  value: string
  label: string
  /** The name of its group, for checkboxes in groups. */
  group?: string
}

/** The control by which a person changes a value. */
export type Control =
  | {
      kind: 'input'
      type: 'text' | 'email' | 'password' | 'search' | 'datetime-local' | 'month' | 'date' | 'tel' | 'color'
      autocomplete?: string
      inputmode?: 'numeric' | 'decimal' | 'email' | 'url'
      size?: 'short'
      suggestions?: readonly string[]
      isGuessed?: true | undefined
      /** What stands before the text and belongs to it, such as the beginning of an address. */
      before?: string | undefined
    }
  | { kind: 'area'; rows: number }
  | { kind: 'select'; choices: (texts: Texts) => readonly Choice[] }
  /** Short choices stand in a line, as far as there is room. */
  | { kind: 'radios'; choices: (texts: Texts) => readonly Choice[]; isInLine?: boolean }
  | { kind: 'checkboxes'; choices: (texts: Texts) => readonly Choice[] }
  | { kind: 'tick' }
  | { kind: 'file'; accept: string }
  | { kind: 'hidden' }
