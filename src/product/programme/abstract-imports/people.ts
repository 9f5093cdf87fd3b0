import { isOrcid } from '#product/programme/abstracts/orcid.ts'
import { MAX_AFFILIATIONS, MAX_AUTHORS } from '#product/programme/submissions/content.ts'

/** An author as a cell names one. */
export interface NamedAuthor {
  given: string
  family: string
  email: string
  orcid: string
  /** The numbers of the author's affiliations, as they are typed. */
  affiliations: string
  /** Whether the author is marked as the one who presents. */
  isMarked: boolean
}

/**
 * Reads the authors of a cell, one after a semicolon or a line break: `Ada Lovelace <0000-0002-1825-0097> [1, 2]`. The angle brackets have
 * an ORCID iD, an e-mail, or both; the square ones the numbers of affiliations. A star marks who presents. The last word of a name
 * is the family's, unless a comma says otherwise: `García Márquez, Gabriel`.
 */
export function readAuthors(cell: string): NamedAuthor[] {
  // One more than there may be is enough to be told so.
  return partsOf(cell, MAX_AUTHORS + 1).map(part => {
    const [, marked = ''] = /<([^<>]*)>/.exec(part) ?? []
    const [, affiliations = ''] = /\[([^[\]]*)\]/.exec(part) ?? []
    const rest = part.replace(/<[^<>]*>|\[[^[\]]*\]/g, ' ')
    const ids = marked.split(/[\s,]+/).filter(Boolean)
    return {
      ...splitName(rest.replaceAll('*', ' ').replace(/\s+/g, ' ').trim()),
      email: ids.find(id => id.includes('@')) ?? '',
      // What is neither is told as a wrong ORCID iD.
      orcid: ids.find(id => isOrcid(id) || !id.includes('@')) ?? '',
      affiliations,
      isMarked: rest.includes('*'),
    }
  })
}

function splitName(name: string): Pick<NamedAuthor, 'given' | 'family'> {
  const comma = name.indexOf(',')
  if (comma >= 0) return { family: name.slice(0, comma).trim(), given: name.slice(comma + 1).trim() }
  const words = name.split(' ')
  const family = words.pop() ?? ''
  return { given: words.join(' '), family }
}

/**
 * Reads the affiliations of a cell, one after a semicolon or a line break. They stand in their order, or each behind its number:
 * `1 Institute of Rooms; 2 Academy`.
 */
export function readAffiliations(cell: string): string[] {
  const parts = partsOf(cell, MAX_AFFILIATIONS + 1).map(
    part => /^\[?(\d{1,2})[\].:)]?\s+(.+)$/su.exec(part) ?? ['', '', part],
  )
  const isNumbered = parts.every(([, number = ''], at) => Number(number) === at + 1)
  // A name may begin with a number of its own, such as that of a street.
  return parts.map(
    ([whole, number = '', name = '']) => (isNumbered || number === '' ? name : whole) as string,
  )
}

function partsOf(cell: string, most: number): string[] {
  return cell
    .split(/[;\n]/)
    .map(part => part.trim())
    .filter(Boolean)
    .slice(0, most)
}
