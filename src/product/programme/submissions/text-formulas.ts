import type { Formula } from '#machinery/formulas/formula-task.ts'

/** A paragraph, or a list with a line for each of its items. */
export interface TextBlock {
  isList: boolean
  /** What is read as one: marks and formulas begin and end in it. */
  parts: readonly string[]
}

const ITEM = /^\s*[-•] /

/** Parts a text into paragraphs and lists. */
export function blocksOf(text: string): TextBlock[] {
  const blocks = text
    .replaceAll('\r\n', '\n')
    .trim()
    .split(/\n[ \t]*\n+/)
  return blocks.map(block => {
    const lines = block.split('\n')
    const isList = lines.every(line => ITEM.test(line))
    return { isList, parts: isList ? lines.map(line => line.replace(ITEM, '')) : [block] }
  })
}

/** A formula with what is typed for it, dollars and all. */
export interface TypedFormula extends Formula {
  source: string
}

/**
 * Finds formulas as Pandoc does (https://pandoc.org/MANUAL.html#math): after the first dollar and before the last one is no space,
 * and no digit follows, so prices stay prices. `\$` is a dollar, and `$$` is for a formula on a line of its own. Each character is
 * passed once, however many dollars there are.
 */
const FORMULA =
  /\\\$|(?<!\$)\$\$(?!\$)((?:\\.|[^\\$]|\$(?!\$))+)\$\$(?!\$)|(?<!\$)\$(?![\s$])((?:\\.|[^\\$])+)(?<!\s)\$(?![\d$])/gsu

/** Stands for a formula in a text. It is a noncharacter, which nobody types, and is replaced in what somebody has. */
export const FORMULA_SIGN = '\ufdd0'

/** Takes the formulas out of a part of a text. @returns the rest of it, with a sign in the place of each */
export function takeFormulas(part: string): { rest: string; formulas: TypedFormula[] } {
  const formulas: TypedFormula[] = []
  const rest = part
    .replaceAll(FORMULA_SIGN, '\ufffd')
    .replace(FORMULA, (source: string, block: string | undefined, inline: string | undefined) => {
      const tex = block ?? inline
      if (tex === undefined) return '$'
      if (tex.trim() === '') return source
      formulas.push({ source, tex, isBlock: block !== undefined })
      return FORMULA_SIGN
    })
  return { rest, formulas }
}
