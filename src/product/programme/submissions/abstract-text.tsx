import type { ComponentChildren } from 'preact'
import { FormulaView } from '#machinery/web/components/formula-view.tsx'
import type { Formulas } from './formulas.ts'
import { blocksOf, FORMULA_SIGN, type TypedFormula, takeFormulas } from './text-formulas.ts'

/**
 * Each mark with what it makes of the text between two of it. What is raised or lowered has no white space in it. The text is at most
 * so long that a thousand marks without an end cost little.
 */
const MARK = /\*\*(?=\S)(.{0,200}?\S)\*\*|\*(?=\S)(.{0,200}?\S)\*|~([^\s~]{1,100})~|\^([^\s^]{1,100})\^/gsu

/** The longest line in which marks are looked for, in characters. */
const MOST_MARKED = 5_000

/**
 * Shows the text of an abstract as its author typed it: paragraphs, lists whose lines begin with `-`, `*…*`, `**…**`, `H~2~O`,
 * `m^2^`, and formulas in TeX between dollars. Nothing else has a meaning.
 */
export function AbstractText({ text, formulas }: { text: string; formulas: Formulas }) {
  return (
    <>
      {blocksOf(text).map(({ isList, parts }, key) => {
        if (!isList) return <p key={key}>{renderPart(parts[0] ?? '', formulas)}</p>
        return (
          <ul key={key}>
            {parts.map((part, at) => (
              <li key={at}>{renderPart(part, formulas)}</li>
            ))}
          </ul>
        )
      })}
    </>
  )
}

/** Marks mean nothing in a formula, and a formula may stand between two of them. */
function renderPart(part: string, made: Formulas): ComponentChildren {
  const { rest, formulas } = takeFormulas(part)
  const left = formulas[Symbol.iterator]()
  return renderMarks(rest, text =>
    text.split(FORMULA_SIGN).map((between, at) => (
      <>
        {at > 0 && renderFormula(left.next().value as TypedFormula, made)}
        {between}
      </>
    )),
  )
}

function renderFormula({ source, tex, isBlock }: TypedFormula, made: Formulas): ComponentChildren {
  const tree = made.get(source)
  if (tree === undefined) return <code dir="ltr">{source}</code>
  return <FormulaView tree={tree} tex={tex} isBlock={isBlock} />
}

/** @param render shows what is between marks. It is given all of the text, in its order */
function renderMarks(text: string, render: (text: string) => ComponentChildren): ComponentChildren {
  if (text.length > MOST_MARKED) return render(text)
  const parts: ComponentChildren[] = []
  let from = 0
  for (const match of text.matchAll(MARK)) {
    const [all, strong, emphasis, lowered, raised] = match
    if (match.index > from) parts.push(render(text.slice(from, match.index)))
    if (strong !== undefined) parts.push(<strong>{render(strong)}</strong>)
    else if (emphasis !== undefined) parts.push(<em>{render(emphasis)}</em>)
    else if (lowered !== undefined) parts.push(<sub>{render(lowered)}</sub>)
    else parts.push(<sup>{render(raised as string)}</sup>)
    from = match.index + all.length
  }
  parts.push(render(text.slice(from)))
  return parts
}
