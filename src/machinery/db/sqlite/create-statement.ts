/** Matches SQLite's own white space, comments and letters. For example, SQLite takes a no-break space for a letter. */
const TOKEN =
  /[ \t\n\f\r]+|--[^\n]*|\/\*.*?(?:\*\/|$)|'(?:[^']|'')*'?|"(?:[^"]|"")*"?|`(?:[^`]|``)*`?|\[[^\]]*\]?|[\w$\u0080-\uffff]+|[<>=!|]+|./gs
const SKIPPED = /^(?:[ \t\n\f\r]|--|\/\*)/

/** A name follows these, or a word that cannot be quoted. Only there quotes make no difference. */
const BEFORE_NAMES = new Set(['TABLE', 'INDEX', 'ON', 'REFERENCES'])
const CONSTRAINTS = new Set(['CONSTRAINT', 'PRIMARY', 'UNIQUE', 'CHECK', 'FOREIGN'])

/**
 * Returns the content of a CREATE TABLE or CREATE INDEX, a line for each of its parts, whatever the layout. Two statements with
 * the same lines, in any order, hold their rows to the same rules. The text is parsed because SQLite's pragmas do not report ON
 * CONFLICT, CHECK, DEFERRABLE and more.
 *
 * @returns undefined for every other statement
 */
export function describeStatement(sql: string): string[] | undefined {
  const tokens = tokenize(sql)
  const [create, kind, name, ...rest] = tokens.filter((token, at) => at !== 1 || token !== 'UNIQUE')
  if (create !== 'CREATE' || name === undefined || tokens.includes(';')) return undefined
  if (kind === 'INDEX' && rest[0] === 'ON') {
    const unique = tokens[1] === 'UNIQUE' ? 'unique ' : ''
    return [`${unique}index ${name} of ${spell(rest.slice(1))}`]
  }
  if (kind === 'TABLE' && tokens[1] === 'TABLE' && rest[0] === '(') return describeTable(name, rest.slice(1))
  return undefined
}

/** Returns the lines of a table. @param tokens what follows the opening parenthesis */
function describeTable(table: string, tokens: readonly string[]): string[] {
  const parts: string[][] = [[]]
  let depth = 1
  let at = 0
  for (; at < tokens.length; at++) {
    const token = tokens[at] as string
    if (token === '(') depth++
    else if (token === ')' && --depth === 0) break
    if (depth === 1 && token === ',') parts.push([])
    else parts.at(-1)?.push(token)
  }
  const options = tokens.slice(at + 1)
  return [
    ...parts.map(part => describePart(table, part)),
    ...(options.length === 0 ? [] : [`options of ${table}: ${spell(options)}`]),
  ]
}

function describePart(table: string, part: readonly string[]): string {
  const [first = ''] = part
  if (!CONSTRAINTS.has(first)) return `column ${table}.${spell(part)}`
  const isCheck = first === 'CHECK' && part[1] === '(' && part.at(-1) === ')'
  return isCheck ? `check of ${table}: ${spell(part.slice(2, -1))}` : `constraint of ${table}: ${spell(part)}`
}

function tokenize(sql: string): string[] {
  const tokens: string[] = []
  for (const [token] of sql.matchAll(TOKEN)) {
    if (SKIPPED.test(token)) continue
    const name = BEFORE_NAMES.has(tokens.at(-1) ?? '') ? /^"(\w+)"$/.exec(token)?.[1] : undefined
    tokens.push(name ?? token)
  }
  return tokens
}

/** Writes tokens as a person would. Different tokens never give the same text. */
function spell(tokens: readonly string[]): string {
  return tokens
    .map((token, at) => (at === 0 || /^[,)]$/.test(token) || tokens[at - 1] === '(' ? token : ` ${token}`))
    .join('')
}
