import type { ComponentChildren, VNode } from 'preact'

/**
 * Each mark with what it makes of the text between two of it. What is raised or lowered has no white space in it. The text is at most
 * so long that a thousand marks without an end cost little.
 */
const MARK = /\*\*(?=\S)(.{0,200}?\S)\*\*|\*(?=\S)(.{0,200}?\S)\*|~([^\s~]{1,100})~|\^([^\s^]{1,100})\^/gsu

/** The longest line in which marks are looked for, in characters. */
const MOST_MARKED = 5_000

/**
 * Shows the text of an abstract as its author typed it: paragraphs, lists whose lines begin with `-`, `*…*`, `**…**`, `H~2~O` and
 * `m^2^`. Nothing else has a meaning.
 */
export function AbstractText({ text }: { text: string }) {
  const blocks = text
    .replaceAll('\r\n', '\n')
    .trim()
    .split(/\n[ \t]*\n+/)
  return <>{blocks.map((block, at) => renderBlock(block, at))}</>
}

function renderBlock(block: string, key: number): VNode {
  const lines = block.split('\n')
  if (lines.every(line => /^\s*[-•] /.test(line))) {
    return (
      <ul key={key}>
        {lines.map((line, at) => (
          <li key={at}>{renderMarks(line.replace(/^\s*[-•] /, ''))}</li>
        ))}
      </ul>
    )
  }
  return <p key={key}>{renderMarks(lines.join('\n'))}</p>
}

function renderMarks(text: string): ComponentChildren {
  if (text.length > MOST_MARKED) return text
  const parts: ComponentChildren[] = []
  let from = 0
  for (const match of text.matchAll(MARK)) {
    const [all, strong, emphasis, lowered, raised] = match
    if (match.index > from) parts.push(text.slice(from, match.index))
    if (strong !== undefined) parts.push(<strong>{strong}</strong>)
    else if (emphasis !== undefined) parts.push(<em>{emphasis}</em>)
    else if (lowered !== undefined) parts.push(<sub>{lowered}</sub>)
    else parts.push(<sup>{raised}</sup>)
    from = match.index + all.length
  }
  parts.push(text.slice(from))
  return parts
}
